// SPDX-License-Identifier: BSD-3-Clause
// The root sends one rank after the other its contribution.
//
// Source: Chan, Heimlich, Purkayastha, van de Geijn 2007, section 3 (naive scatter). p ranks, m bytes each, root r.
// p = 5, r = 0:
//
//   round   1        2        3        4
//           0 -> 1   0 -> 2   0 -> 3   0 -> 4
//
// Rounds p - 1, each alpha + beta m for equal sizes; in general all bytes but the root's in a row. Correct because
// round t serves the t-th rank after the root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/stages/linear_transfers.hpp"

namespace engine::algorithms::scatterv_flat {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    return stages::linearTransfers(problem, stages::Towards::others);
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return stages::LinearTransfers{problem, stages::Towards::others}.cost();
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "scatterv/flat",
        .collective = Collective::scatterv,
        .title = "Flat tree",
        .idea =
            "The root sends each rank its block, one after the other: each block is sent once, but costs a startup at the root.",
        .source = "Chan et al. 2007, section 3",
        .formula = "(p - 1) alpha + beta M",
        .letters = "p ranks, M bytes of all ranks but the root",
        .knownAs = {{.library = "Open MPI", .call = "scatter", .name = "basic_linear", .number = 1},
                    {.library = "Open MPI", .call = "scatter", .name = "linear_nb", .number = 3},
                    {.library = "MPICH", .call = "scatterv", .name = "linear"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::scatterv_flat
