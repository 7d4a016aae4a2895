// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/text/run_differences.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/session/compare/run_names.hpp"
#include "app/session/compare/value_by_value.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr std::int64_t mostRounds = 2000;
constexpr std::int64_t mostPaths = 12;

QString missing() { return QStringLiteral("\u2013"); }

/// "1.25x", "the same"; a dash where one of the two is not known.
QString against(std::optional<double> times) {
    if (!times) return missing();
    if (*times == 1) return QStringLiteral("the same");
    return QString::fromStdString(engine::showNumber(*times, 3)) + QChar{0xd7};
}

/// Of the time alone: more of it is no win.
QString asLong(std::optional<double> times) {
    if (!times) return missing();
    if (*times == 1) return QStringLiteral("the same");
    return (*times > 1 ? QStringLiteral("longer, %1") : QStringLiteral("shorter, %1")).arg(against(times));
}

QString inWords(const engine::Cell& cell, engine::Content content) {
    if (const auto* words = std::get_if<std::string>(&cell)) return QString::fromStdString(*words);
    if (const auto* time = std::get_if<engine::Picoseconds>(&cell)) return timeInWords(*time);
    if (const auto* share = std::get_if<double>(&cell))
        return QString::fromStdString(engine::showNumber(100 * *share, 3)) + "%";
    if (const auto* count = std::get_if<std::int64_t>(&cell))
        return content == engine::Content::bytes ? bytesInWords(*count) : countInWords(*count);
    return content == engine::Content::words ? QStringLiteral("not known") : missing();
}

QString timeOf(const std::optional<engine::RoundTimes>& times) {
    return times ? timeInWords(times->end - times->begin) : missing();
}

/// A pair of words; those of algorithms without what they share.
Sides inWords(const Compared& row) {
    const auto* first = std::get_if<std::string>(&row.first);
    const auto* second = std::get_if<std::string>(&row.second);
    if (first == nullptr || second == nullptr)
        return {inWords(row.first, row.content), inWords(row.second, row.content)};
    const auto [a, b] = withoutCollective(*first, *second);
    return {QString::fromStdString(a), QString::fromStdString(b)};
}

/// What was sent in a round of both, where that differs.
void addAmounts(const ComparedRound& row, const QString& name, Table& table) {
    if (!row.first || !row.second) return;
    const auto add = [&](const QString& what, std::int64_t first, std::int64_t second, QString (*words)(std::int64_t)) {
        if (first == second) return;
        const std::optional<double> times =
            first == 0 ? std::nullopt : std::optional{static_cast<double>(second) / static_cast<double>(first)};
        table.add({name + what, words(first), words(second), against(times)});
    };
    add(QStringLiteral(", messages"), row.first->messages, row.second->messages, countInWords);
    add(QStringLiteral(", bytes"), row.first->bytes, row.second->bytes, bytesInWords);
}

/// Whether another round is in progress during some of this one.
bool overlapped(const engine::Run& run, engine::Round round) {
    const auto at = static_cast<std::size_t>(round.value);
    if (at >= run.perRound.size()) return false;
    const auto meet = [](const engine::RoundTimes& one, const engine::RoundTimes& other) {
        return one.messages > 0 && other.messages > 0 && one.begin < other.end && other.begin < one.end;
    };
    return (at > 0 && meet(run.perRound[at - 1], run.perRound[at])) ||
           (at + 1 < run.perRound.size() && meet(run.perRound[at], run.perRound[at + 1]));
}

/// Known of neither, or about the one round that messages without rounds are in.
bool isNothing(const Compared& row) {
    const auto unknown = [](const engine::Cell& cell) { return std::holds_alternative<std::monostate>(cell); };
    return (unknown(row.first) && unknown(row.second)) || row.what == std::string_view{"Rounds"};
}

/// Rows of call paths, of iterations or of steps (analysis::programChanges).
void addChanges(const engine::Table& change, Table& table) {
    const auto column = [&](std::string_view name) {
        return static_cast<std::size_t>(std::ranges::find(change.columns, name, &engine::Column::name) -
                                        change.columns.begin());
    };
    const auto add = [&](const QString& what, const engine::Cell& first, const engine::Cell& second) {
        const auto* a = std::get_if<engine::Picoseconds>(&first);
        const auto* b = std::get_if<engine::Picoseconds>(&second);
        if (a == nullptr || b == nullptr || (a->count() == 0 && b->count() == 0)) return;
        const std::optional<double> times =
            a->count() == 0 ? std::nullopt
                            : std::optional{static_cast<double>(b->count()) / static_cast<double>(a->count())};
        table.add({what, timeInWords(*a), timeInWords(*b), asLong(times)});
    };
    std::int64_t rows = 0;
    for (const std::vector<engine::Cell>& row : change.rows) {
        const auto* path = std::get_if<std::string>(&row.front());
        if (++rows > (path != nullptr ? mostPaths : mostRounds)) break;
        const QString name = path != nullptr ? QString::fromStdString(*path)
                                             : iterationRow + QString::number(std::get<std::int64_t>(row.front()));
        add(name, row[column("first_s")], row[column("second_s")]);
        if (path != nullptr && column("first_waiting_s") < row.size())
            add(QStringLiteral("waiting in %1").arg(name), row[column("first_waiting_s")],
                row[column("second_waiting_s")]);
    }
}

}  // namespace

Table differences(const DrawableRun& first, const DrawableRun& second, const Sides& sides,
                  std::span<const engine::Table> changes) {
    Table table{{QStringLiteral("What"), sides[0], sides[1], QStringLiteral("Change")}, {}, 0};
    const bool rounds = first.hasRounds() && second.hasRounds();
    for (const Compared& row : numberByNumber(first.report(), second.report())) {
        if (!rounds && isNothing(row)) continue;
        const QString words = row.first == row.second ? QStringLiteral("the same") : QStringLiteral("differs");
        const auto [a, b] = inWords(row);
        table.add({QString::fromStdString(row.what), a, b,
                   row.content == engine::Content::words ? words : against(row.times())});
    }
    if (!rounds) {
        for (const engine::Table& change : changes) addChanges(change, table);
        return table;
    }
    for (const ComparedRound& row : roundByRound(first.run(), second.run(), mostRounds)) {
        // Where rounds overlap, what one adds is shorter than the round.
        const bool beside = overlapped(first.run(), row.round) || overlapped(second.run(), row.round);
        const QString name = roundRow + QString::number(row.round.value + 1);
        table.add({name + (beside && row.times() ? adds : QLatin1String{}), timeOf(row.first), timeOf(row.second),
                   asLong(row.times())});
        addAmounts(row, name, table);
    }
    table.left = std::max<std::int64_t>(0, std::max(first.run().rounds, second.run().rounds) - mostRounds);
    return table;
}

}  // namespace app::gui
