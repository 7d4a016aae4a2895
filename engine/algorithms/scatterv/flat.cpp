// SPDX-License-Identifier: BSD-3-Clause
// The root sends one rank after the other its contribution.
//
// Source: Chan, Heimlich, Purkayastha, van de Geijn 2007, section 3 (naive scatter). p ranks, m bytes each, root r.
// p = 5, r = 0:
//
//   round   1        2        3        4
//           0 -> 1   0 -> 2   0 -> 3   0 -> 4
//
// Rounds p - 1, each alpha + beta m for equal sizes; in general all bytes but the root's in a row. Correct because
// round t serves the t-th rank after the root.
#include "engine/algorithm.hpp"
#include "engine/kernel.hpp"
#include "engine/stages/members.hpp"

namespace engine::algorithms {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto oneAfterTheOther = [=, root = problem.root.value, layout = problem.layout](Round round,
                                                                                          const auto& use) {
        const auto served = static_cast<std::int32_t>(round.value) + 1;
        const Range block = layout.block((root + served) % p);
        use(Acting{Strip{0, served + 1, served}, [=](Rank member, auto& out) {
                       if (member.value == 0) out.send(Rank{served}, block);
                       if (member.value == served) out.receive(Rank{0}, block);
                   }});
    };
    return then(Facts{.ranks = p},
                Part{"one after the other", p - 1, stages::fromRoot(p, problem.root, Prepared{oneAfterTheOther})});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    return Cost{.startups = problem.groupA - 1,
                .volume = problem.layout.total() - problem.layout.size(problem.root.value)};
}

}  // namespace

Algorithm scatterv_flat() {
    return {
        .id = "scatterv/flat",
        .collective = Collective::scatterv,
        .title = "Flat tree",
        .idea =
            "The root sends every other rank its contribution, one after the other: no byte travels twice, but each "
            "costs a startup.",
        .source = "Chan et al. 2007, section 3",
        .formula = "(p - 1)(alpha + beta m) for equal sizes",
        .letters = "p ranks, m bytes each",
        .knownAs = {{.library = "Open MPI", .call = "scatter", .name = "basic_linear", .number = 1},
                    {.library = "Open MPI", .call = "scatter", .name = "linear_nb", .number = 3},
                    {.library = "MPICH", .call = "scatterv", .name = "linear"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms
