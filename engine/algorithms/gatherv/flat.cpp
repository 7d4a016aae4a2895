// SPDX-License-Identifier: BSD-3-Clause
// One rank after the other sends its contribution to the root.
//
// Source: Chan, Heimlich, Purkayastha, van de Geijn 2007, section 3 (naive gather). p ranks, m bytes each, root r.
// p = 5, r = 0:
//
//   round   1        2        3        4
//           1 -> 0   2 -> 0   3 -> 0   4 -> 0
//
// Rounds p - 1, each alpha + beta m for equal sizes; in general all bytes but the root's in a row. Correct because
// round t brings the contribution of the t-th rank after the root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/stages/linear_transfers.hpp"

namespace engine::algorithms::gatherv_flat {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    return stages::linearTransfers(problem, stages::Towards::root);
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return stages::LinearTransfers{problem, stages::Towards::root}.cost();
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "gatherv/flat",
        .collective = Collective::gatherv,
        .title = "Flat tree",
        .idea =
            "Every other rank sends its block to the root, one after the other: each block is sent once, but costs a startup at the root.",
        .source = "Chan et al. 2007, section 3",
        .formula = "(p - 1) alpha + beta M",
        .letters = "p ranks, M bytes of all ranks but the root",
        .knownAs = {{.library = "Open MPI", .call = "gather", .name = "basic_linear", .number = 1},
                    {.library = "MPICH", .call = "gatherv", .name = "linear"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::gatherv_flat
