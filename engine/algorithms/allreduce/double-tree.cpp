// SPDX-License-Identifier: BSD-3-Clause
// Each half of the vector is combined up a binary tree of its own to rank 0, and the result goes down the same trees.
//
// Source: Sanders, Speck, Träff 2009, section on reductions; NCCL's double binary tree is related. p ranks, m bytes,
// each half in X segments of whole elements; shapes/double_tree.hpp draws the trees. p = 4, X = 1, L and R the halves:
//
//   round   1          2                     3                     4          5 to 8
//           2 -R-> 1   1 -R-> 3   3 -L-> 2   3 -R-> 0   1 -L-> 2   2 -L-> 0   the same backwards
//
// Rounds 2 (A + 2(X - 1)), each alpha + beta m/(2X), half of them with gamma m/(2X), where A, at most
// 2 ceil(log2 p) + 1, is as in the broadcast.
// Correct because up is the broadcast backwards. What hangs below a rank is a run of its neighbours, which it puts
// before or behind its own vector, so that the order of ranks is kept and all get the same bits.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/double_tree_broadcast.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::allreduce_double_tree {
namespace {

shapes::DoubleTree shapeFor(const Problem& problem) { return {problem.groupA, shapes::SecondTree::inOrder}; }

std::int64_t segments(const Problem& problem, const Options& options, const shapes::DoubleTree& shape) {
    // Only on the way up.
    return segmentsOfHalves(options, shape.latest(), problem.layout.largest(), combining(options, problem, 2));
}

stages::DoubleTreeBroadcast trees(const Problem& problem, const Options& options) {
    shapes::DoubleTree shape = shapeFor(problem);
    const std::int64_t cuts = segments(problem, options, shape);
    return {std::move(shape), problem.layout.largest(), unitOf(problem), cuts};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Group all{0, problem.groupA};
    const stages::DoubleTreeBroadcast down = trees(problem, options);
    const stages::Backwards up{.whole = false, .action = std::nullopt};
    return then(Facts{.ranks = problem.groupA, .pieces = true},
                stages::on(all, "up both trees", stages::ReversedBroadcast{down, down.rounds(), up}),
                stages::on(all, "down both trees", stages::ofResults(down)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Cost down = trees(problem, options).cost();
    return Cost{.startups = 2 * down.startups, .volume = 2 * down.volume, .combined = down.volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/double-tree",
        .collective = Collective::allreduce,
        .title = "Two trees up and down",
        .idea =
            "Each half of the vector is combined up its own binary tree and broadcast down again; inner ranks of one tree are leaves of the other: few rounds, every port at full rate, in the order of ranks.",
        .source = "Sanders, Speck and Träff 2009",
        .formula = "2 (A + 2(X - 1))(alpha + beta m/(2X)) + (A + 2(X - 1)) gamma m/(2X)",
        .letters = "p ranks, m bytes, X segments of each half, A rounds until the first of both are complete",
        .knownAs = {{.library = "NCCL", .call = "allreduce", .name = "tree"}},
        .options = {halvesSegmentsOption()},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
        .choose =
            [](const Problem& problem, const Options& options) {
                return chosenSegments(options, segments(problem, options, shapeFor(problem)));
            },
    };
}

}  // namespace engine::algorithms::allreduce_double_tree
