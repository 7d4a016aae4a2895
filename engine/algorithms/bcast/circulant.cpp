// SPDX-License-Identifier: BSD-3-Clause
// The message goes in blocks over a circulant graph: every rank gets a new block in every round, and unsplit blocks
// cannot be broadcast in fewer.
//
// Source: Träff 2022 and 2024, "Optimal broadcast schedules in logarithmic time". p ranks, m bytes, X segments, q =
// ceil(log2 p); shapes/circulant.hpp has the distances and who gets which block. p = 5, X = 2, root 0, distances 1 2 3:
//
//   round   distance   messages
//     1        3       0 -b0-> 3
//     2        1       0 -b1-> 1   3 -b0-> 4
//     3        2       0 -b1-> 2   4 -b0-> 1
//     4        3       0 -b1-> 3   1 -b1-> 4   4 -b0-> 2
//
// Rounds X - 1 + q, each alpha + beta m/X; m + (q - 1) ceil(m/X) serialized bytes, since the root sends the newest
// block in every round, in the end always the last one, and shorter blocks go first. Fewer rounds there cannot be: the
// last block leaves the root in round X at the earliest, and holders can at most double. Correct because a rank passes
// on only what it got in a round before, and gets each block once.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/circulant_broadcast.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_circulant {
namespace {

std::int64_t segments(const Problem& problem, const Options& options) {
    return segmentsOf(options, stages::ceilLog2(problem.groupA) - 1, problem.layout.total());
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p},
                stages::onAllFrom(p, problem.root, "block by block",
                                  stages::CirculantBroadcast{p, problem.layout.whole(), segments(problem, options)}));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const std::int64_t blocks = segments(problem, options);
    const std::int32_t q = stages::ceilLog2(problem.groupA);
    const Range whole = problem.layout.whole();
    return Cost{.startups = blocks - 1 + q, .volume = whole.size() + (q - 1) * piece(whole, blocks, 0).size()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/circulant",
        .collective = Collective::bcast,
        .title = "Blocks on a circulant graph",
        .idea =
            "In each round, every rank receives a new block from one of ceil(log2 p) neighbours and sends one that it has: the fewest rounds possible if every message is one block.",
        .source = "Träff 2022; Träff 2024, Optimal broadcast schedules in logarithmic time",
        .formula = "(X - 1 + ceil(log2 p))(alpha + beta m/X)",
        .letters = "p ranks, m bytes, X segments",
        .knownAs = {{.library = "MPICH", .call = "bcast", .name = "circ_graph"}},
        .options = {segmentsOption("auto")},
        .plan = plan,
        .predict = predict,
        .choose = [](const Problem& problem,
                     const Options& options) { return chosenSegments(options, segments(problem, options)); },
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_circulant
