// SPDX-License-Identifier: BSD-3-Clause
// The message goes along a chain in segments, so that a rank passes one on while the next one comes.
//
// Source: Hasanov et al. 2014, formula (3); two levels: formula (11).
// p ranks, m bytes, X segments s0, s1, ... p = 4, X = 3, root 0:
//
//   round   0 -> 1   1 -> 2   2 -> 3
//     1       s0
//     2       s1       s0
//     3       s2       s1       s0
//     4                s2       s1
//     5                         s2
//
// Rounds X + p - 2, each alpha + beta m/X. When X does not divide m the longer segments come first, and the consecutive
// rounds move (p - 2) ceil(m/X) + m bytes. Correct because segment s is at distance d from the root after round s + d.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/pipelines.hpp"

namespace engine::algorithms::bcast_pipelined_chain {
namespace {

std::int64_t segments(const Problem& problem, const Options& options) {
    return segmentsOf(options, problem.groupA - 2, problem.layout.total());
}

stages::Chains chain(const Problem& problem, const Options& options) {
    return {problem.groupA, 1, problem.layout.whole(), segments(problem, options)};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::onAllFrom(p, problem.root, "along the chain", chain(problem, options)));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t p = problem.groupA;
    if (p == 1) return Cost{};
    const Range whole = problem.layout.whole();
    const Bytes longest = piece(whole, segments(problem, options), 0).size();
    return Cost{.startups = chain(problem, options).rounds(), .volume = (p - 2) * longest + whole.size()};
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenSegments(options, segments(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/pipelined-chain",
        .collective = Collective::bcast,
        .title = "Pipelined chain",
        .idea =
            "The message travels along a chain in segments. All links are active at the same time, so a long message takes little more than one transfer.",
        .source = "Hasanov et al. 2014, formulas (3) and (11)",
        .formula = "(X + p - 2)(alpha + beta m/X); in G groups (2X + G + p/G - 4)(alpha + beta m/X)",
        .letters = "p ranks, m bytes, X segments, G groups",
        .errata = {{"formula (11)",
                    "does not become (3) at G = 1 and G = p, it gives 2X + p - 3 rounds; two levels of sqrt(p) groups "
                    "pay only when X < (sqrt(p) - 1)^2 + 1"},
                   {"summary: the pipeline always gains",
                    "with the best X on both sides two levels lose for large m, by a factor of up to 2"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "pipeline", .number = 3}},
        .options = {segmentsOption("auto")},
        .plan = plan,
        .predict = predict,
        .choose = choose,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_pipelined_chain
