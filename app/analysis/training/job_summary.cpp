// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/job_summary.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace app::analysis {

using engine::Picoseconds;

double JobSummary::shareOf(const Straggler& one) const {
    return rankTime.count() > 0 ? static_cast<double>(one.waiting.count()) / static_cast<double>(rankTime.count()) : 0;
}

JobSummary jobSummaryOf(const traces::Recording& recording, traces::TimeSpan span, Picoseconds uncertainty,
                        const std::function<bool(engine::Rank)>& has) {
    JobSummary its;
    std::map<engine::Rank, std::int64_t> steps;
    std::set<engine::Rank> all;
    for (StepTimes& one : stepTimesOf(recording, span)) {
        all.insert(one.rank);
        if (!has || has(one.rank)) {
            ++steps[one.rank];
            its.steps.push_back(std::move(one));
        }
    }
    its.recorded = static_cast<std::int64_t>(steps.size());
    its.rankTime = (span.end - span.begin) * std::max<std::int64_t>(1, static_cast<std::int64_t>(all.size()));
    its.marked =
        std::any_of(its.steps.begin(), its.steps.end(), [](const StepTimes& one) { return !one.step.empty(); });
    if (its.marked) its.unmarked = std::erase_if(its.steps, [](const StepTimes& one) { return one.step.empty(); });
    for (const auto& [rank, count] : steps) its.perRank = std::max(its.perRank, count);
    std::vector<Picoseconds> durations;
    for (const StepTimes& one : its.steps) {
        its.sums.add(one);
        durations.push_back(one.duration());
    }
    its.medianStep = medianOf(std::move(durations));
    const auto& instances = recording.collectives.instances;
    its.compares = std::any_of(instances.begin(), instances.end(), [&](const traces::Collective& instance) {
        const auto parts = recording.collectives.of(instance);
        return parts.size() > 1 && std::any_of(parts.begin(), parts.end(), [&](const traces::Participant& part) {
                   return part.begin >= span.begin && part.begin < span.end;
               });
    });
    if (its.compares) its.stragglers = stragglersOf(recording, span, uncertainty);
    std::erase_if(its.stragglers, [&](const Straggler& one) {
        return its.shareOf(one) < JobSummary::leastWaiting || (has && !has(one.rank));
    });
    return its;
}

}  // namespace app::analysis
