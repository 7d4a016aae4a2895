// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_sweep.hpp"

#include "engine/base/error.hpp"

namespace app {
namespace {

/// The mean of every kind of time over all ranks.
emulation::TimeSpent meanOf(const emulation::Replayed& result) {
    using emulation::TimeSpent;
    TimeSpent mean;
    if (result.ranks.empty()) return mean;
    for (const auto part : {&TimeSpent::computing, &TimeSpent::waiting, &TimeSpent::moving, &TimeSpent::inCollectives,
                            &TimeSpent::inMpi, &TimeSpent::end}) {
        __int128 sum = 0;
        for (const TimeSpent& spent : result.ranks) sum += (spent.*part).count();
        mean.*part = engine::Picoseconds{static_cast<std::int64_t>(sum / static_cast<__int128>(result.ranks.size()))};
    }
    return mean;
}

/// Share of the replayed time after MPI_Init that the change saves; below 0 where it takes longer.
double gainOf(const Replaying& made) {
    const double before = engine::seconds(made.asRecorded.programTime());
    return before > 0 ? 1 - engine::seconds(made.last().programTime()) / before : 0;
}

}  // namespace

ReplaySweep::ReplaySweep(const Trace& trace, const engine::Progress& progress)
    : trace_{trace}, base_{replayed(trace, {}, progress)} {}

SweptReplay ReplaySweep::at(ReplayWish wish, const engine::Progress& progress) const {
    // What is assumed gives way to what is asked for, also where the recorded conditions are replayed.
    if (base_.modelOrigin != "assumed") wish.known = &base_.asRecorded;
    try {
        const Replaying made = replayed(trace_, wish, {.report = {}, .stop = progress.stop});
        const ReplayedRun& last = made.last();
        return {.conditions = made.modelOrigin,
                .recorded = made.recorded,
                .asRecorded = made.asRecorded.result.duration,
                .error = made.error(),
                .errorBesideComputing = made.errorBesideComputing,
                .time = last.result.duration,
                .programTime = last.programTime(),
                .gain = gainOf(made),
                .messages = last.result.messages,
                .bytes = last.result.bytes,
                .mean = meanOf(last.result),
                .stuck = static_cast<std::int64_t>(last.result.stuck.size())};
    } catch (const engine::Error& error) {
        return {.refusal = error.words(), .conditions = {}};
    }
}

}  // namespace app
