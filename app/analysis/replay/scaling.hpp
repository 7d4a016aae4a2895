// SPDX-License-Identifier: BSD-3-Clause
// How the efficiency of a program changes with its number of ranks, by POP's multiplicative model
// (https://pop-coe.eu/node/69). The reference is the trace with the fewest ranks.
//
//   computation scalability = computation of the reference / computation: summed over ranks when the problem stays
//                             the same (strong scaling), of a rank on average when it grows with the ranks (weak)
//   global efficiency = parallel efficiency × computation scalability
//   speedup = time of the reference / time, for weak scaling times ranks / ranks of the reference
#pragma once

#include "app/analysis/replay/efficiency.hpp"
#include "engine/base/table.hpp"

#include <span>
#include <string>

namespace app::analysis {

enum class ScalingKind : std::uint8_t { strong, weak };

struct ScalingTrace {
    std::string label;
    std::int32_t ranks = 0;
    Efficiency efficiency;  ///< with idealTime
};

/// One row for each trace, in the order of their ranks. `traces` is not empty.
engine::Table scalingTable(std::span<const ScalingTrace> traces, ScalingKind kind);

}  // namespace app::analysis
