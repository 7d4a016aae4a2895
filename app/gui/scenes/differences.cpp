// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/differences.hpp"

#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/words.hpp"
#include "app/session/number_by_number.hpp"
#include "engine/text.hpp"

namespace app::gui {
namespace {

constexpr std::int64_t mostRounds = 2000;

QString missing() { return QStringLiteral("\u2013"); }

/// "1.25x", "the same"; a dash where one of the two is not known.
QString against(std::optional<double> times) {
    if (!times) return missing();
    if (*times == 1) return QStringLiteral("the same");
    return QString::fromStdString(engine::showNumber(*times, 3)) + QChar{0xd7};
}

/// Of the time alone.
QString asLong(std::optional<double> times) {
    if (!times) return missing();
    return *times == 1 ? QStringLiteral("as long") : against(times) + QStringLiteral(" as long");
}

QString inWords(const engine::Cell& cell, engine::Content content) {
    if (const auto* words = std::get_if<std::string>(&cell)) return QString::fromStdString(*words);
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return timeInWords(*time);
    if (const auto* share = std::get_if<double>(&cell))
        return QString::fromStdString(engine::showNumber(100 * *share, 3)) + " %";
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return content == engine::Content::bytes ? bytesInWords(*count) : countInWords(*count);
    return content == engine::Content::words ? QStringLiteral("not known") : missing();
}

QString inWords(const std::optional<engine::RoundTimes>& times) {
    if (!times) return missing();
    return QStringLiteral("%1 messages, %2, %3")
        .arg(times->messages)
        .arg(bytesInWords(times->bytes), timeInWords(times->end - times->begin));
}

}  // namespace

Table differences(const Subject& first, const Subject& second) {
    Table table{
        {QStringLiteral("What"), QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("B against A")}, {}, 0};
    for (const Compared& row : numberByNumber(first.report(), second.report())) {
        const QString words = row.first == row.second ? QStringLiteral("the same") : QStringLiteral("differs");
        table.add({QString::fromStdString(row.what), inWords(row.first, row.content), inWords(row.second, row.content),
                   row.content == engine::Content::words ? words : against(row.times())});
    }
    // What nobody recorded is no row of its own.
    if (!first.hasRounds() || !second.hasRounds()) return table;
    for (const ComparedRound& row : roundByRound(first.run(), second.run(), mostRounds))
        table.add({QStringLiteral("Round %1").arg(row.round.value + 1), inWords(row.first), inWords(row.second),
                   asLong(row.times())});
    table.left = std::max<std::int64_t>(0, std::max(first.run().rounds, second.run().rounds) - mostRounds);
    return table;
}

}  // namespace app::gui
