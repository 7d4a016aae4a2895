// SPDX-License-Identifier: BSD-3-Clause
// Every rank passes the whole message on to the next one; with a fan-out, the root feeds several such chains.
//
// Source: Hasanov et al. 2014, formula (2); two levels: formulas (8) to (10).
// p ranks, m bytes, f chains. p = 6, root 0:
//
//   round   f = 1    f = 2
//     1     0 -> 1   0 -> 1
//     2     1 -> 2   1 -> 2   0 -> 4
//     3     2 -> 3   2 -> 3   4 -> 5
//     4     3 -> 4
//     5     4 -> 5
//
// Rounds floor((p - 1)/f) + f - 1, each alpha + beta m. Correct because the i-th head is served in round i and every
// rank passes on what came in the round before.
//
// The experiments of the paper gain a factor of 3 from groups on 128 ranks; chains with a fan-out of 4 would explain it
// (34 rounds against 10 with 8 groups). That they were used there is a conjecture.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::bcast_chain {
namespace {

stages::Chains chains(const Problem& problem, const Options& options) {
    return {problem.groupA, options.number("fanout"), problem.layout.whole(), 1};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "along the chain", chains(problem, options)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t rounds = chains(problem, options).rounds();
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/chain",
        .collective = Collective::bcast,
        .title = "Chain",
        .idea =
            "Every rank forwards the whole message to its successor: each rank sends once, but only one rank sends at a time.",
        .source = "Hasanov et al. 2014, formulas (2) and (8) to (10)",
        .formula = "(floor((p - 1)/f) + f - 1)(alpha + beta m); with f = 1 in G groups (G + p/G - 2)(alpha + beta m)",
        .letters = "p ranks, m bytes, f chains (option fanout), G groups",
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "chain", .number = 2}},
        .options = {{.name = "fanout",
                     .kind = Option::Kind::integer,
                     .fallback = "1",
                     .meaning = "chains that the root feeds (f)"}},
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_chain
