// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/rank_activity.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/calls/computation_times.hpp"
#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/calls/stream_activity.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;

namespace {

Picoseconds commonTime(traces::TimeSpan span, Picoseconds begin, Picoseconds end) {
    return std::max(Picoseconds{}, std::min(end, span.end) - std::max(begin, span.begin));
}

Picoseconds waitedInMpi(const WaitSums& waits, Rank rank) {
    Picoseconds time{};
    for (const WaitGroup group : {WaitGroup::senders, WaitGroup::receivers, WaitGroup::collectives, WaitGroup::windows})
        time += waits.of(group)[rank.index()];
    return time;
}

}  // namespace

Picoseconds timeInMpi(const traces::States& states, const std::vector<bool>& isMpiRegion, traces::TimeSpan span) {
    Picoseconds time{};
    Picoseconds until = span.begin;
    for (std::size_t i = 0; i < states.size(); ++i) {
        if (!isMpiRegion[static_cast<std::size_t>(states.region[i])]) continue;
        time += commonTime(span, std::max(until, states.begin[i]), states.end[i]);
        until = std::max(until, states.end[i]);
    }
    return time;
}

std::vector<RankActivity> programTimes(const traces::Recording& recording, const WaitSums& waits,
                                       traces::TimeSpan span) {
    std::vector<bool> isMpiRegion;
    for (const traces::Region& region : recording.regions) isMpiRegion.push_back(isMpiCall(region));
    const ComputationTimes computation{recording};
    const LocationsOfRanks locations =
        traces::isTraining(recording) ? locationsOfRanks(recording) : LocationsOfRanks(engine::asSize(recording.ranks));
    std::vector<RankActivity> all(engine::asSize(recording.ranks));
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        RankActivity& its = all[rank.index()];
        if (const StreamActivity streams = streamActivityOf(recording, locations[rank.index()]); streams.hasStreams) {
            const StreamTimes times = streams.timesIn(span);
            its.computing = times.compute;
            its.waiting = std::min(times.exposed, waitedInMpi(waits, rank));
            its.inMpi = times.exposed - its.waiting;
            its.nothing = times.idle;
            continue;
        }
        its.nothing = span.end - span.begin;
        const std::int32_t location = recording.locationOf(rank);
        if (location == traces::noIndex) continue;
        const traces::Location& own = recording.locations[engine::asSize(location)];
        const Picoseconds recorded = commonTime(span, own.first, own.last);
        its.inMpi = std::min(recorded, timeInMpi(recording.states[engine::asSize(location)], isMpiRegion, span));
        its.computing = computation.of(rank, span.begin, span.end);
        its.nothing = std::max(Picoseconds{}, its.nothing - its.inMpi - its.computing);
        its.waiting = std::min(its.inMpi, waitedInMpi(waits, rank) - waits.besideMainThread[rank.index()]);
        its.inMpi -= its.waiting;
    }
    return all;
}

}  // namespace app::analysis
