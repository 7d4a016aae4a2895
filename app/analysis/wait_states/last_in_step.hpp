// SPDX-License-Identifier: BSD-3-Clause
// Since when a late thread had spent more time than the one that waited for it. Two threads are in step when one has
// waited for the other, or both have left one collective or one barrier of threads. A collective that nobody leaves
// before all are there joins them as they leave it; any other, such as a broadcast, as they enter it.
#pragma once

#include "app/analysis/wait_states/wait_states.hpp"

#include <span>
#include <vector>

namespace app::analysis {

/// Until when two threads were in step, by the clock of each.
struct InStep {
    engine::Picoseconds late{};
    engine::Picoseconds waiter{};
    bool joined = false;  ///< as they left what nobody leaves before all are there
};
/// By delay, which rise by their ends: until when its two threads had last been in step.
std::vector<InStep> stepsOf(std::span<const Delay> delays, const TracedWaits& waits,
                            const traces::Recording& recording);

}  // namespace app::analysis
