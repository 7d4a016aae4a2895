// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/explain/explanation.hpp"

#include "app/gui/explain/details_page.hpp"
#include "app/gui/explain/explanation_program.hpp"

#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <map>
#include <set>

namespace app::gui {
namespace {

constexpr std::size_t mostLines = 14;  // messages listed one by one

QString tr(const char* words) { return QCoreApplication::translate("Explanation", words); }

QString escaped(const std::string& words) { return QString::fromStdString(words).toHtmlEscaped(); }

QString size(engine::Bytes bytes) { return bytesInWords(bytes).toHtmlEscaped(); }

/// Indices of the messages of one round: [first, last).
std::pair<std::size_t, std::size_t> messagesOf(const engine::Run& run, engine::Round round) {
    const auto rounds = run.messages.round();
    const auto found = std::equal_range(rounds.begin(), rounds.end(), round);
    return {static_cast<std::size_t>(found.first - rounds.begin()),
            static_cast<std::size_t>(found.second - rounds.begin())};
}

QString messageLine(const DrawableRun& subject, std::size_t index) {
    const engine::MessageRecord message = subject.run().messages[index];
    return tr("%1 to %2: %3").arg(linkTo(message.from), linkTo(message.to), cargoLink(subject, index));
}

/// Who talks to whom, when one sentence can say it.
QString pattern(const engine::Run& run, std::size_t first, std::size_t last) {
    if (last - first < 2) return {};
    const std::int32_t n = run.ranks;
    std::set<std::pair<std::int32_t, std::int32_t>> ways;
    bool sameShift = true;
    const auto shift = [&](std::size_t i) { return ((run.messages.to()[i] - run.messages.from()[i]) % n + n) % n; };
    for (std::size_t i = first; i < last; ++i) {
        sameShift = sameShift && shift(i) == shift(first);
        ways.emplace(run.messages.from()[i].value, run.messages.to()[i].value);
    }
    const bool pairs = std::all_of(ways.begin(), ways.end(), [&](const auto& way) {
        return ways.contains({way.second, way.first});
    });
    if (pairs) return tr("Partners swap: each message meets one in the opposite direction.");
    if (!sameShift) return {};
    if (shift(first) == 1) return tr("Each goes to the next rank.");
    if (shift(first) == n - 1) return tr("Each goes to the rank before.");
    const bool forwards = 2 * shift(first) <= n;
    return tr("Each goes from rank r to rank r %1 %2 (modulo %3).")
        .arg(forwards ? QStringLiteral("+") : QStringLiteral("\u2212"))
        .arg(forwards ? shift(first) : n - shift(first))
        .arg(n);
}

QString partOf(const DrawableRun& subject, engine::Rank rank, std::size_t first, std::size_t last) {
    const engine::Messages& messages = subject.run().messages;
    QStringList deeds;
    for (std::size_t i = first; i < last; ++i) {
        if (messages.from()[i] != rank && messages.to()[i] != rank) continue;
        const bool sends = messages.from()[i] == rank;
        deeds += (sends ? tr("sends %1 to %2") : tr("receives %1 from %2"))
                     .arg(cargoLink(subject, i), linkTo(sends ? messages.to()[i] : messages.from()[i]));
        if (deeds.size() == static_cast<qsizetype>(mostLines)) break;
    }
    if (deeds.isEmpty()) return tr("<p><b>Rank %1</b> neither sends nor receives in this round.</p>").arg(rank.value);
    return tr("<p><b>Rank %1</b> %2.</p>").arg(rank.value).arg(deeds.join(tr("; ")));
}

/// "round 3: ranks 0-2, 5; round 4: rank 3": of those that have begun and are not done.
QString ranksInRounds(const DrawableRun& subject, engine::Picoseconds time) {
    constexpr std::size_t mostRounds = 6;
    constexpr std::size_t mostRuns = 6;
    std::map<engine::Round, std::vector<std::int32_t>> ranksOf;
    for (engine::Rank rank{0}; rank.value < subject.run().ranks; ++rank)
        if (const auto round = subject.roundOf(rank, time); round && subject.doneAt(rank) > time)
            ranksOf[*round].push_back(rank.value);
    if (ranksOf.empty()) return tr("no rank in a round");
    QStringList parts;
    for (const auto& [round, ranks] : ranksOf) {
        if (static_cast<std::size_t>(parts.size()) == mostRounds) {
            parts += tr("and %1 more rounds").arg(ranksOf.size() - mostRounds);
            break;
        }
        QStringList runs;
        std::size_t told = 0;
        for (std::size_t i = 0; i < ranks.size() && static_cast<std::size_t>(runs.size()) < mostRuns;) {
            std::size_t next = i + 1;
            while (next < ranks.size() && ranks[next] == ranks[next - 1] + 1) ++next;
            runs += next - i == 1 ? QString::number(ranks[i]) : tr("%1-%2").arg(ranks[i]).arg(ranks[next - 1]);
            told += next - i;
            i = next;
        }
        if (told < ranks.size()) runs += tr("%1 more").arg(ranks.size() - told);
        parts += (ranks.size() == 1 ? tr("rank %2 in round %1") : tr("ranks %2 in round %1"))
                     .arg(countInWords(round.value + 1), runs.join(tr(", ")));
    }
    return parts.join(tr("; "));
}

}  // namespace

QString explainedRoundInWords(const DrawableRun& subject, const ViewState& state) {
    const engine::Run& run = subject.run();
    if (run.rounds == 0) return "<p>" + whyNoRounds(subject) + "</p>";
    const engine::Round round = explainedRound(subject, state);
    QString text = tr("<p><b>%1</b>").arg(subject.hasRounds() ? roundsOf(subject, state.time) : tr("All messages"));
    const auto stage = std::find_if(run.stages.begin(), run.stages.end(), [&](const engine::Stage& each) {
        return round >= each.first && round < each.first + each.rounds;
    });
    if (stage != run.stages.end()) text += tr(" &middot; %1").arg(escaped(stage->name));
    if (state.time >= run.duration) text += tr(" &middot; the run is over");
    text += "</p>";
    if (!subject.roundsAt(state.time).one())
        text += tr("<p>Ranks can be in different rounds. Now: %1.</p><p><b>Round %2</b></p>")
                    .arg(ranksInRounds(subject, state.time), countInWords(round.value + 1));

    const auto [first, last] = messagesOf(run, round);
    const engine::RoundTimes& times = run.perRound[round.index()];
    if (times.messages == 0) return text + tr("<p>No message in this round.</p>");
    if (first == last)
        return text + tr("<p>%1 messages, %2 in total; they were counted, not kept.</p>")
                          .arg(countInWords(times.messages), size(times.bytes));
    const auto bytes = run.messages.bytes().subspan(first, last - first);
    const bool even = std::all_of(bytes.begin(), bytes.end(), [&](engine::Bytes each) { return each == bytes[0]; });
    const QString messages =
        times.messages == 1 ? tr("One message") : tr("%1 messages").arg(countInWords(times.messages));
    text += even ? tr("<p>%1 of %2. ").arg(messages, size(bytes[0]))
                 : tr("<p>%1, %2 in total, the largest %3. ").arg(messages, size(times.bytes), size(times.largest));
    text += pattern(run, first, last);
    const std::size_t late = latecomers(subject, state);
    if (late == 1) text += tr(" One of an earlier round is still in flight.");
    if (late > 1)
        text += tr(" %1 of earlier rounds are still in flight.").arg(countInWords(static_cast<std::int64_t>(late)));
    text += "</p>";

    if (state.rank) text += partOf(subject, *state.rank, first, last);
    QStringList lines;
    for (std::size_t i = first; i < last && i < first + mostLines; ++i) lines += messageLine(subject, i);
    if (last - first > mostLines)
        lines += tr("and %1 more").arg(countInWords(static_cast<std::int64_t>(last - first - mostLines)));
    return text + "<p>" + lines.join("<br>") + "</p>";
}

QString algorithmInWords(const Report& report) {
    if (!report.plan) {
        QStringList remarks;
        for (const std::string& remark : report.run->remarks) remarks += withMu(escaped(remark));
        return (report.run->setting.on == "trace" ? QString{}
                                                  : tr("<p>The algorithm of this trace is not known.</p>")) +
               (remarks.isEmpty() ? QString{} : "<p>" + remarks.join("<br>") + "</p>");
    }
    const engine::Algorithm& algorithm = *report.plan->algorithm;
    QString text = "<p><b>" + escaped(algorithm.title) + "</b><br>" + escaped(algorithm.idea) + "</p>";
    if (!algorithm.formula.empty()) {
        text += tr("<p>Formula: %1<br><small>%2</small></p>")
                    .arg(greek(algorithm.formula).toHtmlEscaped(), escaped(algorithm.letters));
    }
    if (const engine::Choices chosen = engine::choicesOf(*report.plan); !chosen.empty())
        text += tr("<p>Chosen for this model: %1</p>").arg(escaped(toText(chosen)));
    text += tr("<p><small>Source: %1</small></p>").arg(escaped(algorithm.source));
    return text;
}

/// The algorithms with the messages of a file that does not say what they carry.
QString resemblanceInWords(const Report& report) {
    if (report.resembles.empty()) return {};
    return tr("<p>Recognised: %1</p>").arg(escaped(analysis::inWords(report.resembles, analysis::wordsOf)));
}

QString verdictInWords(const Report& report) {
    if (!report.fault.empty())
        return (report.run->setting.algorithm == DrawableRun::playedByHand ? tr("<p><b>Unfinished:</b> %1</p>")
                                                                           : tr("<p><b>Wrong:</b> %1</p>"))
            .arg(escaped(report.fault));
    const QString proof = proofInWords(report);
    return proof.isEmpty() ? QString{} : "<p>" + proof.toHtmlEscaped() + "</p>";
}

engine::Round explainedRound(const DrawableRun& subject, const ViewState& state) {
    const std::optional<engine::Round> own =
        state.rank && state.rank->value < subject.run().ranks ? subject.roundOf(*state.rank, state.time) : std::nullopt;
    return own && subject.doneAt(*state.rank) > state.time ? *own : subject.roundAt(state.time);
}

std::size_t latecomers(const DrawableRun& subject, const ViewState& state) {
    const engine::Round round = explainedRound(subject, state);
    const std::vector<std::size_t> moving = subject.messagesAt(state.time);
    return static_cast<std::size_t>(std::count_if(moving.begin(), moving.end(), [&](std::size_t message) {
        return subject.run().messages.round()[message] < round;
    }));
}

QString explain(const DrawableRun& subject, const ViewState& state) {
    if (subject.isProgram()) return programText(subject, state) + algorithmInWords(subject.report());
    return explainedRoundInWords(subject, state) + verdictInWords(subject.report()) + "<hr>" +
           resemblanceInWords(subject.report()) + algorithmInWords(subject.report());
}

}  // namespace app::gui
