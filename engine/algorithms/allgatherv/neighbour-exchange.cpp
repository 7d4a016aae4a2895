// SPDX-License-Identifier: BSD-3-Clause
// Pairs of neighbours swap their contributions, then each turns to its other neighbour with the two it received last.
//
// Source: Chen, Zhang, Zhang, Yuan 2005 (HPC Asia). p ranks, p even, rank i brings m_i bytes. "23": contributions 2
// and 3. p = 6:
//
//   round   0          1          2          3          4          5          pairs
//     1     0 -> 1     1 -> 0     2 -> 3     3 -> 2     4 -> 5     5 -> 4     01  23  45
//     2     01 -> 5    01 -> 2    23 -> 1    23 -> 4    45 -> 3    45 -> 0    12  34  50
//     3     45 -> 1    23 -> 0    01 -> 3    45 -> 2    23 -> 5    01 -> 4    01  23  45
//
// Rounds p/2; for equal sizes (p - 1) m serialized bytes: half the startups of a ring, between neighbours still.
// Correct because a pair of contributions goes one rank further a round, to both sides: an even rank gets the pairs 2,
// 4, ... below its own in even rounds and those above it in odd ones.
#include "engine/algorithm/algorithm.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::allgatherv_neighbour_exchange {
namespace {

Objection objects(const Problem& problem, const Options&) {
    if (problem.groupA % 2 == 0) return std::nullopt;
    return text("needs an even number of ranks, not ", problem.groupA, "; allgatherv/linear-ring supports any number");
}

/// The first of the two contributions that `rank` gets in round t, counted from 0: its own pair for t = 0.
std::int32_t pairOf(std::int32_t rank, std::int32_t t, std::int32_t p) {
    const std::int32_t own = rank & ~1;
    const std::int32_t apart = (t + 1) / 2 * 2;
    return (rank + t) % 2 == 0 ? (own + apart) % p : (own - apart + p) % p;
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto exchange = [p, layout = problem.layout](Rank rank, Round round, auto& out) {
        const auto t = static_cast<std::int32_t>(round.value);
        const std::int32_t r = rank.value;
        const Rank peer{(r + t) % 2 == 0 ? (r + 1) % p : (r - 1 + p) % p};
        if (t == 0) {
            out.send(peer, layout.block(r));
            out.receive(peer, layout.block(peer.value));
        } else {
            out.send(peer, layout.cyclic(pairOf(r, t - 1, p), 2));
            out.receive(peer, layout.cyclic(pairOf(peer.value, t - 1, p), 2));
        }
    };
    return then(Facts{.ranks = p}, Part{"swap with neighbours", p / 2, exchange});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    return Cost{.startups = problem.groupA / 2, .volume = (problem.groupA - 1) * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/neighbour-exchange",
        .collective = Collective::allgatherv,
        .title = "Neighbour exchange",
        .idea =
            "Every rank exchanges the blocks that it received last with its left and its right neighbour alternately: half the rounds of a ring on the same links.",
        .source = "Chen et al. 2005",
        .formula = "p/2 alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, p even, m bytes of each",
        .knownAs = {{"Open MPI", "allgather", "neighbor", 5}, {"Open MPI", "allgatherv", "neighbor", 4}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_neighbour_exchange
