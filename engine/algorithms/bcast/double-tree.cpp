// SPDX-License-Identifier: BSD-3-Clause
// Each half of the message goes down a binary tree of its own; an inner rank of one tree is a leaf of the other, so
// that everyone sends and receives in nearly every round.
//
// Source: Sanders, Speck, Träff 2009 (2Tree). p ranks, m bytes, each half in X segments; shapes/double_tree.hpp draws
// the trees. p = 4, root 0, X = 1, L and R the halves:
//
//   round   1          2                     3                     4
//           0 -L-> 2   0 -R-> 3   2 -L-> 1   3 -R-> 1   2 -L-> 3   3 -R-> 2
//
// Rounds A + 2(X - 1), each alpha + beta m/(2X), with A, at most 2 ceil(log2 p), the rounds until everyone has the
// first segment of both halves: for a large message all ports are busy nearly all the time, and m serialized bytes
// suffice. Correct because a segment goes from a rank to its children after it came, and the colours of edges keep
// every rank to one send and one receive in a round.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/double_tree_broadcast.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_double_tree {
namespace {

shapes::DoubleTree shapeFor(const Problem& problem) { return {problem.groupA, shapes::SecondTree::flattest}; }

std::int64_t segments(const Problem& problem, const Options& options, const shapes::DoubleTree& shape) {
    return segmentsOfHalves(options, shape.latest(), problem.layout.total(), options.model());
}

stages::DoubleTreeBroadcast trees(const Problem& problem, const Options& options) {
    shapes::DoubleTree shape = shapeFor(problem);
    const std::int64_t cuts = segments(problem, options, shape);
    return {std::move(shape), problem.layout.total(), 1, cuts};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "down both trees", trees(problem, options)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) { return trees(problem, options).cost(); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/double-tree",
        .collective = Collective::bcast,
        .title = "Two trees",
        .idea =
            "Each half of the message goes down its own binary tree; inner ranks of one tree are leaves of the other: few rounds, and every port at full rate.",
        .source = "Sanders, Speck and Träff 2009",
        .formula = "(A + 2(X - 1))(alpha + beta m/(2X))",
        .letters = "p ranks, m bytes, X segments of each half, A rounds until everyone has the first of both",
        .options = {halvesSegmentsOption()},
        .plan = plan,
        .predict = predict,
        .choose =
            [](const Problem& problem, const Options& options) {
                return chosenSegments(options, segments(problem, options, shapeFor(problem)));
            },
    };
}

}  // namespace engine::algorithms::bcast_double_tree
