// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI that returned an error, as recorded by Collscope.
#pragma once

#include "app/analysis/selection/trace_selection.hpp"

#include <string>
#include <vector>

namespace app::analysis {

struct CallError {
    engine::Rank rank;
    std::int32_t region = 0;      ///< of the call, index into Recording::regions
    engine::Picoseconds begin{};  ///< entry into the call
    engine::Picoseconds end{};    ///< exit from it
    std::string errorClass{};     ///< "MPI_ERR_TRUNCATE"
};

/// Errors of the selected ranks and time, ordered by start and rank. A call that completes several requests has one
/// entry for each request that failed.
std::vector<CallError> callErrors(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
