// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/instance_findings.hpp"

#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/collectives/overlap.hpp"
#include "app/analysis/findings/algorithm_advice.hpp"
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "engine/base/field.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::showBytes;
using engine::showNumber;
using engine::showTime;
using engine::text;

namespace {

/// "Allgatherv of 30 ranks, 92.2 KiB in all: 41 ms"; with several "in the longest of 12".
std::string instanceWords(TraceAnalysis& analysis, const KindOfInstances& kind) {
    const Instance& instance = analysis.instances()[kind.longest];
    const IdentifiedPtr known = analysis.identified(kind.longest);
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
    else if (!analysis.trace().own() || analysis.wish().asksForAll())
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
    if (!instance.ofLibrary.empty()) words += text(" The library ran ", instance.ofLibrary, ".");
    return words;
}

/// For each kind, the rank that moves far more bytes than the others, where the operation allows that; else empty.
std::vector<std::string> unevenWordsOf(TraceAnalysis& analysis, std::span<const KindOfInstances> kinds) {
    std::vector<std::string> words(kinds.size());
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.own()) return words;
    std::optional<std::vector<Amounts>> all;
    std::set<const Amounts*> reported;  // several kinds may belong to the same amounts
    for (std::size_t k = 0; k < kinds.size(); ++k) {
        const Instance& instance = analysis.instances()[kinds[k].longest];
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

/// Of alpha and beta: "fitted". Those that virtual time itself went by are nobody's record.
std::string originWords(TraceAnalysis& analysis) {
    const bool isVirtual = analysis.trace().own() && analysis.trace().report.run->setting.on == "virtual";
    return isVirtual && analysis.modelOrigin() == "recorded" ? "the run's" : analysis.modelOrigin();
}

/// What emulations for advice take for granted.
std::string conditionWords(TraceAnalysis& analysis) {
    return text(costWords(*analysis.model()),
                analysis.topologyOrigin() == "given" ? text(" on network ", analysis.topology()) : "");
}

/// "It took 4.2 times its unsegmented lower bound, 9.8 ms: extra rounds 2 ms, waiting 20 ms."
std::string aboveBound(TraceAnalysis& analysis, std::size_t index, const std::optional<InstanceGap>& gap) {
    const IdentifiedPtr known = analysis.identified(index);
    const Instance& instance = analysis.instances()[index];
    if (!known->problem && !instance.isCollective() && instance.messageCount == 1) return {};
    if (!known->problem) return text("Its lower bound and faster algorithms are not known: ", known->whyNoProblem, ".");
    if (!gap) return {};
    const Picoseconds duration = analysis.instances()[index].duration();
    const std::string bound = text(nameOfBound(gap->blocks), ", ", showTime(gap->bound));
    if (duration == gap->bound) return text("It is as fast as its ", bound, ".");
    std::string words =
        duration < gap->bound
            ? text("It is faster than its ", bound, ", that ", costWords(*analysis.model()),
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
    const std::string forced = networkForcesInWords(analysis, *known);
    return forced.empty() ? words : words + ' ' + forced;
}

/// Why no emulation of an instance is reported; empty where one may be.
std::string whyNoAdvice(TraceAnalysis& analysis, const Advice& one) {
    constexpr double most = 0.5;
    if (analysis.modelOrigin() == "fitted" && analysis.fit()->deviation >= most)
        return text("half of the messages are ", percent(analysis.fit()->deviation),
                    " or more away from the line of alpha and beta, as where ranks share processors");
    if (const auto deviation = one.deviation(); deviation && std::abs(*deviation) > most)
        return text("its own algorithm takes ", showTime(*one.again), " with ", conditionWords(analysis), ", ",
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
std::string belowBound(TraceAnalysis& analysis, const Advice& one, Picoseconds time) {
    const IdentifiedPtr known = analysis.identified(one.first);
    const Limits limits = limitsOf(analysis, *known);
    if (!limits.held().time || time >= *limits.held().time) return {};
    const std::string below = text("; that is less than its ", nameOfBound(limits.blocks));
    if (limits.atWill.time && time >= *limits.atWill.time)
        return text(below, ", since blocks are cut: ", cuttingInWords(limits));
    return limits.neighbours ? text(below, ", since not only neighbours send to each other") : std::string{};
}

/// Below this quotient of times nothing is faster.
constexpr double gainfulFactor = 1.005;

/// Conditions of an emulation, then its result.
std::string adviceWords(TraceAnalysis& analysis, const Advice& one) {
    if (const std::string why = whyNoAdvice(analysis, one); !why.empty()) return text("No advice: ", why, ".");
    const Alternative& best = one.alternatives->ranked.front();
    const double factor = one.factor(best.time);
    const std::string trust = one.deviation() ? text(" Its own algorithm, emulated alike, takes ", showTime(*one.again),
                                                     ", ", besideItself(*one.deviation()), ".")
                                              : " Its own algorithm is not known, so nothing says how near that is.";
    if (factor < gainfulFactor) return text("Nothing in the catalogue would have been faster.", trust);
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
    if (one.instances > 1) words += text("; over the whole trace it would save ", showTime(one.saving(best.time)));
    return words + "." + trust;
}

/// Of the longest instance of a kind, and of all of them.
std::vector<Fact> factsOf(TraceAnalysis& analysis, const KindOfInstances& kind, const std::optional<InstanceGap>& gap) {
    const Instance& its = analysis.instances()[kind.longest];
    const IdentifiedPtr known = analysis.identified(kind.longest);
    std::vector<Fact> facts{{"operation", engine::cell(its.operation)},
                            {"ranks", static_cast<std::int64_t>(its.ranks.size())},
                            {"communicators", static_cast<std::int64_t>(kind.communicators.size())},
                            {"instances", kind.instances}};
    // Of a part of our own runs, times are those of the whole run.
    if (!analysis.trace().own() || analysis.wish().asksForAll()) {
        facts.push_back({"total_s", kind.time});
        facts.push_back({"duration_s", its.duration()});
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
    if (gap->bound.count() > 0)
        facts.push_back(
            {"times_bound", static_cast<double>(its.duration().count()) / static_cast<double>(gap->bound.count())});
    if (gap->parts)
        for (const GapCause& cause : gapCauses) facts.push_back({text("gap_", cause.key), (*gap->parts).*cause.time});
    return facts;
}

void addAdvice(TraceAnalysis& analysis, const Advice& advice, Finding& finding) {
    finding.words += " " + adviceWords(analysis, advice);
    if (const std::string why = whyNoAdvice(analysis, advice); !why.empty()) {
        finding.facts.push_back({"why_no_advice", engine::cell(why)});
        return;
    }
    if (advice.again) finding.facts.push_back({"own_emulated_s", *advice.again});
    if (advice.deviation()) finding.facts.push_back({"deviation_share", *advice.deviation()});
    const Alternative& best = advice.alternatives->ranked.front();
    if (advice.factor(best.time) < gainfulFactor) return;
    finding.facts.push_back({"fastest", engine::cell(wordsOf(best.plan))});
    finding.facts.push_back({"fastest_s", best.time});
    finding.facts.push_back(
        {"fastest_from", engine::cell(std::string{advice.fromLastArrival ? "last entry" : "first entry"})});
    finding.facts.push_back({"factor", advice.factor(best.time)});
    if (advice.instances > 1) finding.facts.push_back({"saving_s", advice.saving(best.time)});
}

/// Where alpha and beta come from, or why there are none.
std::string modelSentence(TraceAnalysis& analysis) {
    const auto model = analysis.model();
    if (!model)
        return text("Lower bounds in time and faster algorithms are not known: ", analysis.whyNoFit(), ". Pass ",
                    engine::field::alpha, " and ", engine::field::beta, ".");
    if (model->logGP) return "The model recorded is LogGP: of its bounds the causes of what is above are not known.";
    std::string words = text("Alpha ", showTime(model->alpha), " and beta ", engine::showRate(model->beta), " are ",
                             originWords(analysis));
    if (analysis.modelOrigin() == "fitted")
        words +=
            text(": 95 % within ", showTime(analysis.fit()->alphaLow), " to ", showTime(analysis.fit()->alphaHigh),
                 " and ", engine::showRate(analysis.fit()->betaLow), " to ", engine::showRate(analysis.fit()->betaHigh),
                 "; half of the messages are within ", percent(analysis.fit()->deviation), " of that line");
    return words + ".";
}

}  // namespace

std::vector<KindOfInstances> kindsOfInstances(TraceAnalysis& analysis) {
    std::map<std::size_t, KindOfInstances> kinds;
    const auto& instances = analysis.instances();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        auto [entry, isNew] = kinds.try_emplace(analysis.kindOf(i));
        KindOfInstances& kind = entry->second;
        if (isNew || instances[i].duration() > instances[kind.longest].duration()) kind.longest = i;
        ++kind.instances;
        kind.time += instances[i].duration();
        if (!instances[i].isCollective() || !instances[i].completing.empty()) kind.inCalls.reset();
        if (kind.inCalls)
            for (const std::optional<traces::TimeSpan>& stay : instances[i].stays)
                if (stay) *kind.inCalls += stay->end - stay->begin;
        kind.communicators.insert(instances[i].communicatorNumber);
    }
    std::vector<KindOfInstances> sorted;
    for (const auto& [key, kind] : kinds) sorted.push_back(kind);
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const KindOfInstances& a, const KindOfInstances& b) { return a.time > b.time; });
    return sorted;
}

std::vector<Finding> instanceFindings(TraceAnalysis& analysis, const std::vector<KindOfInstances>& kinds,
                                      std::size_t most) {
    if (kinds.empty())
        return {{.kind = FindingKind::nothingRecorded,
                 .words = text(analysis.waitTotals().waits > 0 ? "No collectives and no messages were recorded"
                                                               : "Nothing that ranks did together was recorded",
                               analysis.wish().inThisPart(), ".")}};
    const std::span shown = std::span{kinds}.first(std::min(most, kinds.size()));
    std::set<std::size_t> advisable, longest;
    for (const KindOfInstances& kind : shown) {
        advisable.insert(analysis.kindOf(kind.longest));
        longest.insert(kind.longest);
    }
    analysis.bringMessages(longest);
    const std::vector<Advice> advised = advice(analysis, advisable);
    std::vector<Overlap> overlaps;
    if (analysis.trace().recording && !analysis.trace().own())
        overlaps = overlapsOf(*analysis.trace().recording, analysis.instances());
    const std::vector<std::string> uneven = unevenWordsOf(analysis, shown);
    std::vector<Finding> findings;
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const KindOfInstances& kind = shown[k];
        const Instance& its = analysis.instances()[kind.longest];
        const std::optional<InstanceGap> gap =
            analysis.identified(kind.longest)->problem ? gapOf(analysis, kind.longest) : std::nullopt;
        Finding finding{.kind = FindingKind::instances,
                        .words = instanceWords(analysis, kind),
                        .facts = factsOf(analysis, kind, gap),
                        .place = {.begin = its.begin, .end = its.end}};
        // Of a part of our own runs, the instance is the whole run.
        if (analysis.trace().own() && !analysis.wish().asksForAll())
            finding.place = {.begin = analysis.span().begin, .end = analysis.span().end};
        finding.place.instance = static_cast<std::int64_t>(kind.longest) + 1;
        if (!uneven[k].empty()) finding.words += " " + uneven[k];
        finding.words += overlapInWords(overlaps, analysis.instances(), its.operation);
        if (const std::string above = aboveBound(analysis, kind.longest, gap); !above.empty())
            finding.words += " " + above;
        for (const Advice& one : advised)
            if (analysis.kindOf(one.first) == analysis.kindOf(kind.longest)) addAdvice(analysis, one, finding);
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
