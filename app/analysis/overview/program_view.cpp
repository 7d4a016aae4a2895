// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/overview/program_view.hpp"

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/attributable_causes.hpp"
#include "app/analysis/overview/cause_sentences.hpp"
#include "app/analysis/overview/efficiency_finding.hpp"
#include "app/analysis/overview/fault_findings.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;
using engine::showTime;
using engine::text;

std::string timesWords(std::int64_t times) { return times == 1 ? "once" : text(times, " times"); }

std::string percentOf(Picoseconds part, Picoseconds whole) { return percent(ratio(part, whole)); }

std::vector<MessagePattern> patternsOf(const traces::Recording& recording, const std::vector<Iteration>& iterations,
                                       const engine::Progress& progress) {
    const traces::Messages& m = recording.messages;
    std::vector<std::vector<Ends>> sent(iterations.size());
    for (std::size_t i = 0; i < m.size(); ++i)
        if (const auto its = iterationAt(iterations, m.sendBegin[i])) sent[*its].push_back({m.from[i], m.to[i]});
    std::vector<MessagePattern> patterns(iterations.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        patterns[i] = patternOf(std::move(sent[i]), recording.ranks);
    }
    return patterns;
}

/// Begins with `time`.
std::string headlineOf(const JobSummary& job, Picoseconds time) {
    if (!job.stragglers.empty()) {
        const Straggler& worst = job.stragglers.front();
        return text(showTime(time), " of waiting for rank ", worst.rank, ", the straggler: it enters ",
                    traces::torchName(worst.operation), " ", showTime(worst.lateness), " late",
                    job.marked ? text(" in ", worst.steps, " of ", counted(worst.ofSteps, "step")) : "");
    }
    const std::string ranks = text(
        " on ",
        job.missing > 0 ? text(counted(job.recorded), " recorded of ", counted(job.recorded + job.missing, "rank"))
                        : counted(job.recorded, "rank"),
        !job.compares             ? ""
        : job.mayHideStragglers() ? text("; a straggler of less than ", showTime(job.uncertainty), " is not visible")
                                  : "; no straggler");
    if (!job.marked) return text(showTime(time), ranks, "; the profiler marked no steps");
    if (job.stepCount() == 2)
        return text(showTime(time), " for the longer of 2 steps and ",
                    showTime(std::min(job.longest[0].second, job.longest[1].second)), " for the other,", ranks);
    return text(showTime(time), " per step (", job.stepCount() == 1 ? "" : "median of ",
                counted(job.stepCount(), "step"), ")", ranks);
}

std::string besidesOf(const JobSummary& job) {
    std::vector<std::string> clauses;
    if (!job.stragglers.empty()) {
        const Straggler& worst = job.stragglers.front();
        if (worst.excess != Excess::none)
            clauses.push_back(text(worst.excess == Excess::kernels ? text("rank ", worst.rank, " computes longer in ")
                                                                   : "its host takes longer in ",
                                   worst.longer, ", ", showTime(worst.by), " more per step"));
        if (job.marked) clauses.push_back(job.stepsInWords());
    }
    if (const auto overlap = job.sums.overlap())
        clauses.push_back(text(percent(*overlap), " of the communication is hidden behind compute"));
    return engine::joined(clauses, "; ");
}

/// "ranks 0, 1 and 2", "all 16 ranks", "12 of 16 ranks".
std::string someRanks(const std::vector<Rank>& ranks, std::int32_t all) {
    constexpr std::size_t mostNamed = 4;
    if (ranks.size() > mostNamed)
        return std::ssize(ranks) == all ? text("all ", all, " ranks") : text(ranks.size(), " of ", all, " ranks");
    std::vector<std::string> names;
    for (const Rank rank : ranks) names.push_back(text(rank));
    return text("ranks ", listed(names));
}

/// What the page says of all waiting instead of naming ranks that caused it; empty where it names them.
std::string insteadOfRank(const Attribution& its, const std::optional<SerialChain>& chain, std::int32_t ranks) {
    if (its.to == AttributedTo::unknownRank) return "which rank was late first is unknown";
    if (chain)
        return text(someRanks(chain->ranks, ranks),
                    chain->isByLock ? " hold a lock one after the other" : " compute one after the other");
    if (its.inTurn)
        return text(someRanks(its.inTurn->ranks, ranks),
                    its.inTurn->inBlocks ? " are late, each for a while" : " are late in turn");
    return its.to == AttributedTo::noRank ? "no rank stands out" : "";
}

/// The first two sentences of a finding, without their full stops; the second is empty where it only names a table.
std::pair<std::string, std::string> firstSentences(const Finding& finding) {
    std::string words = finding.words.substr(0, finding.words.find(". See "));
    if (words.ends_with('.')) words.pop_back();
    constexpr std::string_view end = ". ";
    const auto first = words.find(end);
    if (first == std::string::npos) return {words, {}};
    const auto second = first + end.size();
    return {words.substr(0, first), words.substr(second, words.find(end, second) - second)};
}

/// The costliest cause of the rank whose delays cost most, at one place: all wait states that it led to.
Cause worstOf(std::span<const RootCause> roots, const std::vector<Picoseconds>& caused) {
    const auto rank = static_cast<std::size_t>(std::ranges::max_element(caused) - caused.begin());
    return std::ranges::find_if(roots, [&](const RootCause& one) { return one.cause.rank.index() == rank; })->cause;
}

}  // namespace

bool isProgram(const Trace& trace) {
    return trace.recording && !trace.isCollscopeRun() &&
           std::any_of(trace.recording->states.begin(), trace.recording->states.end(),
                       [](const traces::States& states) { return states.size() > 0; });
}

TracedProgram::TracedProgram(TraceAnalysis& analysis)
    : recording_{analysis.trace().recording}, paths_{analysis.keptCallPaths()}, waits_{analysis.keptWaits()} {
    ENSURE(recording_ && paths_, "a program has calls");
    const engine::Progress quietly{.report = {}, .stop = analysis.progress().stop};
    causes_ = attributableCauses(analysis);
    caused_.resize(engine::asSize(recording_->ranks));
    const WaitTotals totals = analysis::waitTotals(*waits_);
    waited_ = totals.all();
    couldWait_ = timeOfWaiters(totals, threads(), {}, analysis.analysedSpan());
    threadsWaited_ = totals.of(WaitGroup::threads).count() != 0 || totals.ofSeveralThreads;
    for (const Cause& cause : causes_) caused_[cause.rank.index()] += cause.time;
    const Attribution attribution =
        attributionOf(analysis, rootCauses(causesAboveUncertainty(analysis.causes(), analysis.trace().uncertainty())),
                      totals, ratio(waited_, couldWait_));
    isAttributed_ = attribution.to == AttributedTo::ranks;
    insteadOfRank_ = insteadOfRank(attribution, serializationOf(analysis), recording_->ranks);
    if (!causes_.empty()) {
        worst_ = worstOf(rootCauses(causes_), caused_);
        alike_ = ranksAlike(totals.delays, worst_.rank);
    }
    std::vector<Rank> ranks;
    for (Rank rank{0}; rank.value < recording_->ranks; ++rank) ranks.push_back(rank);
    iterations_ = iterationsOf(*paths_, ranks, waits(), quietly);
    for (std::size_t k = 0; k < iterations_.all.size(); ++k)
        if (iterations_.all[k].odd) oddIterations_.push_back(k);
    patterns_ = patternsOf(*recording_, iterations_.all, quietly);
    profile_ = std::make_unique<const CallProfile>(*paths_, analysis.selection(), waits(), quietly);
    efficiency_ = analysis.efficiency();
    const std::vector<Finding> faults = faultFindings(analysis);
    if (!faults.empty() && faults.front().severity == Severity::fault)
        std::tie(fault_, moreOfFault_) = firstSentences(faults.front());
    sharesProcessors_ = analysis.trace().sharesProcessors();
    if (traces::isTraining(*recording_)) job_ = jobSummaryOf(*recording_, analysis.analysedSpan());
    prepareViews(quietly);
}

TracedProgram::TracedProgram(traces::RecordingPtr recording, const engine::Progress& progress)
    : recording_{std::move(recording)},
      waits_{std::make_shared<const TracedWaits>()},
      caused_(engine::asSize(recording_->ranks)) {
    prepareViews(progress);
}

/// What follows from the recording, and from waits where they are known.
void TracedProgram::prepareViews(const engine::Progress& progress) {
    tracks_ = std::make_unique<const LocationTimelines>(*recording_, waits(), progress);
    metrics_ = std::make_unique<const MetricCurves>(*recording_, progress);
    nodes_ = byNode(*recording_);
    communicators_ = byCommunicator(*recording_);
    const std::vector<bool> recorded = traces::recordedRanks(*recording_);
    for (Rank rank{0}; rank.value < recording_->ranks; ++rank)
        if (recorded[rank.index()]) recorded_.push_back(rank);
    for (std::vector<RankGroup>* const groups : {&nodes_, &communicators_}) {
        for (RankGroup& group : *groups) std::erase_if(group.ranks, [&](Rank rank) { return !isRecorded(rank); });
        std::erase_if(*groups, [](const RankGroup& group) { return group.ranks.empty(); });
    }
}

bool TracedProgram::isToBlame(Rank rank) const {
    return waited_.count() > 0 && caused_[rank.index()].count() * 10 >= waited_.count();
}

std::span<const Cause> TracedProgram::mainCauses() const {
    const auto end = std::find_if(causes_.begin(), causes_.end(), [&](const Cause& cause) {
        return cause.time.count() <= 0 || cause.time.count() * 10 < waited_.count();
    });
    return {causes_.begin(), end};
}

std::optional<traces::TimeSpan> TracedProgram::longestCall(PathId path, Rank rank) const {
    std::optional<traces::TimeSpan> longest;
    for (std::size_t location = 0; location < recording_->states.size(); ++location) {
        if (rank != traces::noRank && recording_->locations[location].rank != rank) continue;
        const traces::States& states = recording_->states[location];
        for (std::size_t call = 0; call < states.size(); ++call) {
            if (paths_->of(location, call) != path) continue;
            const traces::TimeSpan span{states.begin[call], states.end[call]};
            if (!longest || span.end - span.begin > longest->end - longest->begin) longest = span;
        }
    }
    return longest;
}

Picoseconds TracedProgram::headlineTime() const {
    if (job_ && !job_->stragglers.empty()) return job_->stragglers.front().waiting;
    if (job_ && job_->marked)
        return job_->stepCount() == 2 ? std::max(job_->longest[0].second, job_->longest[1].second) : job_->medianStep;
    if (job_ || causes_.empty() || !fault_.empty()) return recording_->duration;
    if (!insteadOfRank_.empty()) return waited_;
    Picoseconds sum{};
    for (const DelayRow& row : alike_) sum += row.all();
    return sum;
}

std::string TracedProgram::headline() const {
    if (job_) return headlineOf(*job_, headlineTime());
    if (!fault_.empty()) return text(showTime(headlineTime()), ". ", fault_);
    if (causes_.empty())
        return text(showTime(headlineTime()), " on ", countedRanks(std::ssize(recorded_), recording_->ranks),
                    waited_.count() > 0 ? text("; they waited ", showTime(waited_)) : "; no waiting was found");
    if (!insteadOfRank_.empty()) return text(showTime(headlineTime()), " of waiting; ", insteadOfRank_);
    if (alike_.size() > 1) {
        std::vector<std::string> ranks;
        for (const DelayRow& row : alike_) ranks.push_back(text(row.origin));
        return text(showTime(headlineTime()), " of waiting caused by ranks ", listed(ranks));
    }
    const std::string where = nameOf(worst_, *paths_);
    const std::string thread = nameOf(*recording_, threads(), worst_.rank, worst_.thread);
    return text(showTime(headlineTime()), " of waiting caused by rank ", worst_.rank, thread.empty() ? "" : ", ",
                thread,
                2 * worst_.time < fromWorst()
                    ? std::string{}
                    : text(percentOf(worst_.time, waited_) == percentOf(fromWorst(), waited_) ? ", " : ", mostly ",
                           where.starts_with("before ") ? "" : "in ", where));
}

std::string TracedProgram::besides() const {
    if (job_) return besidesOf(*job_);
    std::vector<std::string> clauses;
    if (!moreOfFault_.empty()) clauses.push_back(moreOfFault_);
    if (!causes_.empty()) {
        const Cause& late = worst_;
        const std::string lateness = late.delays > 0 ? text(", late ", timesWords(late.delays),
                                                            late.delays == 1 ? " by "
                                                            : late.varies()  ? ", at most by "
                                                                             : ", typically by ",
                                                            showTime(late.varies() ? late.longest : late.typical))
                                                     : "";
        const std::string ofCause = percentOf(late.time, waited_);
        const std::string ofRank = percentOf(fromWorst(), waited_);
        if (isAttributed_ && alike_.size() > 1)
            clauses.push_back(text(engine::capitalised(causedWords(alike_, waited_)), "; rank ", late.rank, " caused ",
                                   ofCause, " by delays at one place (", name(late.kind), lateness, ")"));
        else if (isAttributed_)
            clauses.push_back(text("Rank ", late.rank, " caused ", ofRank, " of the waiting time",
                                   ofRank == ofCause ? "" : text(", ", ofCause, " by delays at one place"), " (",
                                   name(late.kind), lateness, ")"));
        clauses.push_back(text(threadsWaited_ ? "threads waited " : "ranks waited ", showTime(waited_), " in total, ",
                               percentOf(waited_, couldWait_), " of their time"));
    }
    const auto odd =
        std::count_if(iterations_.all.begin(), iterations_.all.end(), [](const Iteration& one) { return one.odd; });
    if (!iterations_.all.empty())
        clauses.push_back(text(counted(static_cast<std::int64_t>(iterations_.all.size()), "iteration"), " of ",
                               iterations_.durationsInWords(), odd == 0 ? "" : text(", ", counted(odd, "outlier"))));
    if (efficiency_ && !efficiency_->contradictsItself())
        clauses.push_back(text("parallel efficiency ", percent(efficiency_->hybrid()),
                               efficiency_->isGood() ? "" : text(", limited by ", efficiency_->limitedBy())));
    if (sharesProcessors_) clauses.emplace_back("ranks share processors, and times include waiting for one");
    return engine::joined(clauses, "; ");
}

}  // namespace app::analysis
