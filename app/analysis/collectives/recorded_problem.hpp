// SPDX-License-Identifier: BSD-3-Clause
// From what a recorder counted in a collective (byte_counting.hpp) to the problem it solved.
#pragma once

#include "engine/problem/problem.hpp"
#include "traces/recording/byte_counting.hpp"

#include <optional>
#include <string>

namespace app::analysis {

struct Instance;

struct RecordedProblem {
    std::optional<engine::Problem> problem;
    std::string why;  ///< a clause where there is none
};

/// The problem that `collective` solved. `instance` knows its ranks and groups, `counting` is that of the recording.
RecordedProblem recordedProblem(const traces::Recording& recording, const traces::Collective& collective,
                                const Instance& instance, traces::Counting counting);

}  // namespace app::analysis
