// SPDX-License-Identifier: BSD-3-Clause
// The computation of ranks as it would be otherwise: faster, without a delay, or spread evenly.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// What is to be changed, in the user's words. A REGION is a region of the program, with all that it calls, or a call
/// path such as main/assemble; "(outside of calls)" is what lies in none, as all of the program does where its recorder
/// knows calls of MPI alone; "before main/MPI_Reduce", as causes are named there, is what of that lies directly before
/// a call of this path, or below it.
struct ComputationChange {
    /// Without a region, all computation; calls of MPI that move nothing, such as MPI_Init, take as long as recorded.
    std::vector<std::string> compute{};  ///< "0.5", "assemble=0.5", "rank 3: assemble=0.5": takes so many times as long
    /// "rank 3: assemble": without the delays of the rank there (root_causes.hpp); "assemble": nobody spends any time.
    std::vector<std::string> without{};
    std::vector<std::string> even{};  ///< "assemble": all ranks that spend time there spend the mean of it

    [[nodiscard]] bool empty() const { return compute.empty() && without.empty() && even.empty(); }
};

/// How long stretches of computation take then. `recording` outlives what is returned. Throws Error for words that mean
/// nothing here; Cancelled.
ComputationOf changedOwnTime(const traces::Recording& recording, const ComputationChange& wish,
                             const engine::Progress& progress = {});

}  // namespace app::analysis
