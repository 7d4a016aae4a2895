// SPDX-License-Identifier: BSD-3-Clause
// The record of a split-phase run: its messages, and three regions of each rank, start, compute and wait.
#pragma once

#include "emulation/splitphase/split_clock.hpp"
#include "emulation/splitphase/split_messages.hpp"

namespace emulation {

/// The run without its setting's conditions. Keeps at most `budget` messages.
engine::Run recordOf(const engine::Plan& plan, const SplitMessages& messages,
                     const engine::ById<Rank, SplitPhaseTimes>& times, std::int64_t budget);

}  // namespace emulation
