// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/job_summary.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clocks.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace app::analysis {

using engine::Picoseconds;
using engine::text;

namespace {

/// Steps of equal names are one, of which the rank counts that took longest.
std::vector<std::pair<std::string, Picoseconds>> longestOf(const std::vector<StepTimes>& steps) {
    struct Step {
        Picoseconds begin = Picoseconds::max(), longest{};
    };
    std::map<std::string, Step> byName;
    for (const StepTimes& one : steps) {
        Step& its = byName[one.step];
        its.begin = std::min(its.begin, one.span.begin);
        its.longest = std::max(its.longest, one.duration());
    }
    std::vector<std::pair<std::string, Step>> inOrder(byName.begin(), byName.end());
    std::ranges::stable_sort(inOrder, {}, [](const auto& one) { return one.second.begin; });
    std::vector<std::pair<std::string, Picoseconds>> longest;
    for (auto& [name, step] : inOrder) longest.emplace_back(std::move(name), step.longest);
    return longest;
}

}  // namespace

double JobSummary::shareOf(Picoseconds waiting) const { return ratio(waiting, rankTime); }

std::string JobSummary::stepsInWords() const {
    std::vector<Picoseconds> times;
    for (const auto& [name, time] : longest) times.push_back(time);
    return text(counted(stepCount(), "step"), " of ", medianInWords(times));
}

JobSummary jobSummaryOf(const traces::Recording& recording, traces::TimeSpan span,
                        const std::function<bool(engine::Rank)>& has) {
    JobSummary its;
    const std::vector<bool> recorded = traces::recordedRanks(recording);
    for (engine::Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (!has || has(rank)) ++(recorded[rank.index()] ? its.recorded : its.missing);
    std::set<engine::Rank> all;
    for (StepTimes& one : stepTimesOf(recording, span)) {
        all.insert(one.rank);
        if (!has || has(one.rank)) its.steps.push_back(std::move(one));
    }
    its.rankTime = (span.end - span.begin) * std::max<std::int64_t>(1, static_cast<std::int64_t>(all.size()));
    its.marked =
        std::any_of(its.steps.begin(), its.steps.end(), [](const StepTimes& one) { return !one.step.empty(); });
    if (its.marked) its.unmarked = std::erase_if(its.steps, [](const StepTimes& one) { return one.step.empty(); });
    std::set<engine::Rank> ranks;
    for (const StepTimes& one : its.steps) {
        its.sums.add(one);
        ranks.insert(one.rank);
    }
    its.ranks = static_cast<std::int64_t>(ranks.size());
    its.longest = longestOf(its.steps);
    std::vector<Picoseconds> durations;
    for (const auto& [name, time] : its.longest) durations.push_back(time);
    its.medianStep = medianOf(std::move(durations));
    const auto& instances = recording.collectives.instances;
    its.compares = std::any_of(instances.begin(), instances.end(), [&](const traces::Collective& instance) {
        const auto parts = recording.collectives.of(instance);
        return parts.size() > 1 && std::any_of(parts.begin(), parts.end(), [&](const traces::Participant& part) {
                   return part.begin >= span.begin && part.begin < span.end;
               });
    });
    its.uncertainty = traces::ClockUncertainty{recording}.most();
    if (its.compares) {
        Stragglers found = stragglersOf(recording, span);
        its.stragglers = std::move(found.all);
        its.unseen = found.unseen;
    }
    std::erase_if(its.stragglers, [&](const Straggler& one) {
        return its.shareOf(one.waiting) < JobSummary::leastWaiting || (has && !has(one.rank));
    });
    return its;
}

}  // namespace app::analysis
