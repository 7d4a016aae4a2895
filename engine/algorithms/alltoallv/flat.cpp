// SPDX-License-Identifier: BSD-3-Clause
// Every rank sends to each other one what it has for it, in the order of their distance; as many at a time as ports.
//
// Source: folklore; "basic linear" or "scattered" in libraries, which start all at once. p ranks, m bytes for each
// pair, n ports. p = 4, on one port:
//
//   round   messages
//     1     0 -> 1   1 -> 2   2 -> 3   3 -> 0
//     2     0 -> 2   1 -> 3   2 -> 0   3 -> 1
//     3     0 -> 3   1 -> 0   2 -> 1   3 -> 2
//
// Rounds ceil((p - 1)/n), each alpha + beta m for equal sizes. Correct because each distance comes once.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>

namespace engine::algorithms::alltoallv_flat {
namespace {

std::int64_t roundsOf(const Problem& problem) {
    return (std::int64_t{problem.groupA} - 1 + problem.ports - 1) / problem.ports;
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int64_t ports = problem.ports;
    const auto send = [=, layout = problem.layout](Rank rank, Round round, auto& out) {
        const std::int64_t first = round.value * ports + 1;
        for (std::int64_t t = first; t < std::min<std::int64_t>(first + ports, p); ++t) {
            const Rank to = shapes::around(rank, t, p);
            const Rank from = shapes::around(rank, -t, p);
            out.send(to, layout.block(rank.value * p + to.value));
            out.receive(from, layout.block(from.value * p + rank.value));
        }
    };
    return then(Facts{.ranks = p, .ports = problem.ports}, Part{"serve all", roundsOf(problem), send});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t rounds = roundsOf(problem);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "alltoallv/flat",
        .collective = Collective::alltoallv,
        .title = "Flat",
        .idea =
            "Every rank sends its blocks directly to all others, beginning with the next rank: each block is sent once, and no rank waits for a partner.",
        .source = "folklore; basic linear in libraries",
        .formula = "ceil((p - 1)/n)(alpha + beta m) for equal sizes",
        .letters = "p ranks, m bytes for each pair, n ports",
        .knownAs = {{"Open MPI", "alltoall", "linear", 1},
                    {"Open MPI", "alltoallv", "basic_linear", 1},
                    {"MPICH", "alltoall", "scattered"},
                    {"MPICH", "alltoallv", "scattered"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::alltoallv_flat
