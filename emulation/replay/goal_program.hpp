// SPDX-License-Identifier: BSD-3-Clause
// A GOAL text as a program: the operations of each rank in chains that wait for one another as the text requires.
#pragma once

#include "emulation/replay/program.hpp"
#include "engine/schedule_files/goal/goal_file.hpp"

#include <string_view>
#include <vector>

namespace emulation {

struct GoalProgram {
    Program program;                        ///< ranks do nothing beside their chains
    std::vector<std::int32_t> processorOf;  ///< by processor: the `cpu` of its rank that it is
    /// By chain and what it does: the line of the operation.
    std::vector<std::vector<std::int64_t>> lines;
};

/// An operation begins when all that it requires have ended and all that it irequires have begun. A send ends when it
/// has left, a receive when it is there. What one `cpu` of a rank calculates takes turns. Throws Error, which begins
/// with `file`, for messages without their other end and for operations that wait for each other.
GoalProgram programOf(const engine::schedules::goal::File& goal, std::string_view file);

}  // namespace emulation
