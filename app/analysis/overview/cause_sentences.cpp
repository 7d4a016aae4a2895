// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/cause_sentences.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/delay_trend.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::showTime;
using engine::text;

namespace {

/// Its name, without a comma.
std::string_view inSentence(WaitKind kind) {
    return kind == WaitKind::wrongOrder ? "late sender in the wrong order" : name(kind);
}

template <class NameOf>
std::vector<std::string> namesOf(const std::vector<WaitKind>& kinds, NameOf nameOf) {
    std::vector<std::string> names;
    for (const WaitKind kind : kinds) names.emplace_back(nameOf(kind));
    return names;
}

/// The most that a cause made its rank late, but for the longest delay.
Picoseconds exceptLongest(const Cause& cause) {
    Picoseconds first{}, second{};
    for (const LateOnce& one : cause.late) {
        second = std::max(second, std::min(first, one.later));
        first = std::max(first, one.later);
    }
    return second;
}

/// "rank 3", "rank 3, OMP thread 2,".
std::string whoseWords(TraceAnalysis& analysis, const Cause& cause) {
    if (cause.thread == 0) return text("rank ", cause.rank);
    const traces::Recording& recording = *analysis.trace().recording;
    return text("rank ", cause.rank, ", ", nameOf(recording, Threads{recording}, cause.rank, cause.thread), ",");
}

double shareOfTime(TraceAnalysis& analysis, Picoseconds time) {
    const traces::TimeSpan span = analysis.analysedSpan();
    return ratio(time, span.end - span.begin);
}

/// "about 10 ms (5%) less: 190 ms instead of 200 ms (estimated with the recorded transfer times)."
std::string lessWords(TraceAnalysis& analysis, Picoseconds gain) {
    const traces::TimeSpan span = analysis.analysedSpan();
    const std::string now = showTime(span.end - span.begin), then = showTime(span.end - span.begin - gain);
    return text("the program would take about ", showTime(gain), " (", percent(shareOfTime(analysis, gain)), ") less",
                now == then ? "" : text(": ", then, " instead of ", now),
                analysis.trace().sharesProcessors()
                    ? " (a rough estimate: it keeps the recorded transfer times, in which ranks waited for processors)."
                    : " (estimated with the recorded transfer times).");
}

bool changesSteadily(const Cause& cause) {
    return cause.trend.trend == Trend::grows || cause.trend.trend == Trend::shrinks;
}

/// Whether the delays come before, or in, every n-th call of their place.
std::optional<Period> periodIn(const Cause& cause, const CallPaths& paths) {
    constexpr std::size_t fewest = 4;
    if (cause.late.size() < fewest) return std::nullopt;
    const PathId place = cause.path == outsideOfCalls ? cause.before : cause.path;
    if (place == outsideOfCalls) return std::nullopt;
    std::vector<Picoseconds> begins;
    for (const std::size_t thread : paths.threadsOf(cause.rank)) {
        const auto& its = paths.recording().states[thread].begin;
        for (std::size_t i = 0; i < its.size(); ++i)
            if (paths.of(thread, i) == place) begins.push_back(its[i]);
    }
    std::ranges::sort(begins);
    std::vector<Picoseconds> delays;
    std::vector<std::size_t> calls;
    for (const LateOnce& one : cause.late) {
        const auto call = static_cast<std::size_t>(std::ranges::lower_bound(begins, one.until) - begins.begin());
        if (!calls.empty() && calls.back() == call) {
            delays.back() += one.later;
            continue;
        }
        delays.push_back(one.later);
        calls.push_back(call);
    }
    return periodOf(delays, calls, changesSteadily(cause) ? shortestOfTrend : shortestOfPeriod);
}

/// The delays of which sentences and facts are: those of a period, else all that count.
struct CountedDelays {
    std::int64_t count = 0;
    Picoseconds typical{};
    std::size_t every = 0;  ///< calls from one to the next of a period; 0: there is none
};
CountedDelays countedDelays(const Cause& cause, const CallPaths& paths) {
    std::optional<Period> period = periodIn(cause, paths);
    if (!period) return {cause.delays, cause.typical, 0};
    const auto count = std::ssize(period->delays);
    return {count, engine::median(std::move(period->delays)), period->every};
}

}  // namespace

std::string whereWords(const Cause& cause, const CallPaths& paths) {
    const bool before = cause.path == outsideOfCalls && cause.before != outsideOfCalls;
    return (before ? "" : "in ") + nameOf(cause, paths);
}

std::string causedWords(std::vector<DelayRow> rows, Picoseconds all) {
    std::ranges::stable_sort(rows, std::ranges::greater{}, &DelayRow::all);
    std::vector<std::string> ranks, shares;
    for (const DelayRow& row : rows) {
        ranks.push_back(text(row.origin));
        shares.push_back(percent(ratio(row.all(), all)));
    }
    const bool areEqual = ranks.size() > 1 && std::ranges::count(shares, shares.front()) == std::ssize(shares);
    return text(ranks.size() == 1 ? "rank " : "ranks ", listed(ranks), " caused ",
                areEqual ? shares.front() : listed(shares), " of the waiting time", areEqual ? " each" : "");
}

std::string placeWords(const Cause& cause, const CallPaths& paths) {
    const std::string words = whereWords(cause, paths);
    if (cause.delays == 0) return words;
    const CountedDelays delays = countedDelays(cause, paths);
    const std::string longest = showTime(cause.longest), typical = showTime(delays.typical),
                      at = text("at ", showTime(cause.begin, engine::ofPoints), " of the trace"),
                      times = text(words, ": late ", delays.count, " times",
                                   delays.every > 0 ? text(", once in every ", delays.every, " calls") : "");
    if (cause.trend.trend != Trend::none && (delays.every == 0 || changesSteadily(cause))) {
        const bool alternates = cause.trend.trend == Trend::alternates;
        return text(times, "; the delay ", nameOf(cause.trend.trend), alternates ? " between about " : " from about ",
                    showTime(cause.trend.first), alternates ? " and " : " to ", showTime(cause.trend.last),
                    "; the longest is ", longest, " (", at, ")");
    }
    if (delays.count == 1) return text(words, ": late once, by ", longest, " (", at, ")");
    if (typical == longest) return text(times, ", by ", longest, " each (the longest ", at, ")");
    if (delays.count == 2) return text(words, ": late twice, at most by ", longest, " (", at, ")");
    if (const auto others = exceptLongest(cause); cause.longest > 3 * others)
        return text(times, ": once by ", longest, " (", at, "), otherwise by at most ", showTime(others));
    return text(times, ", typically by ", typical, " and at most by ", longest, " (", at, ")");
}

std::string gainWords(TraceAnalysis& analysis, const RootCause& its, std::set<std::string>& unknown) {
    const CountedDelays counts = countedDelays(its.cause, *analysis.callPaths());
    const std::int64_t delays = counts.count;
    // The gain is that of all delays of the place, also of those between the delays of a period.
    const std::string without = counts.every > 0 ? "without all delays there"
                                : delays == 1    ? "without this delay"
                                : delays > 2     ? text("without these ", counted(delays), " delays")
                                                 : "without these delays";
    if (!its.gain) {
        const std::string why = analysis.whyNoGain(std::span{&its.cause, 1});
        if (why.empty() || !unknown.insert(why).second) return {};
        return text(" It is unknown how much less time the program would take ", without, ": ", why, ".");
    }
    if (shareOfTime(analysis, *its.gain) < gainful)
        return text(" ", engine::capitalised(without), " alone the program would not end earlier.");
    return text(" ", engine::capitalised(without), ' ', lessWords(analysis, *its.gain));
}

std::string waitStateWords(const RootCause& root) {
    return text(root.kinds.size() == 1 ? " Wait state: " : " Wait states: ", listed(namesOf(root.kinds, inSentence)),
                ".");
}

std::string asLateWords(TraceAnalysis& analysis, const std::vector<engine::Rank>& ranks, engine::Rank rank) {
    constexpr std::size_t mostNamed = 4;
    if (ranks.empty()) return {};
    std::vector<std::string> names;
    for (const engine::Rank one : ranks) names.push_back(text(one));
    const std::string who = ranks.size() > mostNamed ? text(ranks.size(), " other ranks")
                                                     : text(ranks.size() == 1 ? "rank " : "ranks ", listed(names));
    std::string words = text(" In the calls in which others waited for rank ", rank, ", ", who,
                             ranks.size() == 1 ? " was" : " were", " nearly as late");
    std::vector<engine::Rank> early;
    for (engine::Rank one{0}; one.value < analysis.trace().report.run->ranks; ++one)
        if (one != rank && std::ranges::find(ranks, one) == ranks.end()) early.push_back(one);
    if (early.size() == 1) words += text("; only rank ", early.front(), " was earlier");
    return words + ".";
}

std::string jointWords(TraceAnalysis& analysis, const JointCauses& joint, const std::vector<Cause>& shown) {
    std::set<engine::Rank> ranks;
    for (const Cause& its : joint.causes) ranks.insert(its.rank);
    const auto isJoint = [&](const Cause& one) {
        return std::ranges::any_of(joint.causes, [&](const Cause& its) { return isSamePlace(its, one); });
    };
    const bool areShown =
        std::ranges::count_if(shown, isJoint) == std::ssize(joint.causes) &&
        std::ranges::all_of(shown, [&](const Cause& one) { return isJoint(one) || !ranks.contains(one.rank); });
    const bool areAtOnePlace = std::ranges::all_of(
        joint.causes, [&](const Cause& one) { return one.thread == 0 && areAtOnePath(one, joint.causes.front()); });
    std::vector<std::string> names;
    if (areShown || areAtOnePlace)
        for (const engine::Rank rank : ranks) names.push_back(text(rank));
    else
        for (const Cause& its : joint.causes)
            names.push_back(text(whoseWords(analysis, its), ' ', whereWords(its, *analysis.callPaths())));
    const std::string whose = !areShown && areAtOnePlace
                                  ? text("the delays of ranks ", listed(names), ' ',
                                         whereWords(joint.causes.front(), *analysis.callPaths()), " together")
                              : !areShown         ? text("the delays of ", listed(names), " together")
                              : ranks.size() == 1 ? "all these delays of rank " + names.front()
                                                  : "these delays of ranks " + listed(names) + " together";
    return text(" Without ", whose, ", ", lessWords(analysis, joint.gain));
}

void addCause(Finding& finding, TraceAnalysis& analysis, const RootCause& root, Picoseconds all) {
    const Cause& its = root.cause;
    const CallPaths& paths = *analysis.callPaths();
    const CountedDelays delays = countedDelays(its, paths);
    std::vector<Fact> facts{
        {"origin", engine::cell(its.rank)},
        {"time_s", its.time},
        {"part_share", ratio(its.time, all)},
        {"wait", engine::cell(engine::joined(namesOf(root.kinds, [](WaitKind kind) { return name(kind); }), "; "))},
        {"delays", delays.count},
        {"inferred", engine::cell(std::string{root.cause.isInferred ? "yes" : "no"})}};
    if (its.before != outsideOfCalls) facts.push_back({"before_call", engine::cell(paths.name(its.before))});
    if (its.delays > 0) {
        facts.push_back({"typical_s", delays.typical});
        facts.push_back({"longest_s", its.longest});
    }
    if (its.thread != 0) facts.push_back({"thread", threadCell(analysis, its.rank, its.thread)});
    if (delays.every > 0) facts.push_back({"every_calls", static_cast<std::int64_t>(delays.every)});
    if (its.trend.trend != Trend::none && (delays.every == 0 || changesSteadily(its))) {
        facts.push_back({"trend", engine::cell(std::string{nameOf(its.trend.trend)})});
        facts.push_back({"trend_first_s", its.trend.first});
        facts.push_back({"trend_last_s", its.trend.last});
    }
    if (root.gain) facts.push_back({"gain_s", *root.gain});
    // The finding on all waiting has the rank already.
    for (Fact& fact : facts)
        if (std::ranges::none_of(finding.facts, [&](const Fact& one) { return one.name == fact.name; }))
            finding.facts.push_back(std::move(fact));
    finding.place = {.rank = its.rank};
    if (its.delays > 0) finding.place.begin = its.begin;
    finding.callPath = its.path == outsideOfCalls ? std::string{} : paths.name(its.path);
}

Finding causeFinding(TraceAnalysis& analysis, const RootCause& cause, const RankBeside& rank, Picoseconds all,
                     std::set<std::string>& unknown) {
    const Cause& its = cause.cause;
    const std::vector<std::string> kinds = namesOf(cause.kinds, inSentence);
    const CallPaths& paths = *analysis.callPaths();
    const std::string amount = text(percent(ratio(its.time, all)), " of the waiting time (", showTime(its.time), "; ",
                                    listed(kinds), ")"),
                      whose = whoseWords(analysis, its), where = placeWords(its, paths);
    std::string words;
    if (rank.isNamed)
        words = text("The waiting time caused by ", whose, " includes ", showTime(its.time), " (",
                     percent(ratio(its.time, all)), " of the waiting time; ", listed(kinds), ") ", where);
    else {
        words = text("Rank", whose.substr(std::string_view{"rank"}.size()), " caused ");
        const std::string ofRank = text(percent(ratio(rank.caused, all)), " of the waiting time", rank.why);
        const bool isNearlyAll = 20 * its.time >= 19 * rank.caused;
        words += its.time == rank.caused ? text(amount, rank.why, ", ", where)
                 : isNearlyAll
                     ? text(ofRank, ", almost all of it (", showTime(its.time), "; ", listed(kinds), ") ", where)
                     : text(ofRank, ". This includes ", amount, " ", where);
    }
    Finding finding{.kind = FindingKind::rootCause, .words = text(words, ".", gainWords(analysis, cause, unknown))};
    addCause(finding, analysis, cause, all);
    return finding;
}

}  // namespace app::analysis
