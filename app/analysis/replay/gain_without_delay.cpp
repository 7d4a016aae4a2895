// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/gain_without_delay.hpp"

#include <algorithm>
#include <cstdlib>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;

namespace {

/// When each rank enters MPI_Finalize, or does its last.
engine::ById<Rank, Picoseconds> endsOf(const Recording& recording) {
    engine::ById<Rank, Picoseconds> ends;
    ends.resize(recording.ranks);
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        const std::int32_t location = recording.locationOf(rank);
        if (location == traces::noIndex) continue;
        ends[rank] = recording.locations[engine::asSize(location)].last;
        const traces::States& states = recording.states[engine::asSize(location)];
        for (std::size_t i = states.size(); i-- > 0;) {
            const traces::Region& region = recording.regions[engine::asSize(states.region[i])];
            if (region.call != traces::Call::setup || region.name.find("inalize") == std::string::npos) continue;
            ends[rank] = states.begin[i];
            break;
        }
    }
    return ends;
}

}  // namespace

GainWithoutDelay::GainWithoutDelay(const Recording& recording, const engine::Progress& progress)
    : recording_{recording},
      program_{recordedProgram(recording, {}, progress)},
      clock_{recording, program_, Transfers::asRecorded},
      ends_{endsOf(recording)} {
    // In MPI_Finalize ranks wait for each other, which is after the time that counts.
    untilFinalize_ = ends_;
    for (const Rank rank : ends_.ids())
        if (ends_[rank] >= program_.spent[rank].end) untilFinalize_[rank] = Picoseconds::max();
    time_ = timeWith([](Rank, Picoseconds from, Picoseconds to) { return to - from; });
}

bool GainWithoutDelay::isAsRecorded() const {
    const Picoseconds recorded = *std::ranges::max_element(ends_);
    return std::abs((time_ - recorded).count()) <= recorded.count() / 1000;
}

Picoseconds GainWithoutDelay::timeWith(const Computation& computation) {
    return clock_.timeOf(
        {{}, recording_.duration + Picoseconds{1}},
        [&](Rank rank, Picoseconds from, Picoseconds to) {
            to = std::min(to, ends_[rank]);
            return from < to ? computation(rank, from, to) : Picoseconds{};
        },
        &untilFinalize_);
}

Picoseconds GainWithoutDelay::without(std::span<const DelaysOfRank> delays, const CallPaths& paths) {
    const Picoseconds otherwise = timeWith([&](Rank rank, Picoseconds from, Picoseconds to) {
        return to - from - lateWithin(delays, paths, rank, from, to);
    });
    return std::max(Picoseconds{}, time_ - otherwise);
}

Picoseconds lateWithin(std::span<const DelaysOfRank> delays, const CallPaths& paths, Rank rank, Picoseconds from,
                       Picoseconds to) {
    const std::int32_t location = paths.recording().locationOf(rank);
    if (location == traces::noIndex || std::ranges::find(delays, rank, &DelaysOfRank::rank) == delays.end()) return {};
    Picoseconds all{};
    const auto add = [&](PathId path, Picoseconds begin, Picoseconds end) {
        Picoseconds late{};
        for (const DelaysOfRank& its : delays) late += its.within(rank, path, begin, end);
        all += std::min(late, end - begin);
    };
    // The actions of a rank before its first event are unknown.
    const Picoseconds first = paths.recording().locations[engine::asSize(location)].first;
    if (from < first) add(outsideOfCalls, from, std::min(to, first));
    paths.eachStretch(engine::asSize(location), from, to, add);
    return all;
}

}  // namespace app::analysis
