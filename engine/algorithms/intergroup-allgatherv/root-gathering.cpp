// SPDX-License-Identifier: BSD-3-Clause
// One root per group gathers, the roots swap, and each hands the other group's contributions down a chain.
//
// Source: Kang et al. 2019, section 3.1, equation (1): the best form of what MPI libraries do.
// Groups A (ranks 0..p-1, kA bytes each) and B (ranks p..p+q-1, kB each), roots a0 and b0, g segments, lg = ceil log2.
//
// p = 4, q = 2, g = 2; "A" are all contributions of A, "A1 A2" its segments:
//
//   round   stage        in and from A                in and from B
//     1     gather       a1->a0    a3->a2             b1->b0
//     2                  a2->a0 (of a2 and a3)
//     3     roots        a0->b0 A                     b0->a0 B
//     4     broadcast    a0->a1 B1                    b0->b1 A1
//     5                  a0->a1 B2    a1->a2 B1       b0->b1 A2
//     6                  a1->a2 B2    a2->a3 B1
//     7                  a2->a3 B2
//
// Rounds lg max(p,q) + 1 + g + max(p,q) - 2; serialized bytes about max((p-1) kA, (q-1) kB) + M + M (1 + (max-2)/g)
// with M = max(p kA, q kB): towards 3 M for many segments, where M is the bound. The paper's lg max(p,q) rounds for the
// last stage stand for any optimal broadcast.
// Correct because a root holds its whole group's contributions after the gather.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::intergroup_allgatherv_root_gathering {
namespace {

std::int64_t segments(const Problem& problem, const Options& options) {
    const Bytes larger =
        std::max(contributionsOf(problem, groupA(problem)).size(), contributionsOf(problem, groupB(problem)).size());
    return segmentsOf(options, std::max(problem.groupA, problem.groupB) - 2, larger);
}

stages::Chains chain(std::int32_t members, Range message, std::int64_t segments) {
    return {members, 1, message, segments};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const Range fromA = contributionsOf(problem, a);
    const Range fromB = contributionsOf(problem, b);
    const std::int64_t cuts = segments(problem, options);
    const auto swap = [=](Rank rank, Round, auto& out) {
        const bool isA = rank == Rank{a.first};
        if (!isA && rank != Rank{b.first}) return;
        const Rank other{isA ? b.first : a.first};
        out.send(other, isA ? fromA : fromB);
        out.receive(other, isA ? fromB : fromA);
    };
    return withGather(problem, options, [&](auto gather) {
        return then(Facts{.ranks = problem.ranks()}, std::move(gather), Part{"roots", 1, swap},
                    inBoth("broadcast", a, chain(a.size, fromB, cuts), b, chain(b.size, fromA, cuts)));
    });
}

Objection objects(const Problem& problem, const Options& options) {
    return stages::againstGather(options, "gather", {problem.groupA, problem.groupB});
}

/// Exact for equal sizes per group and equal segments.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const auto kA = equalSize(problem, a);
    const auto kB = equalSize(problem, b);
    const std::int64_t cuts = segments(problem, options);
    if (!kA || !kB || a.size * *kA % cuts != 0 || b.size * *kB % cuts != 0) return std::nullopt;
    const Bytes all = std::max(a.size * *kA, b.size * *kB);
    const std::int64_t roundsA = chain(a.size, {}, cuts).rounds();
    const std::int64_t roundsB = chain(b.size, {}, cuts).rounds();
    const Bytes segmentA = b.size * *kB / cuts;  // A's chain hands down what B brings
    const Bytes segmentB = a.size * *kA / cuts;
    const std::int64_t both = std::min(roundsA, roundsB);
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    return Cost{.startups = stages::gatherRounds(by, std::max(a.size, b.size)) + 1 + std::max(roundsA, roundsB),
                .volume = gatherBytes(by, {a.size, *kA}, {b.size, *kB}) + all + both * std::max(segmentA, segmentB) +
                          (roundsA - both) * segmentA + (roundsB - both) * segmentB};
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenSegments(options, segments(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allgatherv/root-gathering",
        .collective = Collective::intergroupAllgatherv,
        .title = "Root gathering",
        .idea =
            "One root per group gathers, the roots exchange all contributions, and chains distribute them in segments: about three times the minimum volume.",
        .source = "Kang et al. 2019, section 3.1, equation (1)",
        .formula = "(lg n + 1 + g + n - 2) alpha + (D + M + (g + s - 2) M/g + (n - s) K/g) beta",
        .letters =
            "p ranks of A with kA bytes each, q of B with kB; n = max(p, q), s = min(p, q) >= 2; M = max(p kA, q kB); K "
            "is the bytes that a rank of the larger group receives; g segments; lg = ceil(log2). D is the bytes of both "
            "groups' gathers in lockstep: the larger of d_t(p) kA and d_t(q) kB of every round t added up, where "
            "d_t(n) = min(2^t, n - 2^t) while 2^t < n. D = max((p - 1) kA, (q - 1) kB) if the same group has the larger "
            "message in every round",
        .errata = {{"equation (1), second line",
                    "the equality is a bound only: 2M + max((p-1) kA, (q-1) kB) exceeds "
                    "max((3p-1) kA, (3q-1) kB) for p=2, kA=5, q=9, kB=1"}},
        .options = {segmentsOption("auto"), gatherToRootsOption()},
        .objects = objects,
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::intergroup_allgatherv_root_gathering
