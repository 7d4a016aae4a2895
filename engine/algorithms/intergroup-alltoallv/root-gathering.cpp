// SPDX-License-Identifier: BSD-3-Clause
// Each group gathers all it has to send on its first rank; the two swap, and scatter what they got.
//
// Source: the root gathering of Kang et al. 2019, section 3.1, on blocks for one rank each. p and q ranks, m bytes for
// each pair. A has ranks 0, 1, B has 2, 3; "02" is what 0 has for 2:
//
//   round   stage      messages
//     1     gather     1 -> 0: 12 13               3 -> 2: 30 31
//     2     exchange   0 -> 2: 02 03 12 13         2 -> 0: 20 21 30 31
//     3     scatter    0 -> 1: 21 31               2 -> 3: 03 13
//
// Rounds 2 ceil(log2 max(p, q)) + 1; for equal sizes about 3 p q m serialized bytes, where pairwise exchange has max(p,
// q) m: for short messages only. Correct because a leader has all of its group's blocks when it sends, and all that are
// for its group when it scatters.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_shares.hpp"

namespace engine::algorithms::intergroup_alltoallv_root_gathering {
namespace {

/// What member i of one group has for the other, as it lies on the line.
auto sent(const Problem& problem, Group from, Group to) {
    const std::int32_t first = from.first == 0 ? 0 : from.size * to.size;
    return stages::EndToEnd{from.size, [first, row = to.size, layout = problem.layout](std::int32_t i) {
                                return layout.offset(first + i * row);
                            }};
}

/// What member i of one group gets from the other.
auto received(const Problem& problem, Group from, Group to) {
    return stages::Scattered{
        to.size, [=](std::int32_t i, auto&& take) {
            for (Rank sender{from.first}; sender.value < from.first + from.size; ++sender)
                take(problem.layout.block(blockBetween(problem, sender, to.global(Rank{i})).value));
        }};
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const Range fromA = problem.layout.blocks(0, a.size * b.size);
    const Range fromB = problem.layout.blocks(a.size * b.size, a.size * b.size);
    const auto exchange = [=](Rank rank, Round, auto& out) {
        if (rank.value != a.first && rank.value != b.first) return;
        const bool inA = rank.value == a.first;
        const Rank other{inA ? b.first : a.first};
        out.send(other, inA ? fromA : fromB);
        out.receive(other, inA ? fromB : fromA);
    };
    return then(Facts{.ranks = problem.ranks()},
                inBoth("gather", a, stages::BinomialGather{sent(problem, a, b)}, b,
                       stages::BinomialGather{sent(problem, b, a)}),
                Part{"exchange", 1, exchange},
                inBoth("scatter", a, stages::BinomialScatter{received(problem, b, a)}, b,
                       stages::BinomialScatter{received(problem, a, b)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    const Bytes m = problem.layout.largest();
    const std::int32_t inA = stages::ceilLog2(p);
    const std::int32_t inB = stages::ceilLog2(q);
    Cost cost{.startups = 2 * std::max(inA, inB) + 1, .volume = m * p * q};
    const auto run = [](std::int32_t n, std::int32_t t) { return t < 0 ? 0 : doublingRun(n, t); };
    for (std::int32_t t = 0; t < std::max(inA, inB); ++t)
        cost.volume +=
            m * (std::max(run(p, t) * q, run(q, t) * p) + std::max(run(p, inA - 1 - t) * q, run(q, inB - 1 - t) * p));
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-alltoallv/root-gathering",
        .collective = Collective::intergroupAlltoallv,
        .title = "Root gathering",
        .idea =
            "The first rank of each group gathers the group's blocks, the two exchange them, and each scatters what it received: few rounds, but all bytes pass through two ranks.",
        .source = "Kang et al. 2019, section 3.1, on other contents",
        .formula = "(2 ceil(log2 max(p, q)) + 1) alpha + (p q m + D) beta for equal sizes",
        .letters =
            "p and q ranks, m bytes for each pair. D is the bytes of the gathers and the scatters: both groups' rounds in "
            "lockstep, the larger message of every round added up; 2 p (p - 1) m for p = q",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_alltoallv_root_gathering
