// SPDX-License-Identifier: BSD-3-Clause
// In every round each rank sends its own part of one block to the rank that wants it.
//
// Source: Thakur, Rabenseifner, Gropp 2005, section 6. p ranks, m bytes in p blocks. In round t (from 1) rank r sends
// block r + t of its own vector to r + t, and combines what r - t has of block r. p = 4:
//
//   round   0 sends    1 sends    2 sends    3 sends
//     1     b1 -> 1    b2 -> 2    b3 -> 3    b0 -> 0
//     2     b2 -> 2    b3 -> 3    b0 -> 0    b1 -> 1
//     3     b3 -> 3    b0 -> 0    b1 -> 1    b2 -> 2
//
// Rounds p - 1, each alpha + (beta + gamma) m/p. Correct because each pair meets once in each direction. A rank
// combines those below it in falling order, then those above it in falling order: commutative operations only, from p =
// 3 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::reduce_scatter_pairwise_exchange {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto exchange = [p, blocks = blocksOf(problem)](Rank rank, Round round, auto& out) {
        const auto t = static_cast<std::int32_t>(round.value) + 1;
        const Rank to{(rank.value + t) % p};
        const Rank from{(rank.value - t + p) % p};
        out.sendPartial(to, 0, stages::AsSpan{blocks[to.value]});
        out.receivePartial(from, 1, from < rank ? Action::prepend : Action::append, stages::AsSpan{blocks[rank.value]});
    };
    return then(Facts{.ranks = p, .pieces = true}, Part{"pairwise", p - 1, exchange});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    const Bytes block = blocksOf(problem).largest();
    return Cost{.startups = rounds, .volume = rounds * block, .combined = rounds * block};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce-scatter/pairwise-exchange",
        .collective = Collective::reduceScatter,
        .title = "Pairwise exchange",
        .idea =
            "Every rank sends each other rank its part of the block that this rank owns, one per round: no partial results are forwarded.",
        .source = "Thakur et al. 2005, section 6",
        .formula = "(p - 1)(alpha + (beta + gamma) m/p)",
        .letters = "p ranks, m bytes",
        .knownAs = {{"MPICH", "reduce_scatter", "pairwise"}, {"MPICH", "reduce_scatter_block", "pairwise"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
    };
}

}  // namespace engine::algorithms::reduce_scatter_pairwise_exchange
