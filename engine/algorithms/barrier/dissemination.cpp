// SPDX-License-Identifier: BSD-3-Clause
// In every round each rank tells n others that it, and everyone it has heard of, has come.
//
// Source: End et al. 2016, section III.B; Hensgen, Finkel, Manber 1988, n-way by Hoefler et al. 2006.
// P ranks, n messages per round, N = n + 1. P = 5, n = 1, rank 0:
//
//   round   tells   hears from   has heard of
//     1       1         4        4
//     2       2         3        4 3 2
//     3       4         1        4 3 2 1
//
// Rounds ceil(log_N P), alpha each: the fewest there can be. Correct because after round t a rank has heard of N^t - 1
// ranks to its left; hearing of some twice does no harm here.
#include "engine/stages/dissemination.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::barrier_dissemination {
namespace {

Cost costOf(const Problem& problem, std::int32_t n) {
    const stages::Dissemination spread{problem.groupA, n, 0};
    Cost cost;
    for (std::int64_t round = 0; round < spread.rounds(); ++round)
        cost.startups += serializedMessages(problem, spread.messages(round));
    return cost;
}

std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) { return std::optional{costOf(problem, n)}; });
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t n = messagesOf(problem, options);
    const stages::Dissemination spread{problem.groupA, n, 0};
    return then(Facts{.ranks = problem.groupA, .ports = n}, Part{"dissemination", spread.rounds(), spread});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    return costOf(problem, messagesOf(problem, options));
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenPorts(options, messagesOf(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "barrier/dissemination",
        .collective = Collective::barrier,
        .title = "n-way dissemination",
        .idea = "In each round, every rank signals n others at growing distances: the fewest rounds.",
        .source = "End et al. 2016, section III.B; Hensgen et al. 1988",
        .formula = "ceil(log_N p) alpha",
        .letters = "p ranks, n messages per round (option n), N = n + 1",
        .knownAs = {{.library = "Open MPI", .call = "barrier", .name = "bruck", .number = 4},
                    {.library = "MPICH", .call = "barrier", .name = "dissemination"},
                    {.library = "MPICH", .call = "barrier", .name = "k_dissemination"}},
        .options = {portsOption()},
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::barrier_dissemination
