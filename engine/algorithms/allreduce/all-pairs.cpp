// SPDX-License-Identifier: BSD-3-Clause
// Every rank combines one block, which all others send it directly, and sends the result directly to all others.
//
// Source: as MSCCL's allpairs allreduce; a pairwise reduce-scatter (Thakur, Rabenseifner, Gropp 2005, section 6), then
// a direct allgather. p ranks, m bytes in p blocks, n messages a rank in a round. At distance t (from 1) rank r sends
// block r + t of its own vector to r + t and combines what r - t has of block r; later it sends the finished block r to
// r + t. p = 4 and n = 1; with n = 3 rounds 1 to 3 are one round, and 4 to 6 another:
//
//   round   0 sends    1 sends    2 sends    3 sends
//     1     b1 -> 1    b2 -> 2    b3 -> 3    b0 -> 0
//     2     b2 -> 2    b3 -> 3    b0 -> 0    b1 -> 1
//     3     b3 -> 3    b0 -> 0    b1 -> 1    b2 -> 2
//     4     b0 -> 1    b1 -> 2    b2 -> 3    b3 -> 0
//     5     b0 -> 2    b1 -> 3    b2 -> 0    b3 -> 1
//     6     b0 -> 3    b1 -> 0    b2 -> 1    b3 -> 2
//
// Rounds 2 ceil((p - 1)/n), each alpha + beta m/p with a port for every message, the first half with gamma n m/p.
// Correct because each pair meets once in each direction in either half. Commutative operations only, from p = 3 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/ports_option.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/partial_results.hpp"

#include <algorithm>

namespace engine::algorithms::allreduce_all_pairs {
namespace {

std::int64_t roundsOf(std::int32_t ranks, std::int32_t n) { return (ranks - 2 + n) / n; }

std::optional<Cost> costWith(const Problem& problem, std::int32_t n) {
    const Bytes m = problem.layout.largest();
    const std::int32_t p = problem.groupA;
    if (m % (p * unitOf(problem)) != 0) return std::nullopt;
    const std::int64_t full = (p - 1) / n, rest = (p - 1) % n;
    const std::int64_t inTurn = full * serializedMessages(problem, n) + serializedMessages(problem, rest);
    const Bytes block = m / p;
    return Cost{.startups = 2 * inTurn, .volume = 2 * inTurn * block, .combined = (p - 1) * block};
}

std::int32_t messagesOf(const Problem& problem, const Options& options) {
    return portsOf(problem, options, [&](std::int32_t n) { return costWith(problem, n); });
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA, n = messagesOf(problem, options);
    // Calls `meet(to, from)` for each distance of the round.
    const auto inRound = [p, n](Rank rank, Round round, auto meet) {
        const auto first = static_cast<std::int32_t>(round.value) * n + 1;
        for (std::int32_t t = first; t < std::min(first + n, p); ++t)
            meet(Rank{(rank.value + t) % p}, Rank{(rank.value - t + p) % p});
    };
    const auto combine = [inRound, blocks = blocksOf(problem)](Rank rank, Round round, auto& out) {
        inRound(rank, round, [&](Rank to, Rank from) {
            out.sendPartial(to, 0, stages::AsSpan{blocks[to.value]});
            out.receivePartial(from, 1, from < rank ? Action::prepend : Action::append,
                               stages::AsSpan{blocks[rank.value]});
        });
    };
    const auto spread = [inRound, blocks = blocksOf(problem)](Rank rank, Round round, auto& out) {
        inRound(rank, round, [&](Rank to, Rank from) {
            out.sendPartial(to, 0, stages::AsSpan{blocks[rank.value]});
            out.receivePartial(from, 1, Action::keep, stages::AsSpan{blocks[from.value]});
        });
    };
    return then(Facts{.ranks = p, .ports = n, .pieces = true}, Part{"combine directly", roundsOf(p, n), combine},
                Part{"spread directly", roundsOf(p, n), spread});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    return costWith(problem, messagesOf(problem, options));
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenPorts(options, messagesOf(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/all-pairs",
        .collective = Collective::allreduce,
        .title = "All pairs",
        .idea =
            "Every rank sends each other rank its part of the block that this rank owns, and receives each combined block from its owner: two rounds and the minimum volume if a rank has a port for every other one.",
        .source = "Thakur et al. 2005, section 6, and MSCCL's allpairs",
        .formula = "2 ceil((p - 1)/n)(alpha + beta m/p) + (p - 1)/p gamma m",
        .letters = "p ranks, m bytes, n messages of a rank in a round, each through a port of its own",
        .knownAs = {{"MSCCL", "allreduce", "allpairs"}},
        .options = {portsOption()},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 2; },
        .choose = choose,
    };
}

}  // namespace engine::algorithms::allreduce_all_pairs
