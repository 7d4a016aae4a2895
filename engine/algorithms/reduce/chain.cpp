// SPDX-License-Identifier: BSD-3-Clause
// Every rank adds its vector to what comes from the next one and passes it on: the broadcast of the same name,
// backwards.
//
// Source: Pjesivac-Grbovic et al. 2007, section 3 (chain). p ranks, m bytes, f chains. p = 6, root 0:
//
//   round   f = 1    f = 2
//     1     5 -> 4   3 -> 2   5 -> 4
//     2     4 -> 3   2 -> 1   4 -> 0
//     3     3 -> 2   1 -> 0
//     4     2 -> 1
//     5     1 -> 0
//
// Rounds floor((p - 1)/f) + f - 1, each alpha + (beta + gamma) m. Correct because a rank passes on what it and all
// behind it in its chain have brought; one chain that ends at rank 0 holds them in the order of their ranks.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::reduce_chain {
namespace {

stages::Chains chains(const Problem& problem, const Options& options) {
    return {problem.groupA, options.number("fanout"), Range{0, problem.layout.largest()}, 1};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const stages::Backwards up{.vector = problem.layout.largest()};
    const stages::Chains down = chains(problem, options);
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "along the chain",
                                                     stages::ReversedBroadcast{down, down.rounds(), up}));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t rounds = chains(problem, options).rounds();
    const Bytes volume = rounds * problem.layout.largest();
    return Cost{.startups = rounds, .volume = volume, .combined = volume};
}

bool keepsOrder(const Problem& problem, const Options& options) {
    return problem.root == Rank{0} && (options.number("fanout") == 1 || problem.groupA <= 2);
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/chain",
        .collective = Collective::reduce,
        .title = "Chain",
        .idea =
            "Every rank combines its whole vector with the one that it receives and sends the result on: each rank sends once, but only one at a time.",
        .source = "Pjesivac-Grbovic et al. 2007, section 3",
        .formula = "(floor((p - 1)/f) + f - 1)(alpha + beta m + gamma m)",
        .letters = "p ranks, m bytes, f chains (option fanout)",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "chain", .number = 2}},
        .options = {{.name = "fanout",
                     .kind = Option::Kind::integer,
                     .fallback = "1",
                     .meaning = "chains that end at the root (f)"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = keepsOrder,
    };
}

}  // namespace engine::algorithms::reduce_chain
