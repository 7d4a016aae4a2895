// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/training/step_times.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "engine/base/median.hpp"
#include "engine/base/parallel.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

std::vector<StepTimes> stepTimesOf(const Recording& recording, TimeSpan span) {
    std::vector<std::vector<const traces::Marker*>> marked(engine::asSize(recording.ranks));
    for (const traces::Marker& marker : recording.markers)
        if (marker.group == traces::stepGroup && marker.location != traces::noIndex)
            marked[recording.locations[engine::asSize(marker.location)].rank.index()].push_back(&marker);
    const LocationsOfRanks locations = locationsOfRanks(recording);
    std::vector<std::vector<StepTimes>> byRank(marked.size());
    engine::parallelFor(byRank.size(), [&](std::size_t rank) {
        const StreamActivity activity = streamActivityOf(recording, locations[rank]);
        if (!activity.hasStreams) return;
        const auto add = [&](const std::string& name, TimeSpan all) {
            const TimeSpan its{std::max(all.begin, span.begin), std::min(all.end, span.end)};
            if (its.begin >= its.end) return;
            byRank[rank].push_back({activity.timesIn(its), Rank{static_cast<std::int32_t>(rank)}, name, its});
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
    return ratio(hidden, all);
}

}  // namespace app::analysis
