// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined up a binary tree: every rank takes in its right child's, then its left child's; the broadcast
// of the same name, backwards.
//
// Source: Pjesivac-Grbovic et al. 2007, section 3 (binary tree). p ranks, m bytes, X segments of whole elements, the
// last one first, heap shape (shapes/heap.hpp). p = 7, root 0, X = 1:
//
//   round   1        2        3        4
//           6 -> 2   5 -> 2   2 -> 0   1 -> 0
//                    4 -> 1   3 -> 1
//
// Rounds A + 2(X - 1), each alpha + (beta + gamma) m/X, with A as in the broadcast, 2h on the complete tree of
// 2^(h+1) - 1 ranks; longer segments go last. Correct because a rank has both children's when it sends: the rounds in
// which the broadcast let it pass a segment on come first now. Ranks of a tree in heap order are no neighbours, so
// operations must commute, but on a chain, which two ranks are.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::reduce_binary_tree {
namespace {

std::int32_t period(const Problem& problem) { return problem.groupA > 2 ? 2 : 1; }

std::int64_t segments(const Problem& problem, const Options& options) {
    const std::int64_t filling = shapes::heapLatest(problem.groupA) / period(problem) - 1;
    return segmentsOf(options, filling, problem);
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int64_t cuts = segments(problem, options);
    const stages::Backwards up{.vector = problem.layout.largest(), .unit = unitOf(problem), .whole = cuts == 1};
    const stages::HeapPipeline down{p, period(problem), up.message(), cuts};
    return then(Facts{.ranks = p, .pieces = !up.whole},
                stages::onAllFrom(p, problem.root, "up the tree", stages::ReversedBroadcast{down, down.rounds(), up}));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const std::int64_t cuts = segments(problem, options);
    const std::int32_t latest = shapes::heapLatest(problem.groupA);
    const Bytes longest = longestSegment(problem, cuts);
    const Bytes volume = latest * longest + period(problem) * (problem.layout.largest() - longest);
    return Cost{.startups = latest + period(problem) * (cuts - 1), .volume = volume, .combined = volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/binary-tree",
        .collective = Collective::reduce,
        .title = "Binary tree",
        .idea =
            "Every rank combines the vectors of two others. With segments, all levels of the tree are active at the same time.",
        .source = "Pjesivac-Grbovic et al. 2007, section 3",
        .formula = "(A + 2(X - 1))(alpha + beta m/X + gamma m/X), A = 2(log2(p + 1) - 1) on the complete tree",
        .letters = "p ranks, m bytes, X segments, A rounds until the first segment is complete",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "binary", .number = 4}},
        .options = {segmentsOption("1")},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem,
                         const Options&) { return problem.root == Rank{0} && problem.groupA <= 2; },
        .choose = [](const Problem& problem,
                     const Options& options) { return chosenSegments(options, segments(problem, options)); },
    };
}

}  // namespace engine::algorithms::reduce_binary_tree
