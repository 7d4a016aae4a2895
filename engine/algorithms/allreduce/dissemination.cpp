// SPDX-License-Identifier: BSD-3-Clause
// n-way dissemination used for a sum: right only where the last round fits without overlap.
//
// Source: End et al. 2016, section III.B, equations (1) to (4); the barrier of Hensgen et al. 1988, n-way by Hoefler
// et al. 2006. P ranks, n messages per round, N = n + 1, k = ceil(log_N P), vectors of m bytes. P = 6, n = 2, rank 0:
//
//   round   hears from ranks   holds
//     1           5 4          0 5 4
//     2            3           0 5 4  3 2 1
//
// Rounds k, each alpha + beta m. Before the last round a rank holds M = N^(k-1) contributions, the next ones to its
// left; the last round adds runs of M. So every contribution is in the result once iff M divides P. Otherwise some are
// in it twice, which minimum and maximum forgive and a sum does not: see adapted-dissemination and bruck.
#include "engine/stages/dissemination.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::allreduce_dissemination {
namespace {

stages::Dissemination kernel(const Problem& problem, std::int32_t n) {
    return {problem.groupA, n, problem.layout.largest()};
}

Cost costOf(const Problem& problem, std::int32_t n) {
    const stages::Dissemination spread = kernel(problem, n);
    const Bytes m = problem.layout.largest();
    Cost cost;
    for (std::int64_t round = 0; round < spread.rounds(); ++round) {
        cost.startups += serializedMessages(problem, spread.messages(round));
        cost.combined += spread.messages(round) * m;
    }
    cost.volume = cost.startups * m;
    return cost;
}

std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) {
        const bool fits = options.is("repeats", "allowed") || kernel(problem, n).exactlyOnce();
        return fits ? std::optional{costOf(problem, n)} : std::nullopt;
    });
}

Objection objects(const Problem& problem, const Options& options) {
    const std::int32_t n = messagesOf(problem, options);
    if (options.is("repeats", "allowed") || kernel(problem, n).exactlyOnce()) return std::nullopt;
    const std::int64_t held = shapes::power(n + 1, shapes::ceilLog(n + 1, problem.groupA) - 1);
    return text("on ", problem.groupA, " ranks with n = ", n, " some contributions would be counted twice, since ",
                held, " does not divide ", problem.groupA,
                "; adapted-dissemination and bruck count each once, and repeats=allowed plans it anyway");
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const stages::Dissemination spread = kernel(problem, messagesOf(problem, options));
    return then(Facts{.ranks = problem.groupA, .ports = messagesOf(problem, options)},
                Part{"dissemination", spread.rounds(), spread});
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
        .id = "allreduce/dissemination",
        .collective = Collective::allreduce,
        .title = "n-way dissemination",
        .idea =
            "In each round, every rank sends its partial result to n others: the fewest rounds, but sums are correct only if N^(k-1) divides p, with k rounds.",
        .source = "End et al. 2016, section III.B, equations (1) to (4)",
        .formula = "ceil(log_N p) (alpha + beta m) + C gamma m",
        .letters = "p ranks, n messages per round (option n), N = n + 1, m bytes, C vectors combined by a rank",
        .errata = {{"equation (1) in the last round",
                    "with all n peers a rank may meet itself or the same peer twice (P = 2, n = 2); only those at a "
                    "distance below P take part"}},
        .options = {portsOption(),
                    {.name = "repeats",
                     .kind = Option::Kind::choice,
                     .fallback = "refused",
                     .meaning = "whether contributions may come twice, as minimum and maximum allow",
                     .choices = {"refused", "allowed"},
                     .broken = "allowed"}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::allreduce_dissemination
