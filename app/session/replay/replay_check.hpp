// SPDX-License-Identifier: BSD-3-Clause
// What a replay predicts, compared with the program itself: run with the same algorithms, recorded, and put beside it.
#pragma once

#include "app/session/replay/replay_run.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct CheckWish {
    std::string command;                         ///< that starts the program: "mpirun -n 8 ./program"
    bool lab = false;                            ///< in the lab that stands
    std::int32_t repeats = 1;                    ///< times that it is run; the run of median length counts
    std::optional<std::chrono::seconds> most{};  ///< that a run may take; else long enough for what is predicted
    std::optional<std::filesystem::path>
        kept{};  ///< where the archive of the median run is written; does not exist yet
};

struct Checked {
    std::vector<engine::Picoseconds> times{};  ///< of every run, from when all had left MPI_Init, as they came
    engine::Picoseconds measured{};            ///< that of median length; of an even number the shorter
    engine::Picoseconds predicted{};           ///< by the last replay, likewise
    engine::Picoseconds recorded{};            ///< likewise, in the trace
    engine::Picoseconds replayed{};            ///< likewise, under its conditions
    engine::Table table{};                     ///< these, with errors
    engine::Table activities{};                ///< mean times of ranks by what they did: predicted and measured
    std::vector<std::string> remarks{};
    std::string said{};     ///< by the program, up to 64 KiB of each run
    std::string trouble{};  ///< why nothing was measured, as a sentence

    /// What the prediction is off by, as a share of what was measured.
    [[nodiscard]] double error() const;
};

/// What the user may want to know before: the command as it is started. Throws Error where it cannot be.
std::string commandOfCheck(const Replaying& replaying, const CheckWish& wish);

/// Runs the program. Throws Error for what cannot be started or written; Cancelled.
Checked checked(const Replaying& replaying, const CheckWish& wish, const engine::Progress& progress = {});

}  // namespace app
