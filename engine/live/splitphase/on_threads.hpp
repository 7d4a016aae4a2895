// SPDX-License-Identifier: BSD-3-Clause
// Split-phase allreduces with one thread per rank, measured in turn as processes over MPI are: what they leave is the
// same.
#pragma once

#include "engine/live/splitphase/overlapped_computation.hpp"
#include "engine/run/executor.hpp"

namespace engine::splitphase {

/// Runs `plan` with each of `ways` in turn, `warmUps` times unseen and then `repeats` times. One record for each rank,
/// with one entry for each way. All data of the first and the last execution are compared if `check`. Throws Error when
/// the plan cannot run split-phase or has more than 1024 ranks, Cancelled.
std::vector<live::Record> onThreads(const Plan& plan, const std::vector<Settings>& ways, std::int32_t repeats,
                                    std::int32_t warmUps, bool check, const Progress& progress = {});

}  // namespace engine::splitphase
