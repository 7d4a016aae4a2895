// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/first_page.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/errors.hpp"
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/collectives/mismatches.hpp"
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/critical_path/serial_chain.hpp"
#include "app/analysis/findings/advice.hpp"
#include "app/analysis/findings/attendance.hpp"
#include "app/analysis/findings/instance_gap.hpp"
#include "app/analysis/format/table_words.hpp"
#include "app/analysis/overview/not_recorded.hpp"
#include "app/analysis/overview/training_page.hpp"
#include "app/analysis/program/call_profile.hpp"
#include "app/analysis/tables/question.hpp"
#include "app/analysis/wait_states/wait_sums.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::showBytes;
using engine::showNumber;
using engine::showTime;
using engine::text;

namespace {

/// Instances that count as one kind, in the order of what they cost.
struct Kind {
    std::size_t longest = 0;  ///< the instance of it that took longest
    std::int64_t instances = 0;
    Picoseconds time{};
    /// Of collectives that block: what their ranks spent in them, summed over ranks.
    std::optional<Picoseconds> inCalls{Picoseconds{}};
    std::set<std::int32_t> communicators{};
};
std::vector<Kind> kindsOf(Inquiry& inquiry) {
    std::map<std::size_t, Kind> kinds;
    const auto& instances = inquiry.instances();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto [entry, isNew] = kinds.try_emplace(inquiry.kindOf(i));
        Kind& kind = entry->second;
        if (isNew || instances[i].duration() > instances[kind.longest].duration()) kind.longest = i;
        ++kind.instances;
        kind.time += instances[i].duration();
        if (!instances[i].isCollective() || !instances[i].completing.empty()) kind.inCalls.reset();
        if (kind.inCalls)
            for (const std::optional<traces::TimeSpan>& stay : instances[i].stays)
                if (stay) *kind.inCalls += stay->end - stay->begin;
        kind.communicators.insert(instances[i].communicatorNumber);
    }
    std::vector<Kind> sorted;
    for (const auto& [key, kind] : kinds) sorted.push_back(kind);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Kind& a, const Kind& b) { return a.time > b.time; });
    return sorted;
}

/// "Allgatherv of 30 ranks, 92.2 KiB in all: 41 ms"; with several "in the longest of 12".
std::string whatHappened(Inquiry& inquiry, const Kind& kind) {
    const Instance& instance = inquiry.instances()[kind.longest];
    const IdentifiedPtr known = inquiry.identified(kind.longest);
    std::string words = instance.isCollective() ? instance.operation : "messages";
    words[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(words[0])));
    words += text(instance.isCollective() ? " of " : " among ",
                  counted(static_cast<std::int64_t>(instance.ranks.size()), "rank"));
    if (kind.communicators.size() > 1) words += text(" (", kind.communicators.size(), " communicators)");
    else if (instance.communicator != "world" && instance.communicator != "MPI_COMM_WORLD")
        words += text(" (", instance.communicator, ")");
    if (kind.instances > 1)
        words +=
            text(", ", kind.instances, " times, ",
                 kind.inCalls ? text(showTime(*kind.inCalls), " summed over ranks")
                              : text(showTime(kind.time), " in total from first entry to last exit"),
                 ", the longest ", showTime(instance.duration()), kind.inCalls ? " from first entry to last exit" : "");
    // Of a part of our own runs, times are those of the whole run.
    else if (!inquiry.trace().own() || inquiry.wish().asksForAll())
        words += text(" took ", showTime(instance.duration()));
    if (instance.hasMessages)
        words += text(": ", counted(instance.messageCount, "message"), " in ", counted(instance.rounds, "round"),
                      instance.hasRounds ? "" : " (recovered)", ", ", showBytes(instance.bytes));
    else
        words += text(instance.bytes > 0
                          ? text(", ", showBytes(instance.bytes), " received", kind.instances > 1 ? " each time" : "")
                          : "",
                      "; its messages were not recorded");
    words += ".";
    std::vector<std::string> sure;
    for (const Recognition& one : known->found)
        if (!known->planRecorded && one.confidence == known->found.front().confidence && known->plan)
            if (std::string name = wordsOf(one.plan); std::ranges::find(sure, name) == sure.end())
                sure.push_back(std::move(name));
    if (known->planRecorded) words += text(" The algorithm is ", wordsOf(*known->plan), ".");
    else if (!sure.empty())
        words += text(known->confidence() >= 1 ? " Its messages are those of " : " They look most like ", listed(sure),
                      known->confidence() >= 1 ? "." : text(", ", percent(known->confidence()), " alike."));
    return words;
}

/// For each kind, the rank that moves far more bytes than the others, where the operation allows that; else empty.
std::vector<std::string> unevenWordsOf(Inquiry& inquiry, std::span<const Kind> kinds) {
    std::vector<std::string> words(kinds.size());
    const Trace& trace = inquiry.trace();
    if (!trace.recording || trace.own()) return words;
    std::optional<std::vector<Amounts>> all;
    std::set<const Amounts*> reported;  // several kinds may belong to the same amounts
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const Instance& instance = inquiry.instances()[kinds[k].longest];
        if (!instance.isCollective()) continue;
        const auto operation = std::ranges::find(unevenOperations, instance.operation, traces::nameOf);
        if (operation == unevenOperations.end()) continue;
        if (!all) all = amountsOf(*trace.recording, inquiry.selection(), inquiry.progress());
        for (const Amounts& one : *all)
            if (one.operation == *operation && one.communicator == instance.communicatorNumber)
                if (reported.insert(&one).second) words[k] = unevenWords(one);
    }
    return words;
}

std::string costWords(const engine::Model& model) {
    return model.logGP ? "L, o, g and G"
                       : text("alpha ", showTime(model.alpha), " and beta ", engine::showRate(model.beta));
}

/// Of alpha and beta: "fitted". Those that virtual time itself went by are nobody's record.
std::string originWords(Inquiry& inquiry) {
    const bool isVirtual = inquiry.trace().own() && inquiry.trace().report.run->setting.on == "virtual";
    return isVirtual && inquiry.modelOrigin() == "recorded" ? "the run's" : inquiry.modelOrigin();
}

/// What emulations for advice take for granted.
std::string conditionWords(Inquiry& inquiry) {
    return text(costWords(*inquiry.model()),
                inquiry.topologyOrigin() == "given" ? text(" on network ", inquiry.topology()) : "");
}

/// "It took 4.2 times its unsegmented lower bound, 9.8 ms: extra rounds 2 ms, waiting 20 ms."
std::string aboveBound(Inquiry& inquiry, std::size_t index) {
    const IdentifiedPtr known = inquiry.identified(index);
    const Instance& instance = inquiry.instances()[index];
    if (!known->problem && !instance.isCollective() && instance.messageCount == 1) return {};
    if (!known->problem) return text("No bound and no advice: ", known->whyNoProblem, ".");
    const auto gap = gapOf(inquiry, index);
    if (!gap) return {};
    const Picoseconds duration = inquiry.instances()[index].duration();
    const std::string bound = text(nameOfBound(gap->blocks), ", ", showTime(gap->bound));
    if (duration == gap->bound) return text("It is as fast as its ", bound, ".");
    std::string words =
        duration < gap->bound
            ? text("It is faster than its ", bound, ", that ", costWords(*inquiry.model()),
                   " allow: they are not those of this machine")
            : text("It took ",
                   gap->bound.count() > 0
                       ? text(showNumber(
                                  static_cast<double>(duration.count()) / static_cast<double>(gap->bound.count()), 3),
                              " times ")
                       : "more than ",
                   "its ", bound);
    std::vector<std::pair<Picoseconds, std::string_view>> causes;
    if (gap->parts)
        for (const GapCause& cause : gapCauses) causes.emplace_back((*gap->parts).*cause.time, cause.word);
    std::stable_sort(causes.begin(), causes.end(), [](const auto& a, const auto& b) {
        return std::abs(a.first.count()) > std::abs(b.first.count());
    });
    std::vector<std::string> parts;
    for (const auto& [time, cause] : causes)
        if (time.count() != 0) parts.push_back(text(showTime(time), " of ", cause));
    words += parts.empty() ? "." : text(": ", listed(parts), ".");
    const std::string forced = networkForcesInWords(inquiry, *known);
    return forced.empty() ? words : words + ' ' + forced;
}

/// Why an emulation says nothing of an instance; empty where it may.
std::string whyNoAdvice(Inquiry& inquiry, const Advice& one) {
    constexpr double most = 0.5;
    if (const auto& fit = inquiry.fit(); inquiry.modelOrigin() == "fitted" && fit->deviation >= most)
        return text("half of the messages are ", percent(fit->deviation),
                    " or more away from the line of alpha and beta, as where ranks share processors");
    if (const auto deviation = one.deviation(); deviation && std::abs(*deviation) > most)
        return text("its own algorithm takes ", showTime(*one.again), " with ", conditionWords(inquiry), ", ",
                    percent(std::abs(*deviation)), *deviation < 0 ? " less" : " more",
                    " than it took: it is something else that took the time");
    return {};
}

/// "2 % less than it took".
std::string besideItself(double deviation) {
    if (deviation == 0) return "as long as it took";
    return text(percent(std::abs(deviation)), deviation < 0 ? " less" : " more", " than it took");
}

/// Why an alternative can take less than a bound; empty where it does not.
std::string belowBound(Inquiry& inquiry, const Advice& one, Picoseconds time) {
    const IdentifiedPtr known = inquiry.identified(one.first);
    const Limits limits = limitsOf(inquiry, *known);
    if (!limits.held().time || time >= *limits.held().time) return {};
    const std::string below = text("; that is less than its ", nameOfBound(limits.blocks));
    if (limits.atWill.time && time >= *limits.atWill.time)
        return text(below, ", since blocks are cut: ", cuttingInWords(limits));
    return limits.neighbours ? text(below, ", since not only neighbours send to each other") : std::string{};
}

/// What an emulation takes for granted, then what it says.
std::string adviceWords(Inquiry& inquiry, const Advice& one) {
    if (const std::string why = whyNoAdvice(inquiry, one); !why.empty()) return text("No advice: ", why, ".");
    const Alternative& best = one.alternatives->ranked.front();
    const double factor = one.factor(best.time);
    const std::string trust = one.deviation() ? text(" Its own algorithm, emulated alike, takes ", showTime(*one.again),
                                                     ", ", besideItself(*one.deviation()), ".")
                                              : " Its own algorithm is not known, so nothing says how near that is.";
    if (factor < 1.005) return text("Nothing in the catalogue would have been faster.", trust);
    constexpr std::size_t mostNamed = 4;
    std::vector<std::string> equals;
    for (const Alternative& other : one.alternatives->ranked)
        if (other.time == best.time) equals.push_back(wordsOf(other.plan));
    if (const std::size_t more = equals.size() - std::min(equals.size(), mostNamed); more > 0) {
        equals.resize(mostNamed);
        equals.push_back(counted(static_cast<std::int64_t>(more), "other"));
    }
    std::string words = text(one.fromLastArrival ? "After the last rank has entered, and with " : "With ",
                             originWords(inquiry), " ", conditionWords(inquiry), ", ", listed(equals),
                             " would take about ", showTime(best.time), ", ", showNumber(factor, 3), " times as fast");
    words += belowBound(inquiry, one, best.time);
    if (one.instances > 1) words += text("; over the whole trace it would save ", showTime(one.saving(best.time)));
    return words + "." + trust;
}

/// Whether another tool recorded more of its program than calls of MPI.
bool tellsProgram(const Trace& trace) {
    if (!trace.recording || trace.own()) return false;
    const auto& regions = trace.recording->regions;
    return std::any_of(regions.begin(), regions.end(), [](const traces::Region& region) {
        return region.calls > 0 && (region.call == traces::Call::none || !region.place.empty());
    });
}

/// Whether causes of so many waits are worth the time of a first page: where the trace tells more of its program than
/// calls of MPI, or waits are few. Beyond that, the waits of some 10^8 calls, the table of causes has them.
bool tellsCauses(Inquiry& inquiry, std::size_t waits) {
    constexpr std::size_t mostWaits = 2'000'000, mostOfCalls = 100'000;
    const Trace& trace = inquiry.trace();
    if (!trace.recording || trace.own()) return false;
    return waits <= (tellsProgram(trace) ? mostWaits : mostOfCalls) && inquiry.callPaths() != nullptr;
}

/// What one thread made others wait, from one place: whatever that came to.
struct Culprit {
    Cause cause;  ///< the costliest; its time is that of all
    std::vector<std::string> kinds;
    bool isInferred = false;            ///< of one of its kinds: which rank the others waited for
    bool isComputed = true;             ///< waits of all its kinds follow from what ranks compute and transfer
    std::optional<Picoseconds> gain{};  ///< how much earlier the program would end without it; empty: not known
};
/// Its name, without a comma.
std::string inSentence(WaitKind kind) {
    return kind == WaitKind::wrongOrder ? "late sender in the wrong order" : std::string{name(kind)};
}
std::vector<Culprit> culpritsOf(const std::vector<Cause>& causes) {
    std::vector<Culprit> all;
    for (const Cause& cause : causes) {
        const bool computed = groupOf(cause.kind) != WaitGroup::windows && groupOf(cause.kind) != WaitGroup::threads &&
                              cause.kind != WaitKind::atSynchronisingCall;
        const auto same = std::find_if(all.begin(), all.end(), [&](const Culprit& one) {
            return one.cause.rank == cause.rank && one.cause.thread == cause.thread && one.cause.path == cause.path &&
                   one.cause.before == cause.before;
        });
        if (same == all.end()) {
            all.push_back({.cause = cause,
                           .kinds = {inSentence(cause.kind)},
                           .isInferred = isInferred(cause.kind),
                           .isComputed = computed});
            continue;
        }
        same->cause.time += cause.time;
        same->isInferred = same->isInferred || isInferred(cause.kind);
        same->isComputed = same->isComputed && computed;
        same->kinds.push_back(inSentence(cause.kind));
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Culprit& a, const Culprit& b) { return a.cause.time > b.cause.time; });
    return all;
}

/// "in main/assemble (19 ms late, 20 times, the longest at 309 ms)", "before MPI_Barrier (2 ms late, at 1 s)"; where
/// most delays are much shorter than the longest, "(30 ms late, at 309 ms; 20 times, median 17 us)".
std::string placeWords(const Cause& cause, const CallPaths& paths) {
    const bool before = cause.path == outsideOfCalls && cause.before != outsideOfCalls;
    const std::string words = (before ? "" : "in ") + nameOf(cause, paths);
    if (cause.delays == 0) return words;
    if (cause.trend.trend != Trend::none) {
        const bool alternates = cause.trend.trend == Trend::alternates;
        return text(words, " (lateness ", nameOf(cause.trend.trend), alternates ? " between about " : " from about ",
                    showTime(cause.trend.first), alternates ? " and " : " to ", showTime(cause.trend.last), " over ",
                    cause.delays, " delays, the longest at ", showTime(cause.begin), ")");
    }
    if (cause.varies())
        return text(words, " (", showTime(cause.longest), " late, at ", showTime(cause.begin), "; ", cause.delays,
                    " times, median ", showTime(cause.typical), ")");
    return text(words, " (", showTime(cause.typical), " late",
                cause.delays > 1 ? text(", ", cause.delays, " times, the longest") : ",", " at ", showTime(cause.begin),
                ")");
}

Threads threadsOf(const Trace& trace) {
    return trace.recording ? Threads{*trace.recording} : Threads{trace.report.run->ranks};
}

/// "rank 3", "rank 3, OMP thread 2,".
std::string whoseWords(Inquiry& inquiry, const Cause& cause) {
    if (cause.thread == 0) return text("rank ", cause.rank);
    const traces::Recording& recording = *inquiry.trace().recording;
    return text("rank ", cause.rank, ", ", nameOf(recording, Threads{recording}, cause.rank, cause.thread), ",");
}

/// What of a run of ours waiting is a part of, where they are one sum.
std::string stillWords(Inquiry& inquiry, Picoseconds waited) {
    const engine::Run& run = *inquiry.trace().report.run;
    if (!inquiry.trace().own() || !inquiry.wish().asksForAll() || attendanceInAll(run).wait != waited) return {};
    return text(" In total ranks were idle for ", percent(engine::stillShare(run)),
                " of the total rank time: ", stillInParts(run), ".");
}

/// Waiting below this share of the time of those who waited is not reported as a finding.
constexpr double significant = 0.01;

/// Whether a cause with this share of all waiting stands beside the costliest one.
bool isWorthNaming(double share, double waitedShare) { return share >= 0.05 && share * waitedShare >= significant; }

/// Below this share of the program's time a gain is none.
constexpr double gainful = 0.001;

double shareOfTime(Inquiry& inquiry, Picoseconds time) {
    const traces::TimeSpan span = inquiry.analysedSpan();
    return static_cast<double>(time.count()) /
           static_cast<double>(std::max<std::int64_t>(1, (span.end - span.begin).count()));
}

/// The costliest first, those of the rank with the costliest delays before all others; without those whose removal
/// alone would not let the program end earlier, unless that is so of all.
std::vector<Culprit> gainfulCulprits(Inquiry& inquiry, const WaitTotals& waits, double waitedShare) {
    if (!tellsCauses(inquiry, waits.waits)) return {};
    std::vector<Culprit> culprits = culpritsOf(sureCauses(inquiry.causes(), inquiry.trace().uncertainty()));
    const auto first = std::ranges::find_if(
        culprits, [&](const Culprit& one) { return one.cause.rank == waits.delays.front().origin; });
    if (first != culprits.end()) std::rotate(culprits.begin(), first, std::next(first));
    constexpr std::size_t mostTried = 6;
    std::size_t tried = 0;
    std::vector<Culprit> good;
    for (Culprit& one : culprits) {
        const double share = static_cast<double>(one.cause.time.count()) / static_cast<double>(waits.all().count());
        if (&one != &culprits.front() && !isWorthNaming(share, waitedShare)) continue;
        if (tried++ == mostTried) break;
        if (one.isComputed) one.gain = inquiry.gainWithout(one.cause);
        if (!one.gain || shareOfTime(inquiry, *one.gain) >= gainful) good.push_back(one);
    }
    if (good.empty()) return culprits;
    return good;
}

std::string gainWords(Inquiry& inquiry, const Culprit& culprit) {
    if (!culprit.gain) return {};
    const double share = shareOfTime(inquiry, *culprit.gain);
    if (share < gainful) return " Without this computation alone the program would not end earlier.";
    std::string words = text(" Without this computation the program would take up to ", showTime(*culprit.gain),
                             " less, ", percent(share), " of its time");
    // Others have to do what one rank no longer does.
    const std::int64_t ranks = inquiry.trace().recording->ranks;
    if (ranks > 1)
        words += text(", and up to ", showTime(*culprit.gain * (ranks - 1) / ranks),
                      " less if it were spread evenly over the ranks");
    return words + ".";
}

/// Who waited, and where that came from: the costliest cause, then up to two others that count. In a chain of ranks
/// that compute one after the other nobody is late.
std::vector<std::string> waitWords(Inquiry& inquiry, bool isChain) {
    const WaitTotals waits = inquiry.waitTotals();
    const std::vector<DelayRow>& delays = waits.delays;
    if (delays.empty()) return {};
    const Picoseconds total = waits.all();
    const Picoseconds forMessages = waits.forMessages();
    const Picoseconds inCollectives = waits.of(WaitGroup::collectives);
    const Picoseconds atWindows = waits.of(WaitGroup::windows);
    const Picoseconds ofThreads = waits.of(WaitGroup::threads);
    const auto shareOf = [&](Picoseconds time) {
        return static_cast<double>(time.count()) / static_cast<double>(total.count());
    };
    const bool threads = ofThreads.count() != 0;
    const auto all = static_cast<double>(
        timeOfWaiters(waits, threadsOf(inquiry.trace()), inquiry.wish().part, inquiry.analysedSpan()).count());
    const double waitedShare = all > 0 ? static_cast<double>(total.count()) / all : 0;
    if (waitedShare < significant)
        return {text("No significant wait states: ", threads ? "threads" : "ranks", " waited ", showTime(total), ", ",
                     percent(waitedShare), " of their time.", stillWords(inquiry, total))};
    std::vector<std::string> wherein;
    if (forMessages.count() != 0) wherein.push_back(text(showTime(forMessages), " for messages"));
    if (inCollectives.count() != 0) wherein.push_back(text(showTime(inCollectives), " in collectives"));
    if (atWindows.count() != 0) wherein.push_back(text(showTime(atWindows), " at windows"));
    if (threads) wherein.push_back(text(showTime(ofThreads), " of threads for each other"));
    std::string words = text(threads                    ? "Threads waited "
                             : forMessages == total     ? "Ranks waited for messages "
                             : wherein.size() > 1       ? "Ranks waited "
                             : atWindows == total       ? "Ranks waited at windows "
                             : forMessages.count() == 0 ? "Ranks waited in collectives "
                                                        : "Ranks waited ",
                             showTime(total), ", ", percent(waitedShare), " of their time");
    if (threads || wherein.size() > 1) words += text(": ", listed(wherein));
    if (isChain) return {words + "; they wait for each other in the chain above."};
    const std::vector<Culprit> culprits = gainfulCulprits(inquiry, waits, waitedShare);
    // Where nothing is known of causes, the rank is: its delays cost most.
    const auto isOf = [](engine::Rank rank) { return [rank](const DelayRow& row) { return row.origin == rank; }; };
    const auto chosen =
        culprits.empty() ? delays.end() : std::ranges::find_if(delays, isOf(culprits.front().cause.rank));
    const DelayRow& worst = chosen == delays.end() ? delays.front() : *chosen;
    words += text("; rank ", worst.origin, " caused ", percent(shareOf(worst.direct + worst.passedOn)), " of it");
    if (chosen != delays.end()) {
        const Cause& first = culprits.front().cause;
        words += text(2 * first.time >= worst.direct + worst.passedOn ? ", mostly " : ", partly ",
                      first.thread == 0 ? ""
                                        : text("its ",
                                               nameOf(*inquiry.trace().recording, Threads{*inquiry.trace().recording},
                                                      first.rank, first.thread),
                                               " "),
                      placeWords(first, *inquiry.callPaths()));
    }
    if (worst.passedOn.count() > 0)
        words += text(": ", showTime(worst.direct), " directly and ", showTime(worst.passedOn),
                      " through ranks that it had delayed");
    words += ".";
    if (chosen != delays.end()) words += gainWords(inquiry, culprits.front());
    std::vector<std::string> told{words + stillWords(inquiry, total)};
    constexpr std::size_t most = 3;
    bool inferred = chosen != delays.end() && culprits.front().isInferred;
    for (std::size_t i = 1; i < culprits.size() && told.size() < most; ++i) {
        const Culprit& other = culprits[i];
        const double its = shareOf(other.cause.time);
        if (!isWorthNaming(its, waitedShare)) continue;
        const std::string time = showTime(other.cause.time), share = percent(its),
                          whose = whoseWords(inquiry, other.cause),
                          where = placeWords(other.cause, *inquiry.callPaths());
        // Of the rank that was told of before, this is a part of what was told.
        told.push_back(
            (other.cause.rank == worst.origin
                 ? text("Of the waiting that ", whose, " caused, ", time, " (", share, " of all waiting) arose ", where)
                 : text("Rank", whose.substr(std::string_view{"rank"}.size()), " caused ", time, " (", share,
                        ") of the waiting, ", where)) +
            text(": ", listed(other.kinds), ".", gainWords(inquiry, other)));
        inferred = inferred || other.isInferred;
    }
    if (inferred) told.back() += text(" Which rank the others waited for is partly ", inferredWords, ".");
    return told;
}

std::string missingWords(Inquiry& inquiry) {
    std::vector<std::string> words = notRecordedInBrief(inquiry.trace());
    const std::string clocks = clockWords(inquiry.trace());  // stand before all else
    std::erase_if(words, [&](const std::string& clause) { return clocks.find(clause) != std::string::npos; });
    constexpr std::size_t most = 6;
    std::string all = engine::joined(std::span{words}.first(std::min(most, words.size())), "; ");
    if (words.size() > most)
        all += text("; and ", words.size() - most, " more (", engine::field::tables, " not-recorded)");
    if (all.empty()) return {};
    return text(inquiry.wish().asksForAll() ? "Limitations of this trace: " : "Limitations of the whole trace: ", all,
                ".");
}

/// Of a program that did not come to its end.
std::string standingWords(const Trace& trace) {
    if (!trace.recording || trace.own()) return {};
    const auto standing = trace.recording->properties.find(traces::own::standing);
    if (standing == trace.recording->properties.end()) return {};
    std::vector<std::string> parts;
    const std::vector<std::string> lines = engine::split(standing->second, '\n');
    // The first line says how many ranks there are.
    for (const std::string& line : std::span{lines}.subspan(std::min<std::size_t>(1, lines.size()))) {
        std::string words;  // columns of a table, with one space between them
        for (const char c : line)
            if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
        if (words.empty()) continue;
        if (!line.starts_with(' ')) words += ":";
        const bool afterHead = !parts.empty() && parts.back().ends_with(':');
        if (afterHead) parts.back() += " " + words;
        else parts.push_back(std::move(words));
    }
    return text("The program did not come to its end. Where its ranks stand: ", engine::joined(parts, "; "), ".");
}

/// Arguments that disagree.
std::string mismatchWords(Inquiry& inquiry) {
    const Trace& trace = inquiry.trace();
    if (!trace.recording || trace.own()) return {};
    const std::vector<Mismatch> all = mismatchesOf(*trace.recording, inquiry.selection());
    if (all.empty()) return {};
    const Mismatch& first = all.front();
    return text("Arguments disagree between ranks",
                all.size() > 1 ? text(" in ", all.size(), " places, first in ") : std::string{" in "},
                first.operation.empty() ? "" : first.operation + ", ", "call ", first.call, " of ",
                communicatorName(*trace.recording, first.communicator), " at ", showTime(first.begin), ": ",
                first.sentence(), ". See ", engine::field::tables, " mismatches.");
}

/// MPI calls that returned an error.
std::string errorWords(Inquiry& inquiry) {
    const Trace& trace = inquiry.trace();
    if (!trace.recording || trace.own()) return {};
    const std::vector<CallError> errors = callErrors(*trace.recording, inquiry.selection());
    if (errors.empty()) return {};
    const CallError& first = errors.front();
    const std::string call =
        text(trace.recording->regions[engine::asSize(first.region)].title(), " of rank ", first.rank);
    return text(errors.size() == 1 ? std::string{} : text("MPI calls returned ", errors.size(), " errors. First, "),
                call, " returned ", first.errorClass, " at ", showTime(first.begin), ". See ", engine::field::tables,
                " errors.");
}

/// The chain of ranks that compute one after the other, of a program that is limited by serialization.
std::optional<SerialChain> serializationOf(Inquiry& inquiry) {
    const std::optional<Efficiency>& its = inquiry.efficiency();
    constexpr double serial = 0.8;
    if (!its || !its->idealTime || its->contradictsItself() || its->limitedBy() != "serialization efficiency" ||
        its->serialization() >= serial)
        return std::nullopt;
    return serialChainOf(criticalPath(*inquiry.trace().recording, inquiry.blockingCalls(), inquiry.analysedSpan()),
                         inquiry.trace().recording->ranks);
}

/// The call path with the most time in MPI that is no waiting; empty where none has a tenth of it.
std::string transferWords(Inquiry& inquiry) {
    if (inquiry.callPaths() == nullptr) return {};
    const CallPaths& paths = *inquiry.callPaths();
    const CallProfile profile{
        paths, inquiry.selection(), inquiry.waits(), {.report = {}, .stop = inquiry.progress().stop}};
    Picoseconds all{}, most{};
    PathId longest = outsideOfCalls;
    for (PathId path = 0; path < profile.paths().size(); ++path) {
        const std::int32_t region = path == outsideOfCalls ? traces::noIndex : paths[path].region;
        if (region == traces::noIndex) continue;
        const traces::Region& its = paths.recording().regions[engine::asSize(region)];
        if (!isMpiCall(its) || its.call == traces::Call::setup) continue;
        const Picoseconds time = profile.paths()[path].own - profile.paths()[path].waiting;
        all += time;
        if (time > most) most = time, longest = path;
    }
    if (10 * most < all || most.count() <= 0) return {};
    const traces::Region& its = paths.recording().regions[engine::asSize(paths[longest].region)];
    return text(activityOf(its) == Activity::inputOutput ? " File access: " : " Transfer: ",
                percent(static_cast<double>(most.count()) / static_cast<double>(all.count())),
                " of the time in MPI without waiting is in ", paths.name(longest), ".");
}

/// Parallel efficiency and its factors.
std::string efficiencyWords(Inquiry& inquiry, const std::optional<SerialChain>& chain) {
    const std::optional<Efficiency>& its = inquiry.efficiency();
    if (!its) return {};
    if (its->contradictsItself())
        return text("Parallel efficiency is not known: the clocks of ranks contradict each other. See ",
                    engine::field::tables, " efficiency.");
    std::vector<std::string> factors{text("load balance ", percent(its->loadBalance()))};
    if (its->idealTime) {
        factors.push_back(text("serialization efficiency ", percent(its->serialization())));
        factors.push_back(text("transfer efficiency ", percent(its->transfer())));
    } else {
        factors.push_back(text("communication efficiency ", percent(its->communication())));
    }
    std::string words = text("Parallel efficiency", inquiry.wish().inThisPart(), " is ", percent(its->parallel()),
                             its->isGood() ? "" : text(", limited by ", its->limitedBy()), ": ", listed(factors), ".");
    if (chain) words += text(" Serialization: ", inWords(*chain), ".");
    if (!its->isGood() && its->limitedBy() == "transfer efficiency") words += transferWords(inquiry);
    return words;
}

/// Of a program with more ranks than processors.
std::string sharingWords(const Trace& trace) {
    if (!trace.recording || trace.own()) return {};
    const auto sharing = trace.recording->properties.find(traces::own::sharing);
    if (sharing == trace.recording->properties.end()) return {};
    std::vector<std::string> hosts = engine::split(sharing->second, '\n');
    constexpr std::size_t most = 3;
    const std::size_t all = hosts.size();
    hosts.resize(std::min(all, most));
    if (all > most) hosts.push_back(text(all - most, " more hosts"));
    return text("Waiting times include waiting for a processor: ", engine::joined(hosts, "; "), ".");
}

/// What stands in front of all others: times of a trace whose clocks disagree mean little.
std::vector<std::string> cautions(Inquiry& inquiry) {
    std::vector<std::string> words;
    if (const std::string clocks = clockWords(inquiry.trace()); !clocks.empty())
        words.push_back(text("Take care, ", clocks, "."));
    if (inquiry.isCut())
        words.push_back(text("Only what begins before ", engine::showTime(inquiry.span().end),
                             " is looked at here, as far as ", engine::field::memory,
                             " has room; choose other times with ", engine::field::from, " and ", engine::field::to,
                             "."));
    return words;
}

/// Where alpha and beta come from, or why there are none.
std::string modelSentence(Inquiry& inquiry) {
    const auto model = inquiry.model();
    if (!model)
        return text("No lower bounds in time and no advice: ", inquiry.whyNoFit(), "; give ", engine::field::alpha,
                    " and ", engine::field::beta, ".");
    if (model->logGP) return "The model recorded is LogGP: of its bounds the causes of what is above are not known.";
    std::string words = text("Alpha ", showTime(model->alpha), " and beta ", engine::showRate(model->beta), " are ",
                             originWords(inquiry));
    if (inquiry.modelOrigin() == "fitted")
        words +=
            text(": 95 % within ", showTime(inquiry.fit()->alphaLow), " to ", showTime(inquiry.fit()->alphaHigh),
                 " and ", engine::showRate(inquiry.fit()->betaLow), " to ", engine::showRate(inquiry.fit()->betaHigh),
                 "; half of the messages are within ", percent(inquiry.fit()->deviation), " of that line");
    return words + ".";
}

}  // namespace

std::vector<std::string> firstPage(Inquiry& inquiry, Afterwards afterwards) {
    if (inquiry.trace().recording && traces::isTraining(*inquiry.trace().recording)) return trainingPage(inquiry);
    constexpr std::size_t most = 7, mostKinds = 4;
    std::vector<std::string> page = cautions(inquiry);
    if (afterwards == Afterwards::over) {
        inquiry.leaveMessagesOut();
        // Where causes are shown for all but very many waits, these are kept for them.
        if (!tellsProgram(inquiry.trace())) inquiry.addUpWaits();
    }
    const std::vector<Kind> kinds = kindsOf(inquiry);
    std::set<std::size_t> told;
    std::set<std::size_t> longest;
    for (std::size_t k = 0; k < std::min(mostKinds, kinds.size()); ++k) {
        told.insert(inquiry.kindOf(kinds[k].longest));
        longest.insert(kinds[k].longest);
    }
    inquiry.bringMessages(longest);
    const std::vector<Advice> advised = analysis::advice(inquiry, told);
    std::vector<Overlap> overlaps;
    if (inquiry.trace().recording && !inquiry.trace().own())
        overlaps = overlapsOf(*inquiry.trace().recording, inquiry.instances());
    std::vector<std::string> happened;
    if (kinds.empty() && inquiry.waitTotals().waits > 0)
        happened.push_back(text("No collectives and no messages were recorded", inquiry.wish().inThisPart(), "."));
    else if (kinds.empty())
        happened.push_back(text("Nothing that ranks did together was recorded", inquiry.wish().inThisPart(), "."));
    const std::vector<std::string> uneven =
        unevenWordsOf(inquiry, std::span{kinds}.first(std::min(mostKinds, kinds.size())));
    for (std::size_t k = 0; k < std::min(mostKinds, kinds.size()); ++k) {
        std::string& words = happened.emplace_back(whatHappened(inquiry, kinds[k]));
        if (!uneven[k].empty()) words += " " + uneven[k];
        words += overlapInWords(overlaps, inquiry.instances(), inquiry.instances()[kinds[k].longest].operation);
        if (const std::string above = aboveBound(inquiry, kinds[k].longest); !above.empty()) words += " " + above;
        for (const Advice& one : advised)
            if (inquiry.kindOf(one.first) == inquiry.kindOf(kinds[k].longest)) words += " " + adviceWords(inquiry, one);
    }
    const std::optional<SerialChain> chain = serializationOf(inquiry);
    std::vector<std::string> waited = waitWords(inquiry, chain.has_value());
    std::vector<std::string> last;
    if (inquiry.model() || !kinds.empty()) last.push_back(modelSentence(inquiry));
    if (std::string missing = missingWords(inquiry); !missing.empty()) last.push_back(std::move(missing));

    // What was waited for stands first, but leaves room for what was done.
    const std::size_t room = most - page.size() - last.size();
    const std::size_t ofKinds = std::min(happened.size(), std::max(room - std::min(room, waited.size()), room / 2));
    happened.resize(ofKinds);
    waited.resize(std::min(waited.size(), room - ofKinds));
    if (const std::size_t others = kinds.size() - std::min(kinds.size(), ofKinds); others > 0)
        happened.back() +=
            text(" And ", counted(static_cast<std::int64_t>(others), "other kind"), " of instances, shorter in all.");
    // A program that is wrong, or hangs, has no other trouble that counts.
    std::size_t first = 0;
    for (std::string& words : std::vector<std::string>{standingWords(inquiry.trace()), mismatchWords(inquiry),
                                                       errorWords(inquiry), sharingWords(inquiry.trace())})
        if (!words.empty()) page.insert(page.begin() + static_cast<std::ptrdiff_t>(first++), std::move(words));
    if (std::string words = efficiencyWords(inquiry, chain); !words.empty())
        page.insert(page.begin() + static_cast<std::ptrdiff_t>(first), std::move(words));
    // Of a run of ours, which is one collective, that comes first.
    if (inquiry.trace().own()) std::swap(waited, happened);
    for (std::vector<std::string>* part : {&waited, &happened, &last})
        std::move(part->begin(), part->end(), std::back_inserter(page));
    return page;
}

}  // namespace app::analysis
