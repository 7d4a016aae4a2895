// SPDX-License-Identifier: BSD-3-Clause
// The root sends the whole message to one rank after the other.
//
// Source: Hasanov et al. 2014, formula (1); two levels: formulas (8) to (10).
// p ranks, m bytes, root r. p = 5, r = 0:
//
//   round   1        2        3        4
//           0 -> 1   0 -> 2   0 -> 3   0 -> 4
//
// Rounds p - 1, each alpha + beta m. Correct because round t serves the t-th rank after the root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::bcast_flat {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(
        Facts{.ranks = p},
        Part{"one after the other", p - 1,
             stages::fromRoot(p, problem.root, Prepared{[whole = problem.layout.whole()](Round round, const auto& use) {
                                  const auto served = static_cast<std::int32_t>(round.value) + 1;
                                  use(Acting{Strip{0, served + 1, served}, [=](Rank member, auto& out) {
                                                 if (member.value == 0) out.send(Rank{served}, whole);
                                                 if (member.value == served) out.receive(Rank{0}, whole);
                                             }});
                              }})});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = problem.groupA - 1;
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/flat",
        .collective = Collective::bcast,
        .title = "Flat tree",
        .idea =
            "The root sends the whole message to every other rank, one after the other: simple, but slow on many ranks.",
        .source = "Hasanov et al. 2014, formulas (1) and (8) to (10)",
        .formula = "(p - 1)(alpha + beta m); in G groups (G + p/G - 2)(alpha + beta m)",
        .letters = "p ranks, m bytes, G groups",
        .errata = {{"Algorithm 1",
                    "the outer root is never computed, and leaders that are always first ranks exclude other roots; "
                    "here the root leads its group, and only leaders take part between the groups"},
                   {"choice of G", "sqrt(p) is rarely a whole divisor of p; the nearest divisor is the best one"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "basic_linear", .number = 1}},
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_flat
