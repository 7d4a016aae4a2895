// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined along a chain in segments, so that a rank passes one on while the next one comes: the broadcast
// of the same name, backwards.
//
// Source: Pjesivac-Grbovic et al. 2007, section 3 (pipeline). p ranks, m bytes, X segments s0, s1, ... of whole
// elements, the last one first. p = 4, X = 3, root 0:
//
//   round   3 -> 2   2 -> 1   1 -> 0
//     1       s2
//     2       s1       s2
//     3       s0       s1       s2
//     4                s0       s1
//     5                         s0
//
// Rounds X + p - 2, each alpha + (beta + gamma) m/X. When X does not divide the elements, longer segments go last, and
// the consecutive rounds move (p - 2) times a longest one and m. Correct because a segment passes every rank on its
// way; for root 0 it collects them in the order of their ranks.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/partial_results.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::reduce_pipelined_chain {
namespace {

std::int64_t segments(const Problem& problem, const Options& options) {
    return segmentsOf(options, problem.groupA - 2, problem);
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int64_t cuts = segments(problem, options);
    const stages::Backwards up{.vector = problem.layout.largest(), .unit = unitOf(problem), .whole = cuts == 1};
    const stages::Chains down{p, 1, up.message(), cuts};
    return then(
        Facts{.ranks = p, .pieces = !up.whole},
        stages::onAllFrom(p, problem.root, "along the chain", stages::ReversedBroadcast{down, down.rounds(), up}));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t p = problem.groupA;
    if (p == 1) return Cost{};
    const std::int64_t cuts = segments(problem, options);
    const Bytes m = problem.layout.largest();
    const Bytes volume = (p - 2) * longestSegment(problem, cuts) + m;
    return Cost{.startups = cuts + p - 2, .volume = volume, .combined = volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/pipelined-chain",
        .collective = Collective::reduce,
        .title = "Pipelined chain",
        .idea =
            "Vectors are combined along a chain in segments. All links are active at the same time, so a long vector takes little more than one transfer.",
        .source = "Pjesivac-Grbovic et al. 2007, section 3",
        .formula = "(X + p - 2)(alpha + beta m/X + gamma m/X)",
        .letters = "p ranks, m bytes, X segments",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "pipeline", .number = 3}},
        .options = {segmentsOption("auto")},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.root == Rank{0}; },
        .choose = [](const Problem& problem,
                     const Options& options) { return chosenSegments(options, segments(problem, options)); },
    };
}

}  // namespace engine::algorithms::reduce_pipelined_chain
