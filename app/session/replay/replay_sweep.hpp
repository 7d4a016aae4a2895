// SPDX-License-Identifier: BSD-3-Clause
// Many replays of one program, each with other changes.
#pragma once

#include "app/session/replay/replay_run.hpp"

#include <optional>
#include <string>

namespace app {

/// What one replay of a sweep came to. A refusal leaves everything else empty.
struct SweptReplay {
    /// Why it cannot be replayed like that, as a sentence with marks (engine/base/option_placeholders.hpp).
    std::string refusal{};
    std::string conditions;  ///< Replaying::modelOrigin
    engine::Picoseconds recorded{};
    engine::Picoseconds asRecorded{};  ///< as replayed under the recorded conditions
    double error = 0;                  ///< of that, as Replaying::error()
    std::optional<double> errorBesideComputing{};
    engine::Picoseconds time{};         ///< with what is changed; of one that gets stuck until then
    engine::Picoseconds programTime{};  ///< the part of it after MPI_Init, ReplayedRun::programTime()
    double gain = 0;                    ///< what that saves, as a share of the programTime() of the unchanged replay
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    /// What ranks spent on average: computing, waiting, moving, in collectives. The rest of `time` they had finished
    /// early.
    emulation::TimeSpent mean{};
    std::int64_t stuck = 0;  ///< ranks that wait forever
};

class ReplaySweep {
public:
    /// Replays the recorded conditions, once for all. `trace` outlives the object. Throws Error for what cannot be
    /// replayed; Cancelled.
    explicit ReplaySweep(const Trace& trace, const engine::Progress& progress = {});

    /// From any thread. Mistakes of the user become a refusal: other changes may do. Throws Cancelled.
    [[nodiscard]] SweptReplay at(ReplayWish wish, const engine::Progress& progress = {}) const;

private:
    const Trace& trace_;
    Replaying base_;
};

}  // namespace app
