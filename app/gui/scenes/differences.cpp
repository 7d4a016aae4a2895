// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/differences.hpp"

#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/words.hpp"
#include "engine/text.hpp"

#include <functional>

namespace app::gui {
namespace {

constexpr std::int64_t mostRounds = 2000;

QString missing() { return QStringLiteral("\u2013"); }

/// "1.25x", "the same"; a dash where one of the two is not known.
QString ratio(std::optional<double> first, std::optional<double> second) {
    if (!first || !second) return missing();
    if (*first == *second) return QStringLiteral("the same");
    if (*first == 0) return missing();
    return QString::fromStdString(engine::showNumber(*second / *first, 3)) + QChar{0xd7};
}

struct Number {
    std::optional<double> value;
    QString words = missing();
};

Number count(std::int64_t number) { return {static_cast<double>(number), countInWords(number)}; }
Number bytes(engine::Bytes number) { return {static_cast<double>(number), bytesInWords(number)}; }
Number time(engine::Picoseconds number) { return {static_cast<double>(number.count()), timeInWords(number)}; }
Number percent(double share) { return {share, QString::fromStdString(engine::showNumber(100 * share, 3)) + " %"}; }

QString algorithmOf(const Subject& subject) {
    const std::string& id = subject.run().setting.algorithm;
    return id.empty() ? QStringLiteral("not known") : QString::fromStdString(id);
}

QString networkOf(const Subject& subject) {
    return subject.report().network ? QString::fromStdString(subject.report().network->name())
                                    : QStringLiteral("not known");
}

QString engineOf(const Subject& subject) {
    const std::string& on = subject.run().setting.on;
    return on == "virtual" ? QStringLiteral("virtual time") : QString::fromStdString(on);
}

}  // namespace

Table differences(const Subject& first, const Subject& second) {
    Table table{
        {QStringLiteral("What"), QStringLiteral("A"), QStringLiteral("B"), QStringLiteral("B against A")}, {}, 0};
    const auto words = [&](const QString& what, const QString& a, const QString& b) {
        table.add({what, a, b, a == b ? QStringLiteral("the same") : QStringLiteral("differs")});
    };
    const auto numbers = [&](const QString& what, const Number& a, const Number& b) {
        table.add({what, a.words, b.words, ratio(a.value, b.value)});
    };
    const auto both = [&](const char* what, const std::function<Number(const Subject&)>& of) {
        numbers(QString::fromLatin1(what), of(first), of(second));
    };
    words(QStringLiteral("Algorithm"), algorithmOf(first), algorithmOf(second));
    words(QStringLiteral("Network"), networkOf(first), networkOf(second));
    words(QStringLiteral("Executed in"), engineOf(first), engineOf(second));
    both("Ranks", [](const Subject& s) { return count(s.run().ranks); });
    both("Rounds", [](const Subject& s) { return count(s.run().rounds); });
    both("Messages", [](const Subject& s) { return count(s.run().messageCount); });
    both("Bytes sent", [](const Subject& s) { return bytes(s.run().byteCount); });
    both("Time", [](const Subject& s) { return time(s.run().duration); });
    both("Lower bound on time",
         [](const Subject& s) { return s.report().timeBound ? time(*s.report().timeBound) : Number{}; });
    both("Ports still", [](const Subject& s) { return percent(engine::stillShare(s.run())); });
    both("Most on one link in one round",
         [](const Subject& s) { return s.report().congestion ? bytes(s.peakLoad()) : Number{}; });
    const std::int64_t rounds = std::max(first.run().rounds, second.run().rounds);
    for (std::int64_t round = 0; round < std::min(rounds, mostRounds); ++round) {
        const auto of = [&](const Subject& subject) -> const engine::RoundTimes* {
            const auto& all = subject.run().perRound;
            return round < static_cast<std::int64_t>(all.size()) ? &all[static_cast<std::size_t>(round)] : nullptr;
        };
        const auto say = [](const engine::RoundTimes* times) {
            return times == nullptr ? missing()
                                    : QStringLiteral("%1 messages, %2, %3")
                                          .arg(times->messages)
                                          .arg(bytesInWords(times->bytes), timeInWords(times->end - times->begin));
        };
        const engine::RoundTimes* a = of(first);
        const engine::RoundTimes* b = of(second);
        const auto length = [](const engine::RoundTimes* times) {
            return times == nullptr ? std::optional<double>{}
                                    : static_cast<double>((times->end - times->begin).count());
        };
        table.add({QStringLiteral("Round %1").arg(round + 1), say(a), say(b), ratio(length(a), length(b))});
    }
    table.left = std::max<std::int64_t>(0, rounds - mostRounds);
    return table;
}

}  // namespace app::gui
