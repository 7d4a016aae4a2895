// SPDX-License-Identifier: BSD-3-Clause
// The message is scattered in p pieces down a binomial tree; then the pieces go around a ring.
//
// Source: Hasanov et al. 2014, formula (5); two levels: formulas (12) to (15).
// p ranks, m bytes in pieces 0..p-1, longer ones first. p = 4, root 0:
//
//   round   1               2                     3 to 5
//           0 -> 2: 2, 3    0 -> 1: 1  2 -> 3: 3  r -> r + 1: piece r - t mod 4, t = 0, 1, 2
//
// Rounds ceil(log2 p) + p - 1. The root sends everything but its own piece, then each of the p - 1 rounds moves a piece
// over every link of the ring: m - ceil(m/p) + (p - 1) ceil(m/p) serialized bytes, 2 m (p - 1)/p when p divides m.
// Correct because the scatter leaves piece r on the r-th rank from the root, and the ring hands each to all.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_scatter_ring_allgather {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto pieces = stages::pieces(problem.layout.whole(), p);
    Facts facts{.ranks = p};
    facts.repeats = "inner ranks of the scatter tree keep the pieces that went through them, and the ring brings all";
    return then(facts, stages::onAllFrom(p, problem.root, "scatter", stages::BinomialScatter{pieces}),
                stages::onAllFrom(p, problem.root, "ring allgather", stages::RingAllgather{pieces}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const Bytes m = problem.layout.total();
    const Bytes longest = piece({0, m}, p, 0).size();
    return Cost{.startups = stages::ceilLog2(p) + p - 1, .volume = m - longest + (p - 1) * longest};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/scatter-ring-allgather",
        .collective = Collective::bcast,
        .title = "Scatter and ring allgather",
        .idea =
            "The message is scattered, then the pieces are gathered around a ring: about twice the message through each port, for any number of ranks.",
        .source = "Hasanov et al. 2014, formulas (5) and (12) to (15)",
        .formula =
            "(ceil(log2 p) + p - 1) alpha + 2 (p - 1)/p beta m; G groups add (G + p/G - p - 1)(alpha - 2 beta "
            "m/p)",
        .letters = "p ranks, m bytes, G groups (dividing p)",
        .errata = {{"formula (5)", "the print garbles the factor of m beta; it is 2 (p - 1)/p"},
                   {"formula (13)", "has g where G is meant"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "scatter_allgather_ring", .number = 9},
                    {.library = "MPICH", .call = "bcast", .name = "scatter_ring_allgather"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::bcast_scatter_ring_allgather
