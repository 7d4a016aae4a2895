// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/computation_times.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/stream_activity.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

std::vector<Rank> ranksOf(const Recording& recording) {
    std::vector<Rank> all;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) all.push_back(rank);
    return all;
}

}  // namespace

ComputationTimes::ComputationTimes(const Recording& recording) : ComputationTimes{recording, ranksOf(recording)} {}

ComputationTimes::ComputationTimes(const Recording& recording, const std::vector<Rank>& ranks)
    : ranks_(engine::asSize(recording.ranks)) {
    std::vector<bool> isMpiRegion;
    for (const traces::Region& region : recording.regions) isMpiRegion.push_back(isMpiCall(region));
    const LocationsOfRanks locations =
        traces::isTraining(recording) ? locationsOfRanks(recording) : LocationsOfRanks(ranks_.size());
    for (const Rank rank : ranks) {
        if (const StreamActivity streams = streamActivityOf(recording, locations[rank.index()]); streams.hasStreams) {
            ranks_[rank.index()] = ofStreams(streams.compute);
            continue;
        }
        const std::int32_t location = recording.locationOf(rank);
        if (location == traces::noIndex) continue;
        OfRank& its = ranks_[rank.index()];
        its.first = recording.locations[engine::asSize(location)].first;
        its.last = recording.locations[engine::asSize(location)].last;
        const traces::States& states = recording.states[engine::asSize(location)];
        std::vector<TimeSpan> pauses;
        for (const traces::NotRecorded& one : recording.absences)
            if (one.what == traces::Absence::interval && one.location == location)
                pauses.push_back({one.begin, one.end});
        std::ranges::sort(pauses, {}, [](const TimeSpan& one) { return one.begin; });
        auto pause = pauses.begin();
        for (std::size_t i = 0; i < states.size(); ++i) {
            if (!isMpiRegion[engine::asSize(states.region[i])]) continue;
            for (; pause != pauses.end() && pause->begin <= states.begin[i]; ++pause)
                its.otherwise.add(pause->begin, pause->end);
            its.otherwise.add(states.begin[i], states.end[i]);
        }
        for (; pause != pauses.end(); ++pause) its.otherwise.add(pause->begin, pause->end);
    }
}

ComputationTimes::OfRank ComputationTimes::ofStreams(const std::vector<TimeSpan>& kernels) {
    OfRank its;
    if (kernels.empty()) return its;
    its.first = kernels.front().begin;
    its.last = kernels.back().end;
    for (std::size_t i = 1; i < kernels.size(); ++i) its.otherwise.add(kernels[i - 1].end, kernels[i].begin);
    return its;
}

Picoseconds ComputationTimes::of(Rank rank, Picoseconds from, Picoseconds to) const {
    const OfRank& its = ranks_[rank.index()];
    from = std::max(from, its.first);
    to = std::min(to, its.last);
    return from < to ? to - from - its.otherwise.between(from, to) : Picoseconds{};
}

}  // namespace app::analysis
