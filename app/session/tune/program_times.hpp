// SPDX-License-Identifier: BSD-3-Clause
// Times of a program of the user's in two settings: two orders of ranks, or without and with a file of rules.
#pragma once

#include "app/session/replay/program_run.hpp"

#include <functional>
#include <vector>

namespace app::tune {

/// After MPI_Init, in the order of the runs.
struct ProgramTimes {
    std::vector<engine::Picoseconds> before{};
    std::vector<engine::Picoseconds> after{};
};

/// What is run; `folder` is empty and is removed afterwards.
using WishOf = std::function<ProgramWish(bool isAfter, const std::filesystem::path& folder)>;

/// Runs the program `repeats` times in each setting, in turn. Throws Error where a run fails, or has other than `ranks`
/// ranks (0: any number). Cancelled.
ProgramTimes timesInTurn(const WishOf& wishOf, std::int32_t ranks, std::int32_t repeats,
                         const engine::Progress& progress = {});

}  // namespace app::tune
