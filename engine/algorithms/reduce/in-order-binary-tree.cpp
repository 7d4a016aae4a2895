// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined up a binary tree of neighbours, in the order of their ranks whatever the root is.
//
// Source: Open MPI's in-order binary tree (coll/base: the tree ends at the last rank, and the result is handed on to
// the root where that is another). p ranks, m bytes, X segments of whole elements, the last one first;
// shapes/in_order.hpp draws the tree. p = 7, root 0, X = 1, with what the receiver then holds:
//
//   round   1              2                              3                             4               5
//           4 -> 5: 4 5    3 -> 5: 3 4 5   1 -> 2: 1 2    0 -> 2: 0 1 2   5 -> 6: 3..6   2 -> 6: 0..6    6 -> 0
//
// Rounds A + 2(X - 1), each alpha + (beta + gamma) m/X, with A the rounds until the first segment is complete, and one
// of alpha + beta m for a root other than the last rank. Correct because a rank puts what its second child brings
// before its own, then what the first one brings before that: runs of neighbours.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/in_order.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::reduce_in_order_binary_tree {
namespace {

std::int32_t period(const Problem& problem) { return problem.groupA > 2 ? 2 : 1; }

std::int64_t segments(const Problem& problem, const Options& options, const shapes::InOrderTree& tree) {
    return segmentsOf(options, tree.latest() / period(problem) - 1, problem);
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const shapes::InOrderTree tree{p};
    const std::int64_t cuts = segments(problem, options, tree);
    const Bytes m = problem.layout.largest();
    const stages::Backwards up{.vector = m, .unit = unitOf(problem), .whole = cuts == 1, .action = Action::prepend};
    const stages::TreePipeline down{tree, period(problem), up.message(), cuts};
    const auto handOn = [=, root = problem.root](Rank rank, Round, auto& out) {
        const stages::AsSpan vector{Range{0, m}};
        if (rank.value == p - 1) up.whole ? out.sendPartial(root, 0, m) : out.sendPartial(root, 0, vector);
        if (rank == root)
            up.whole ? out.receivePartial(Rank{p - 1}, 1, Action::keep, m)
                     : out.receivePartial(Rank{p - 1}, 1, Action::keep, vector);
    };
    return then(Facts{.ranks = p, .pieces = !up.whole},
                stages::on(Group{0, p}, "up the tree", stages::ReversedBroadcast{down, down.rounds(), up}),
                Part{"on to the root", problem.root.value == p - 1 ? 0 : 1, handOn});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const shapes::InOrderTree tree{problem.groupA};
    const std::int64_t cuts = segments(problem, options, tree);
    const Bytes m = problem.layout.largest();
    const Bytes longest = longestSegment(problem, cuts);
    const Bytes combined = tree.latest() * longest + period(problem) * (m - longest);
    const std::int64_t handedOn = problem.root.value == problem.groupA - 1 ? 0 : 1;
    return Cost{.startups = tree.latest() + period(problem) * (cuts - 1) + handedOn,
                .volume = combined + handedOn * m,
                .combined = combined};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/in-order-binary-tree",
        .collective = Collective::reduce,
        .title = "In-order binary tree",
        .idea =
            "Every rank combines the results of two consecutive runs of ranks directly before it, in the order of ranks. The tree ends at the last rank, which sends the result to the root.",
        .source = "Open MPI, coll/base, in-order binary tree",
        .formula = "(A + 2(X - 1))(alpha + beta m/X + gamma m/X) + [root is not the last rank] (alpha + beta m)",
        .letters = "p ranks, m bytes, X segments, A rounds until the first segment is complete",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "in-order_binary", .number = 6}},
        .options = {segmentsOption("1")},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
        .choose =
            [](const Problem& problem, const Options& options) {
                return chosenSegments(options, segments(problem, options, shapes::InOrderTree{problem.groupA}));
            },
    };
}

}  // namespace engine::algorithms::reduce_in_order_binary_tree
