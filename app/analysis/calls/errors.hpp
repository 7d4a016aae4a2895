// SPDX-License-Identifier: BSD-3-Clause
// Calls of MPI that returned an error, as Collscope's recorder notes it.
#pragma once

#include "app/analysis/selection/selection.hpp"

#include <string>
#include <vector>

namespace app::analysis {

struct CallError {
    engine::Rank rank;
    std::size_t location = 0;     ///< index into Recording::locations
    std::int32_t region = 0;      ///< of the call, index into Recording::regions
    engine::Picoseconds begin{};  ///< the call was entered
    engine::Picoseconds end{};    ///< and left
    std::string errorClass{};     ///< "MPI_ERR_TRUNCATE"
};

/// By their begins, then by ranks: those of the selection's ranks that lie in its time. A call that completes several
/// requests has one for each that failed.
std::vector<CallError> callErrors(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
