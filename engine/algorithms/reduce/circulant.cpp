// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined in blocks over a circulant graph: the broadcast of the same name, backwards.
//
// Source: Träff 2024, "Optimal broadcast schedules in logarithmic time", on reductions. p ranks, m bytes, X segments of
// whole elements, q = ceil(log2 p). p = 5, X = 2, root 0, distances 1 2 3:
//
//   round   distance   messages
//     1        3       3 -b1-> 0   4 -b1-> 1   2 -b0-> 4
//     2        2       2 -b1-> 0   1 -b0-> 4
//     3        1       1 -b1-> 0   4 -b0-> 3
//     4        3       3 -b0-> 0
//
// Rounds X - 1 + q, each alpha + (beta + gamma) m/X: the minimum for unsplit blocks. Correct because the
// broadcast hands every rank each block once, so that the ways of a block make a tree. Its ranks are no neighbours:
// commutative operations only, but on up to two ranks.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/circulant_broadcast.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::algorithms::reduce_circulant {
namespace {

std::int64_t segments(const Problem& problem, const Options& options) {
    return segmentsOf(options, stages::ceilLog2(problem.groupA) - 1, problem);
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int64_t blocks = segments(problem, options);
    const stages::Backwards up{.vector = problem.layout.largest(), .unit = unitOf(problem), .whole = blocks == 1};
    const stages::CirculantBroadcast down{p, up.message(), blocks};
    return then(
        Facts{.ranks = p, .pieces = !up.whole},
        stages::onAllFrom(p, problem.root, "block by block", stages::ReversedBroadcast{down, down.rounds(), up}));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const std::int64_t blocks = segments(problem, options);
    const std::int32_t q = stages::ceilLog2(problem.groupA);
    const Bytes volume = problem.layout.largest() + (q - 1) * longestSegment(problem, blocks);
    return Cost{.startups = blocks - 1 + q, .volume = volume, .combined = volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/circulant",
        .collective = Collective::reduce,
        .title = "Blocks on a circulant graph",
        .idea =
            "In each round, every rank combines a block that one of ceil(log2 p) neighbours has gathered: the fewest rounds possible if every message is one block.",
        .source = "Träff 2024, Optimal broadcast schedules in logarithmic time",
        .formula = "(X - 1 + ceil(log2 p))(alpha + beta m/X + gamma m/X)",
        .letters = "p ranks, m bytes, X segments",
        .knownAs = {{.library = "MPICH", .call = "reduce", .name = "circ_graph"}},
        .options = {segmentsOption("auto")},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem,
                         const Options&) { return problem.root == Rank{0} && problem.groupA <= 2; },
        .choose = [](const Problem& problem,
                     const Options& options) { return chosenSegments(options, segments(problem, options)); },
    };
}

}  // namespace engine::algorithms::reduce_circulant
