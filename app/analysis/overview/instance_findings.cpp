// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/instance_findings.hpp"

#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/findings/algorithm_advice.hpp"
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/schedule/message_pattern.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "engine/base/median.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::showBytes;
using engine::showNumber;
using engine::showTime;
using engine::text;

namespace {

/// "Allgatherv of 30 ranks", "Point-to-point messages among 4 ranks (2 communicators)"; where ranks are selected,
/// "Allgatherv of 30 ranks (4 selected)", "Point-to-point messages among 4 of 30 ranks". With a `distinction`,
/// "Allreduce (max) of 4 ranks".
std::string subjectWords(const Instance& instance, const InstanceGroup& kind, const Part& part,
                         std::string_view distinction) {
    std::string words = engine::capitalised(instance.isCollective() ? instance.operation : "point-to-point messages");
    if (!distinction.empty()) words += text(" (", distinction, ")");
    const auto selected = std::ranges::count_if(instance.ranks, [&](engine::Rank rank) { return part.has(rank); });
    const bool isAll = selected == std::ssize(instance.ranks);
    words += text(instance.isCollective() ? " of " : " among ",
                  isAll || instance.isCollective() ? "" : text(selected, " of "),
                  counted(static_cast<std::int64_t>(instance.ranks.size()), "rank"),
                  isAll || !instance.isCollective() ? "" : text(" (", selected, " selected)"));
    if (kind.communicators.size() > 1) words += text(" (", kind.communicators.size(), " communicators)");
    else if (instance.communicator != "world" && instance.communicator != "MPI_COMM_WORLD")
        words += text(" (", instance.communicator, ")");
    return words;
}

/// " took 41 ms"; of several ", 20 times, 151 ms summed over ranks; from first entry to last exit ...". Where members
/// of the kind `mayDiffer` there is no median.
std::string timeWords(const Instance& typical, const InstanceGroup& kind, bool mayDiffer, bool isPart) {
    const std::string cut = kind.analysed == kind.longest
                                ? ""
                                : text(" (", showTime(kind.analysed), " of it ",
                                       isPart ? "in the selected time" : "between MPI_Init and MPI_Finalize", ")");
    if (kind.instances == 1) return text(" took ", showTime(kind.longest), cut);
    const std::string times = mayDiffer
                                  ? text("the longest takes ", showTime(kind.longest), cut)
                                  : text("median ", showTime(kind.median), ", longest ", showTime(kind.longest), cut);
    if (!kind.inCalls && typical.isCollective())
        return text(", ", kind.instances, " times, whose durations add up to ", showTime(kind.time), "; ", times);
    if (!kind.inCalls)
        return text(": ", kind.instances, " exchanges, whose durations add up to ", showTime(kind.time),
                    " (they may overlap); ", times);
    return text(", ", kind.instances, " times, ", showTime(*kind.inCalls),
                " summed over ranks; from first entry to last exit: ", times);
}

/// ": 30 messages in 5 rounds, 2 MiB"; of collectives without messages what ranks received. `isInside`: messages inside
/// of collectives are recorded, so that one of no data has none.
std::string messageWords(const Instance& typical, const InstanceGroup& kind, bool mayDiffer, bool isInside) {
    const bool several = kind.instances > 1;
    if (mayDiffer && several)
        return text("; ", counted(kind.messages, "message"), ", ", showBytes(kind.bytes), " in total");
    if (typical.hasMessages)
        return text(several ? (typical.isCollective() ? ". Each call sends " : ". Each exchange has ") : ": ",
                    counted(typical.messageCount, "message"), " in ", counted(typical.rounds, "round"),
                    typical.hasRounds ? "" : " (reconstructed)", ", ",
                    showBytes(typical.isCollective() && typical.run ? typical.run->byteCount : typical.bytes),
                    " in total");
    if (isInside && typical.bytes == 0 && !typical.isBarrier()) return "; it moves no data";
    const std::string received =
        typical.bytes > 0 ? text(", ", showBytes(typical.bytes), " received by its ranks", several ? " each time" : "")
                          : "";
    return received + "; its messages were not recorded";
}

/// "ran allreduce_intra_ring"; of several functions "entered allreduce_intra_ring and then, within it or after it,
/// allreduce_intra_recursivedoubling".
std::string inOrderWords(const std::string& functions) {
    std::vector<std::string> names;
    for (std::string_view name : engine::split(functions, '+')) {
        while (name.starts_with(' ')) name.remove_prefix(1);
        while (name.ends_with(' ')) name.remove_suffix(1);
        names.emplace_back(name);
    }
    if (names.size() == 1) return "ran " + names.front();
    const std::vector<std::string> later(names.begin() + 1, names.end());
    return text("entered ", names.front(), " and then, within it or after it, ", listed(later));
}

/// What the messages of an instance form, by their ends alone.
MessagePattern patternIn(TraceAnalysis& analysis, const Instance& instance) {
    std::vector<Ends> ends;
    if (instance.run) {
        for (std::size_t i = 0; i < instance.run->messages.size(); ++i)
            ends.push_back({instance.run->messages[i].from, instance.run->messages[i].to});
    } else if (const traces::Recording* const recording = analysis.trace().recording.get()) {
        std::map<engine::Rank, engine::Rank> place;
        for (std::size_t i = 0; i < instance.ranks.size(); ++i)
            place[instance.ranks[i]] = engine::Rank{static_cast<std::int32_t>(i)};
        for (const std::uint32_t i : instance.leftOut)
            ends.push_back({place[recording->messages.from[i]], place[recording->messages.to[i]]});
    }
    return patternOf(std::move(ends), instance.rankCount());
}

/// " The library ran ... The messages match those of ...": what is known of the algorithm, each in a sentence.
std::string algorithmWords(TraceAnalysis& analysis, std::size_t index) {
    const Instance& instance = analysis.instances()[index];
    const IdentifiedPtr its = analysis.identified(index);
    const Identified& known = *its;
    if (known.planRecorded) return text(" The algorithm is ", wordsOf(*known.plan), ".");
    if (!instance.isCollective() && !known.plan)
        if (const std::string pattern = inWords(patternIn(analysis, instance)); !pattern.empty())
            return text(" The messages form ", pattern, ".");
    // What the library says that it ran needs no guess.
    std::string words = instance.ofLibrary.empty() ? "" : text(" The library ", inOrderWords(instance.ofLibrary), ".");
    std::vector<std::string> likeliest;
    if (const std::optional<LibraryUse> use = usedInUnmatched(analysis, index)) {
        if (use->catalogue.empty()) return words;
        if (use->differs.empty()) return words + text(" The messages are those of ", use->catalogue, ".");
        return words + text(" The messages are closest to those of ", use->catalogue, " (", use->differs, ").");
    }
    for (const Recognition& one : known.found)
        if (known.plan && one.confidence == known.found.front().confidence)
            if (std::string name = wordsOf(one.plan); std::ranges::find(likeliest, name) == likeliest.end())
                likeliest.push_back(std::move(name));
    if (likeliest.empty()) return words;
    if (known.confidence() >= 1) return words + text(" The messages match those of ", listed(likeliest), ".");
    return words + text(" The messages are most similar to those of ", listed(likeliest), " (",
                        percent(known.confidence()), " in common).");
}

std::string instanceWords(TraceAnalysis& analysis, const InstanceGroup& kind, std::string_view distinction) {
    const Instance& typical = analysis.instances()[kind.typical];
    const IdentifiedPtr known = analysis.identified(kind.typical);
    const bool mayDiffer = !known->problem && !typical.isCollective();
    const std::string* const inside = analysis.trace().propertyOfProgram(traces::own::inside);
    const bool isInside = inside != nullptr && inside->starts_with("yes");
    // Of a part of our own runs, times are those of the whole run.
    const bool hasTime = kind.instances > 1 || !analysis.trace().isCollscopeRun() || analysis.wish().asksForAll();
    return text(subjectWords(typical, kind, analysis.wish().part, distinction),
                hasTime ? timeWords(typical, kind, mayDiffer, !analysis.wish().asksForAll()) : "",
                messageWords(typical, kind, mayDiffer, isInside), ".", algorithmWords(analysis, kind.typical));
}

/// For each kind, the operation by which it combines and its root, where others of as many bytes on as many ranks
/// differ in it: "max", "root 1", "max, root 1"; else empty.
std::vector<std::string> distinctionsOf(TraceAnalysis& analysis, std::span<const InstanceGroup> kinds) {
    using Alike = std::tuple<std::string, std::int32_t, engine::Bytes>;
    std::map<Alike, std::set<std::string>> operations, roots;
    const auto of = [&](const InstanceGroup& kind) -> Alike {
        const Instance& its = analysis.instances()[kind.typical];
        return {its.operation, its.rankCount(), its.bytes};
    };
    const auto problemOf = [&](const InstanceGroup& kind) {
        const IdentifiedPtr known = analysis.identified(kind.typical);
        return known->problem && analysis.instances()[kind.typical].isCollective() ? known->problem : std::nullopt;
    };
    const auto operationOf = [&](const InstanceGroup& kind) {
        const auto problem = problemOf(kind);
        return problem && engine::combinesVectors(problem->collective) ? std::string{engine::name(problem->operation)}
                                                                       : std::string{};
    };
    // The instances of a kind whose problem is unknown may have several roots.
    const auto rootOf = [&](const InstanceGroup& kind) {
        const Instance& its = analysis.instances()[kind.typical];
        return problemOf(kind) && its.root && its.root->index() < its.ranks.size()
                   ? text("root ", its.ranks[its.root->index()])
                   : std::string{};
    };
    for (const InstanceGroup& kind : kinds) {
        if (const std::string name = operationOf(kind); !name.empty()) operations[of(kind)].insert(name);
        if (const std::string root = rootOf(kind); !root.empty()) roots[of(kind)].insert(root);
    }
    std::vector<std::string> distinctions;
    for (const InstanceGroup& kind : kinds) {
        const std::string operation = operations[of(kind)].size() > 1 ? operationOf(kind) : std::string{},
                          root = roots[of(kind)].size() > 1 ? rootOf(kind) : std::string{};
        distinctions.push_back(text(operation, operation.empty() || root.empty() ? "" : ", ", root));
    }
    return distinctions;
}

/// For each kind, the rank that moves far more bytes than the others, where the operation allows that; else empty.
std::vector<std::string> unevenWordsOf(TraceAnalysis& analysis, std::span<const InstanceGroup> kinds) {
    std::vector<std::string> words(kinds.size());
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return words;
    std::optional<std::vector<Amounts>> all;
    std::set<const Amounts*> reported;  // several kinds may belong to the same amounts
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const Instance& instance = analysis.instances()[kinds[k].typical];
        if (!instance.isCollective()) continue;
        const auto operation = std::ranges::find(unevenOperations, instance.operation, traces::nameOf);
        if (operation == unevenOperations.end()) continue;
        if (!all) all = amountsOf(*trace.recording, analysis.selection(), analysis.progress());
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

bool isVirtual(const TraceAnalysis& analysis) {
    return analysis.trace().isCollscopeRun() && analysis.trace().report.run->setting.on == "virtual";
}

/// Of alpha and beta: "fitted". Those that virtual time itself went by are nobody's record.
std::string originWords(TraceAnalysis& analysis) {
    return isVirtual(analysis) && analysis.modelOrigin() == "recorded" ? "the run's" : analysis.modelOrigin();
}

/// What emulations for advice take for granted.
std::string conditionWords(TraceAnalysis& analysis) {
    return text(costWords(*analysis.model()),
                analysis.topologyOrigin() == "given" ? text(" on network ", analysis.topology()) : "");
}

/// "It took 4.2 times its one-block lower bound, 9.8 ms: extra startups 2 ms, waiting 20 ms."
std::string aboveBound(TraceAnalysis& analysis, std::size_t index, std::int64_t instances,
                       const std::optional<InstanceGap>& gap) {
    const IdentifiedPtr known = analysis.identified(index);
    const Instance& instance = analysis.instances()[index];
    if (!known->problem && !instance.isCollective() && instance.messageCount == 1) return {};
    if (!known->problem)
        return text("No lower bound is given, and no faster algorithm can be named: ", known->whyNoProblem, ".");
    if (!gap) return {};
    const bool own = analysis.trace().isCollscopeRun();
    const Picoseconds duration = instance.duration();
    const std::string bound = text(nameOfBound(gap->blocks), ", ", showTime(gap->bound));
    if (duration == gap->bound)
        return text(instances == 1 ? "It" : "The call closest to the median", " is as fast as its ", bound, ".");
    // Of a program, ranks come late for reasons of their own: what is compared is the rest.
    const Picoseconds waited = !own && gap->parts ? std::max(gap->parts->waiting, Picoseconds{}) : Picoseconds{};
    const Picoseconds rest = duration - waited;
    const std::string factor =
        gap->bound.count() > 0 ? text(showNumber(ratio(rest, gap->bound), 3), " times ") : "more than ";
    // Of an even number of calls the median is the duration of none.
    const std::string one = instances == 1 ? "It" : "The call closest to the median";
    std::string words;
    if (duration < gap->bound)
        words = text("It is faster than its ", bound, ", so ", costWords(*analysis.model()),
                     " are not those of this machine");
    else if (waited.count() > 0 && rest < gap->bound)
        return text(one, " took ", showTime(duration), ": ranks waited for each other for ", showTime(waited),
                    ", while other ranks transferred. Its ", nameOfBound(gap->blocks), " is ", showTime(gap->bound),
                    '.');
    else if (waited.count() > 0)
        words = text(one, " took ", showTime(duration), ": ranks waited for each other for ", showTime(waited),
                     ", and the other ", showTime(rest), " are ", factor, "its ", bound);
    else words = text(one, " took ", instances == 1 ? "" : text(showTime(duration), ", "), factor, "its ", bound);
    std::vector<std::pair<Picoseconds, const GapCause*>> causes;
    if (gap->parts)
        for (const GapCause& cause : gapCauses)
            if (waited.count() == 0 || cause.time != &Gap::waiting)
                causes.emplace_back((*gap->parts).*cause.time, &cause);
    std::ranges::stable_sort(causes, std::greater{}, [](const auto& part) { return std::abs(part.first.count()); });
    std::vector<std::string> parts;
    for (const auto& [time, cause] : causes) {
        // Which links were shared is known of our own runs alone.
        const Report& report = analysis.trace().report;
        const std::string_view word = own && report.gap                         ? nameOf(*cause, report)
                                      : !own && cause->time == &Gap::congestion ? "slow transfers"
                                                                                : cause->word;
        if (time.count() > 0) parts.push_back(text(showTime(time), " of ", word));
        if (time.count() < 0) parts.push_back(text("minus ", showTime(-time), " (", cause->gained, ")"));
    }
    words += parts.empty() || !gap->isSplit(own) ? "." : text(": ", listed(parts), ".");
    const std::string forced = networkForcesInWords(analysis, *known);
    return forced.empty() ? words : words + ' ' + forced;
}

/// "the measured 3 ms"; of several calls their mean.
std::string measuredWords(const Advice& one) {
    const std::string time = showTime(one.measured / std::max<std::int64_t>(one.instances, 1));
    if (one.instances <= 1 && !one.fromLastArrival) return "the measured " + time;
    return text("the measured ", time, " (", one.instances > 1 ? "mean" : "",
                one.instances > 1 && one.fromLastArrival ? " " : "",
                one.fromLastArrival ? "from the last entry on" : "", ")");
}

/// Why no emulation of an instance is reported; empty where one may be.
std::string whyNoAdvice(TraceAnalysis& analysis, const Advice& one) {
    if (one.own.empty()) return "its own algorithm is unknown, with which an emulation would be compared";
    if (!one.again) return "the schedule of its own algorithm is too long to be emulated";
    if (one.isExplained()) return {};
    const double deviation = *one.deviation();
    return text("with ", conditionWords(analysis), " its own algorithm would take ", showTime(*one.again),
                deviation < 0 ? ", much less than " : ", much more than ", measuredWords(one),
                ": the model does not explain the time");
}

/// "2% less than the measured 3 ms".
std::string besideItself(const Advice& one) {
    const double deviation = *one.deviation();
    if (deviation == 0) return "as long as measured";
    return text(percent(std::abs(deviation)), deviation < 0 ? " less" : " more", " than ", measuredWords(one));
}

/// Why an alternative can take less than a bound; empty where it does not.
std::string belowBound(TraceAnalysis& analysis, const Advice& one, Picoseconds time) {
    const IdentifiedPtr known = analysis.identified(one.first);
    const Limits limits = limitsOf(analysis, *known);
    if (!limits.held().time || time >= *limits.held().time) return {};
    const std::string below = text("; that is less than its ", nameOfBound(limits.blocks));
    if (limits.anyMessages.time && time >= *limits.anyMessages.time)
        return text(below, ", because its messages are not one block each: ", cuttingInWords(limits));
    return limits.neighbours ? text(below, ", since not only neighbours send to each other") : std::string{};
}

/// Conditions of an emulation, then its result.
std::string adviceWords(TraceAnalysis& analysis, const Advice& one) {
    if (const std::string why = whyNoAdvice(analysis, one); !why.empty())
        return text("No faster algorithm is suggested: ", why, ".");
    const Alternative& best = one.alternatives->ranked.front();
    const double factor = *one.factor(best.time);
    // A run in virtual time was emulated itself: that an emulation takes as long is no news.
    const bool isSame = isVirtual(analysis) && one.deviation() == 0;
    const std::string trust = one.deviation() && !isSame ? text(" An emulation of its own algorithm takes ",
                                                                showTime(*one.again), ", ", besideItself(one), ".")
                                                         : "";
    if (factor < gainfulFactor)
        return text("No algorithm of the catalogue would be faster by ", percent(gainfulFactor - 1), " or more.",
                    trust);
    constexpr std::size_t mostNamed = 4;
    std::vector<std::string> equals;
    for (const Alternative& other : one.alternatives->ranked)
        if (other.time == best.time) equals.push_back(wordsOf(other.plan));
    if (const std::size_t more = equals.size() - std::min(equals.size(), mostNamed); more > 0) {
        equals.resize(mostNamed);
        equals.push_back(counted(static_cast<std::int64_t>(more), "other"));
    }
    std::string words = text(one.fromLastArrival ? "After the last rank has entered, and with " : "With ",
                             originWords(analysis), " ", conditionWords(analysis), ", ", listed(equals),
                             " would take about ", showTime(best.time), ", ", showNumber(factor, 3), " times as fast");
    words += belowBound(analysis, one, best.time);
    if (one.instances > 1) words += text("; over the whole trace it would save ", showTime(*one.saving(best.time)));
    return words + "." + trust;
}

/// Of the typical instance of a kind, and of all of them.
std::vector<Fact> factsOf(TraceAnalysis& analysis, const InstanceGroup& kind, const std::optional<InstanceGap>& gap) {
    const Instance& its = analysis.instances()[kind.typical];
    const IdentifiedPtr known = analysis.identified(kind.typical);
    std::vector<Fact> facts{{"operation", engine::cell(its.operation)},
                            {"ranks", static_cast<std::int64_t>(its.ranks.size())},
                            {"communicators", static_cast<std::int64_t>(kind.communicators.size())},
                            {"instances", kind.instances}};
    // Of a part of our own runs, times are those of the whole run.
    if (!analysis.trace().isCollscopeRun() || analysis.wish().asksForAll()) {
        facts.push_back({"total_s", kind.time});
        facts.push_back({"duration_s", its.duration()});
        facts.push_back({"median_s", kind.median});
        facts.push_back({"longest_s", kind.longest});
        if (kind.inCalls) facts.push_back({"in_calls_s", *kind.inCalls});
    }
    if (its.hasMessages || its.bytes > 0) facts.push_back({"bytes", its.bytes});
    if (its.hasMessages) {
        facts.push_back({"messages", its.messageCount});
        facts.push_back({"rounds", its.rounds});
    }
    if (known->plan) {
        facts.push_back({"algorithm", engine::cell(wordsOf(*known->plan))});
        facts.push_back({"confidence_share", known->planRecorded ? 1 : known->confidence()});
    }
    if (!known->problem && !known->whyNoProblem.empty())
        facts.push_back({"why_no_bound", engine::cell(known->whyNoProblem)});
    if (!gap) return facts;
    facts.push_back({"bound_time_s", gap->bound});
    if (gap->bound.count() > 0) facts.push_back({"times_bound", ratio(its.duration(), gap->bound)});
    if (gap->isSplit(analysis.trace().isCollscopeRun()))
        for (const GapCause& cause : gapCauses) facts.push_back({text("gap_", cause.key), (*gap->parts).*cause.time});
    return facts;
}

void addAdvice(TraceAnalysis& analysis, const Advice& advice, Finding& finding) {
    finding.words += " " + adviceWords(analysis, advice);
    if (const std::string why = whyNoAdvice(analysis, advice); !why.empty()) {
        finding.facts.push_back({"why_no_advice", engine::cell(why)});
        return;
    }
    finding.facts.push_back({"own_emulated_s", *advice.again});
    if (advice.deviation()) finding.facts.push_back({"deviation_share", *advice.deviation()});
    const Alternative& best = advice.alternatives->ranked.front();
    if (*advice.factor(best.time) < gainfulFactor) return;
    finding.facts.push_back({"fastest", engine::cell(wordsOf(best.plan))});
    finding.facts.push_back({"fastest_s", best.time});
    finding.facts.push_back(
        {"fastest_from", engine::cell(std::string{advice.fromLastArrival ? "last entry" : "first entry"})});
    finding.facts.push_back({"factor", *advice.factor(best.time)});
    if (advice.instances > 1) finding.facts.push_back({"saving_s", *advice.saving(best.time)});
}

/// Where alpha and beta come from, or why there are none.
std::string modelSentence(TraceAnalysis& analysis) {
    const auto model = analysis.model();
    if (!model)
        return text("No lower bounds in time are given, and no faster algorithms can be named: ", analysis.whyNoModel(),
                    ". ",
                    analysis.fit() && analysis.trace().sharesProcessors()
                        ? text("Record again with a processor for each rank, or pass ", engine::field::alpha, " and ",
                               engine::field::beta, ".")
                        : text("Pass ", engine::field::alpha, " and ", engine::field::beta, "."));
    if (model->logGP) return "The recorded model is LogGP: the time above a lower bound is not split by cause.";
    std::string words = text("Alpha ", showTime(model->alpha), " and beta ", engine::showRate(model->beta), " are ",
                             originWords(analysis));
    if (analysis.modelOrigin() == "fitted")
        words += text(" (95% confidence ", showTime(analysis.fit()->alphaLow), " to ",
                      showTime(analysis.fit()->alphaHigh), " and ", engine::showRate(analysis.fit()->betaLow), " to ",
                      engine::showRate(analysis.fit()->betaHigh), "); the times of half of the messages are within ",
                      percent(analysis.fit()->deviation), " of the fitted line");
    return words + ".";
}

/// The overlaps of instances of the same kind as the one at `typical`.
std::vector<Overlap> ofKind(TraceAnalysis& analysis, std::size_t typical, const std::vector<Overlap>& overlaps) {
    std::vector<Overlap> its;
    for (const Overlap& one : overlaps)
        if (analysis.kindOf(one.instance) == analysis.kindOf(typical)) its.push_back(one);
    return its;
}

/// " The most time was spent in MPI_File_write_at_all: 40 calls, 1.2 s, 10 MiB written or sent."
std::string longestCallWords(TraceAnalysis& analysis) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return {};
    const std::vector<CallGroup> kinds = callGroups(*trace.recording, analysis.selection(), analysis.progress());
    if (kinds.empty()) return {};
    const CallGroup& most = kinds.front();
    return text(" The most time was spent in ", most.operation, ": ", counted(most.calls, "call"), ", ",
                showTime(most.time),
                most.sent > 0 ? text(", ", showBytes(most.sent), " written or sent") : std::string{},
                most.received > 0 ? text(", ", showBytes(most.received), " read or received") : std::string{}, ". See ",
                engine::field::tables, trace.recording->files.empty() ? " calls." : " calls,files.");
}

}  // namespace

std::vector<InstanceGroup> instanceGroups(TraceAnalysis& analysis) {
    std::map<std::size_t, InstanceGroup> kinds;
    std::map<std::size_t, std::vector<std::size_t>> members;
    const auto& instances = analysis.instances();
    const traces::TimeSpan span = analysis.analysedSpan();
    const bool isOfProgram = analysis.trace().recording && !analysis.trace().isCollscopeRun();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const std::size_t number = analysis.kindOf(i);
        const Picoseconds duration = instances[i].duration();
        members[number].push_back(i);
        InstanceGroup& kind = kinds[number];
        if (duration > kind.longest || kind.instances == 0) {
            kind.longest = kind.analysed = duration;
            const Picoseconds within = std::min(instances[i].end, span.end) - std::max(instances[i].begin, span.begin);
            if (isOfProgram && within > Picoseconds{}) kind.analysed = std::min(within, duration);
        }
        ++kind.instances;
        kind.messages += instances[i].messageCount;
        kind.bytes += instances[i].bytes;
        kind.time += duration;
        if (!instances[i].isCollective() || !instances[i].completing.empty()) kind.inCalls.reset();
        for (std::size_t place = 0; kind.inCalls && place < instances[i].stays.size(); ++place)
            if (const auto& stay = instances[i].stays[place];
                stay && analysis.wish().part.has(instances[i].ranks[place]))
                *kind.inCalls += stay->end - stay->begin;
        kind.communicators.insert(instances[i].communicatorNumber);
    }
    std::vector<InstanceGroup> sorted;
    for (auto& [number, kind] : kinds) {
        std::vector<std::size_t>& its = members[number];
        const auto middle = its.begin() + static_cast<std::ptrdiff_t>((its.size() - 1) / 2);
        std::ranges::nth_element(its, middle, {}, [&](std::size_t i) { return std::pair{instances[i].duration(), i}; });
        kind.typical = *middle;
        std::vector<Picoseconds> durations(its.size());
        std::ranges::transform(its, durations.begin(), [&](std::size_t i) { return instances[i].duration(); });
        kind.median = engine::median(std::move(durations));
        // What is no known collective may be different things: the longest is the example.
        const IdentifiedPtr known = analysis.identified(kind.typical);
        if (!known->problem && !instances[kind.typical].isCollective())
            kind.typical = *std::ranges::max_element(its, {}, [&](std::size_t i) { return instances[i].duration(); });
        sorted.push_back(kind);
    }
    // The longest first, by time summed over ranks; in an exchange as if each of its ranks took part all the time.
    const auto overRanks = [&](const InstanceGroup& kind) {
        return kind.inCalls ? *kind.inCalls
                            : kind.time * static_cast<std::int64_t>(instances[kind.typical].ranks.size());
    };
    std::ranges::stable_sort(sorted, std::greater{}, overRanks);
    return sorted;
}

std::vector<Finding> instanceFindings(TraceAnalysis& analysis, const std::vector<InstanceGroup>& kinds,
                                      std::size_t most) {
    if (kinds.empty())
        return {
            {.kind = FindingKind::nothingRecorded,
             .words = text(analysis.waitTotals().waits > 0
                               ? "Ranks waited for each other in calls that send no messages and are no collectives "
                                 "that move data between ranks"
                               : "Nothing that ranks did together was recorded",
                           analysis.wish().inThisPart(), ".", longestCallWords(analysis))}};
    const std::span shown = std::span{kinds}.first(std::min(most, kinds.size()));
    std::set<std::size_t> advisable, typical;
    for (const InstanceGroup& kind : shown) {
        advisable.insert(analysis.kindOf(kind.typical));
        typical.insert(kind.typical);
    }
    analysis.loadMessages(typical);
    const std::vector<Advice> advised = advice(analysis, advisable);
    std::vector<Overlap> overlaps;
    if (analysis.trace().recording && !analysis.trace().isCollscopeRun())
        overlaps = overlapsOf(*analysis.trace().recording, analysis.instances());
    const std::vector<std::string> uneven = unevenWordsOf(analysis, shown);
    const std::vector<std::string> distinctions = distinctionsOf(analysis, kinds);
    std::vector<Finding> findings;
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const InstanceGroup& kind = shown[k];
        const Instance& its = analysis.instances()[kind.typical];
        const std::optional<InstanceGap> gap =
            analysis.identified(kind.typical)->problem ? gapOf(analysis, kind.typical) : std::nullopt;
        Finding finding{
            .kind = FindingKind::instances,
            .words = instanceWords(analysis, kind, distinctions[k]) + (uneven[k].empty() ? "" : " " + uneven[k]),
            .facts = factsOf(analysis, kind, gap),
            .place = {.begin = its.begin, .end = its.end}};
        // Of a part of our own runs, the instance is the whole run.
        if (analysis.trace().isCollscopeRun() && !analysis.wish().asksForAll())
            finding.place = {.begin = analysis.span().begin, .end = analysis.span().end};
        finding.place.instance = static_cast<std::int64_t>(kind.typical) + 1;
        finding.words += overlapInWords(ofKind(analysis, kind.typical, overlaps));
        if (const std::string above = aboveBound(analysis, kind.typical, kind.instances, gap); !above.empty())
            finding.words += " " + above;
        for (const Advice& one : advised)
            if (analysis.kindOf(one.first) == analysis.kindOf(kind.typical)) addAdvice(analysis, one, finding);
        findings.push_back(std::move(finding));
    }
    return findings;
}

Finding modelFinding(TraceAnalysis& analysis) {
    Finding finding{.kind = FindingKind::model, .severity = Severity::note, .words = modelSentence(analysis)};
    if (const auto model = analysis.model(); model && !model->logGP) {
        finding.facts = {{"alpha_s", model->alpha},
                         {"beta_s_per_byte", engine::cell(model->beta)},
                         {"source", engine::cell(analysis.modelOrigin())}};
        if (analysis.modelOrigin() == "fitted")
            finding.facts.insert(finding.facts.end(), {{"alpha_low_s", analysis.fit()->alphaLow},
                                                       {"alpha_high_s", analysis.fit()->alphaHigh},
                                                       {"beta_low_s_per_byte", engine::cell(analysis.fit()->betaLow)},
                                                       {"beta_high_s_per_byte", engine::cell(analysis.fit()->betaHigh)},
                                                       {"deviation_share", analysis.fit()->deviation}});
    }
    return finding;
}

}  // namespace app::analysis
