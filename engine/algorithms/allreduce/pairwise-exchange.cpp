// SPDX-License-Identifier: BSD-3-Clause
// The ranks above a power of two hand their vectors to the first ones, a butterfly runs, and they get the result back.
//
// Source: End et al. 2016, section III.A and figure 1 (right). P = 2^k + q ranks, 0 <= q < 2^k, vectors of m bytes.
// P = 5:
//
//   round   1        2                  3                  4
//           4 -> 0   0 <-> 1  2 <-> 3   0 <-> 2  1 <-> 3   0 -> 4
//
// fold=ends is that. fold=pairs, as libraries do it under the name recursive doubling: neighbours 2i and 2i + 1 of the
// first 2q ranks fold, and the odd one takes part (shapes/folding.hpp): 0 -> 1, butterfly of 1 2 3 4, 1 -> 0.
// Rounds k, and two more if q > 0, each alpha + beta m on one port. Correct because after round t of the butterfly a
// rank has combined all that agree with it in all but the lowest t bits, with what was handed to them. With P = 2^k, or
// fold=pairs, all ranks combine in the order 0, 1, ..., P - 1 and get the same bits even in floating point.
#include "engine/algorithm/algorithm.hpp"
#include "engine/stages/butterfly.hpp"

namespace engine::algorithms::allreduce_pairwise_exchange {
namespace {

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Bytes m = problem.layout.largest();
    return options.is("fold", "pairs") ? stages::butterflyWithPairs(problem.groupA, m)
                                       : stages::butterflyWithEnds(problem.groupA, m);
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const stages::Division of{problem.groupA};
    const Bytes m = problem.layout.largest();
    return Cost{
        .startups = of.allRounds(), .volume = of.allRounds() * m, .combined = (of.rounds + (of.rest > 0 ? 1 : 0)) * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/pairwise-exchange",
        .collective = Collective::allreduce,
        .title = "Recursive doubling",
        .idea =
            "Pairs at doubling distances exchange their partial results, on the largest power of two of ranks. The other ranks send their vectors to partners before it and receive the result after it.",
        .source = "End et al. 2016, section III.A and figure 1",
        .formula =
            "(floor(log2 p) + 2 [p is no power of two]) (alpha + beta m) + (floor(log2 p) + [p is no power of two]) gamma m",
        .letters = "p ranks, m bytes, [condition] = 1 if it holds, else 0",
        .errata = {{"number of rounds", "floor(log2 P) + 2 holds only if P is no power of two; otherwise log2 P"}},
        .knownAs = {{"Open MPI", "allreduce", "recursive_doubling", 3}, {"MPICH", "allreduce", "recursive_doubling"}},
        .options = {{.name = "fold",
                     .kind = Option::Kind::choice,
                     .fallback = "ends",
                     .meaning =
                         "which ranks hand in if the number of ranks is no power of two: those above it, to the first "
                         "ones; or of neighbours the lower one, to the other, which keeps the order of ranks (as "
                         "libraries do)",
                     .choices = {"ends", "pairs"}}},
        .plan = plan,
        .predict = predict,
        .keepsOrder =
            [](const Problem& problem, const Options& options) {
                return stages::Division{problem.groupA}.rest == 0 || options.is("fold", "pairs");
            },
    };
}

}  // namespace engine::algorithms::allreduce_pairwise_exchange
