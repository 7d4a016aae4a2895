// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/step_times.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "engine/base/median.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

Picoseconds timeWithin(const Intervals& all, TimeSpan span) {
    auto one = std::partition_point(all.begin(), all.end(), [&](const TimeSpan& its) { return its.end <= span.begin; });
    Picoseconds sum{};
    for (; one != all.end() && one->begin < span.end; ++one)
        sum += std::min(one->end, span.end) - std::max(one->begin, span.begin);
    return sum;
}

Intervals commonOf(const Intervals& a, const Intervals& b) {
    Intervals both;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const TimeSpan one{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
        if (one.begin < one.end) both.push_back(one);
        if (a[i].end < b[j].end) ++i;
        else ++j;
    }
    return both;
}

}  // namespace

std::vector<StepTimes> stepTimesOf(const Recording& recording, TimeSpan span) {
    std::vector<std::vector<const traces::Marker*>> marked(engine::asSize(recording.ranks));
    for (const traces::Marker& marker : recording.markers)
        if (marker.group == traces::stepGroup && marker.location != traces::noIndex)
            marked[recording.locations[engine::asSize(marker.location)].rank.index()].push_back(&marker);
    const LocationsOfRanks locations = locationsOfRanks(recording);
    std::vector<std::vector<StepTimes>> byRank(marked.size());
    engine::sideBySide(byRank.size(), [&](std::size_t rank) {
        const StreamActivity activity = streamActivityOf(recording, locations[rank]);
        if (!activity.hasStreams) return;
        const Intervals both = commonOf(activity.compute, activity.communication);
        const auto add = [&](const std::string& name, TimeSpan all) {
            StepTimes one{.rank = Rank{static_cast<std::int32_t>(rank)},
                          .step = name,
                          .span = {std::max(all.begin, span.begin), std::min(all.end, span.end)}};
            if (one.span.begin >= one.span.end) return;
            one.compute = timeWithin(activity.compute, one.span);
            one.hidden = timeWithin(both, one.span);
            one.exposed = timeWithin(activity.communication, one.span) - one.hidden;
            one.idle = one.duration() - one.compute - one.exposed;
            byRank[rank].push_back(std::move(one));
        };
        for (const traces::Marker* marker : marked[rank]) add(marker->text, {marker->begin, marker->end});
        if (marked[rank].empty()) add({}, span);
    });
    std::vector<StepTimes> all;
    for (std::vector<StepTimes>& its : byRank)
        all.insert(all.end(), std::make_move_iterator(its.begin()), std::make_move_iterator(its.end()));
    return all;
}

Picoseconds medianOf(std::vector<Picoseconds> times) {
    return times.empty() ? Picoseconds{} : engine::median(std::move(times));
}

void StepSums::add(const StepTimes& one) {
    duration += one.duration();
    compute += one.compute;
    exposed += one.exposed;
    hidden += one.hidden;
    idle += one.idle;
    ++steps;
}

std::optional<double> StepSums::overlap() const {
    const Picoseconds all = exposed + hidden;
    if (all.count() == 0) return std::nullopt;
    return static_cast<double>(hidden.count()) / static_cast<double>(all.count());
}

}  // namespace app::analysis
