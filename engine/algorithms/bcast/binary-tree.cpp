// SPDX-License-Identifier: BSD-3-Clause
// The message goes down a binary tree: every rank serves its left child, then its right child.
//
// Source: Hasanov et al. 2014, formula (4), corrected: two children take two rounds.
// p ranks, m bytes, X segments, heap shape (shapes/heap.hpp). p = 7, root 0, X = 1:
//
//   round   1        2        3        4
//           0 -> 1   0 -> 2   1 -> 4   2 -> 6
//                    1 -> 3   2 -> 5
//
// A = max over ranks of (steps + steps to a right child), 2h on the complete tree of 2^(h+1) - 1 ranks.
// Rounds A + 2(X - 1), each alpha + beta m/X: a rank below the root is free for the next segment two rounds later.
// With longer segments first the consecutive rounds move A ceil(m/X) + 2(m - ceil(m/X)) bytes; on two ranks, where one
// child is served in every round, m bytes in X rounds.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::bcast_binary_tree {
namespace {

std::int32_t period(const Problem& problem) { return problem.groupA > 2 ? 2 : 1; }

std::int64_t segments(const Problem& problem, const Options& options) {
    const std::int64_t filling = shapes::heapLatest(problem.groupA) / period(problem) - 1;
    return segmentsOf(options, filling, problem.layout.total());
}

stages::HeapPipeline tree(const Problem& problem, const Options& options) {
    return {problem.groupA, period(problem), problem.layout.whole(), segments(problem, options)};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "down the tree", tree(problem, options)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const Range whole = problem.layout.whole();
    const Bytes longest = piece(whole, segments(problem, options), 0).size();
    return Cost{.startups = tree(problem, options).rounds(),
                .volume = shapes::heapLatest(problem.groupA) * longest + period(problem) * (whole.size() - longest)};
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenSegments(options, segments(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/binary-tree",
        .collective = Collective::bcast,
        .title = "Binary tree",
        .idea =
            "Every rank forwards the message to two others. With segments, all levels of the tree are active at the same time.",
        .source = "Hasanov et al. 2014, formula (4)",
        .formula = "(A + 2(X - 1))(alpha + beta m/X), A = 2(log2(p + 1) - 1) on the complete tree",
        .letters = "p ranks, m bytes, X segments, A rounds until the last rank holds the first segment",
        .errata = {{"formula (4), binary tree",
                    "log2(p) rounds would need two sends at once; a complete tree of p ranks takes 2(log2(p + 1) - 1)"},
                   {"summary: binary trees do not change",
                    "with the corrected count two levels save up to two rounds, e.g. 10 for 12 at p = 128, G = 8"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "binary_tree", .number = 5}},
        .options = {segmentsOption("1")},
        .plan = plan,
        .predict = predict,
        .choose = choose,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_binary_tree
