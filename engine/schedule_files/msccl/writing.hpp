// SPDX-License-Identifier: BSD-3-Clause
// A schedule as MSCCL's XML.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::msccl {

/// Writes the file and returns what it cannot carry, in sentences. A GPU has one thread block for each other one that
/// it sends to, one for each that it receives from, and one that copies; they wait for each other where they use the
/// same chunk. Throws Error where MSCCL has no such collective or sizes, and where the schedule is not proved.
std::vector<std::string> write(const Schedule& schedule, const Problem& problem, std::string_view name,
                               std::ostream& out);

}  // namespace engine::schedules::msccl
