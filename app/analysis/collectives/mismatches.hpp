// SPDX-License-Identifier: BSD-3-Clause
// Collectives whose ranks pass arguments that the MPI standard requires to agree and that do not: roots, operations,
// numbers of bytes, the order of calls.
#pragma once

#include "app/analysis/selection/trace_selection.hpp"
#include "engine/live/hang_diagnosis/argument_agreement.hpp"

#include <string>
#include <vector>

namespace app::analysis {

struct Mismatch {
    std::int32_t communicator = 0;  ///< its place in the recording
    std::int64_t call = 0;          ///< which of its collectives, from 1
    std::string operation{};        ///< "MPI_Bcast"; empty where that is what they disagree about
    engine::Picoseconds begin{};    ///< the first rank entered it
    engine::live::Disagreement disagreement{};
    std::vector<std::int32_t> ranks{};  ///< of the world, by place in the disagreement

    /// "rank 2 passes root 2, ranks 0, 1, 3 pass root 0"
    [[nodiscard]] std::string sentence() const { return sentenceOf(disagreement, ranks); }
};

/// By their begins. Nothing for what the standard allows, and nothing where the recording does not tell enough.
std::vector<Mismatch> mismatchesOf(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
