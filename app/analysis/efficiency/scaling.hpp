// SPDX-License-Identifier: BSD-3-Clause
// How the efficiency of a program changes with its number of ranks, by POP's multiplicative model
// (https://pop-coe.eu/node/69). The reference is the trace with the fewest ranks.
//
//   computation scalability = computation of the reference / computation: summed over ranks when the problem stays
//                             the same (strong scaling), of a rank on average when it grows with the ranks (weak)
//   global efficiency = parallel efficiency × computation scalability
//   computation scalability = instruction scalability × IPC scalability × frequency scalability, where every trace has
//                             counters of instructions and cycles: what instructions of the reference are of those of
//                             the trace, and instructions per cycle and cycles per second of the trace of those of the
//                             reference, while ranks compute
//   speedup = time of the reference / time, for weak scaling times ranks / ranks of the reference
#pragma once

#include "app/analysis/efficiency/computation_counters.hpp"
#include "app/analysis/efficiency/efficiency.hpp"
#include "engine/base/table.hpp"

#include <span>
#include <string>

namespace app::analysis {

enum class ScalingKind : std::uint8_t { strong, weak };

struct ScalingTrace {
    std::string label;
    std::int32_t ranks = 0;
    Efficiency efficiency;  ///< with idealTime
    std::optional<ComputationCounters> counters{};
};

/// One row for each trace, in the order of their ranks. `traces` is not empty.
engine::Table scalingTable(std::span<const ScalingTrace> traces, ScalingKind kind);

/// How deep a column of that table stands below the efficiency whose factor it is: 0 for the global efficiency, and for
/// what is no efficiency.
int factorDepth(const engine::Column& column);

}  // namespace app::analysis
