// SPDX-License-Identifier: BSD-3-Clause
// Everyone who holds the message passes it on, to the left and to the right in turn, over distances about p/3 to 1.
//
// Source: De Sensi et al. 2025 (Bine trees), the tree of halving distances; shapes/negabinary.hpp has the partners.
// p = 2^k ranks, m bytes; ranks are counted from the root on. p = 8, root 0, distances 3, 1, 1:
//
//   round   1        2                 3
//           0 -> 3   0 -> 7   3 -> 4   0 -> 1   3 -> 2   4 -> 5   7 -> 6
//
// Rounds k, each alpha + beta m. A binomial tree's distances are 4, 2, 1: the sum of those of a Bine tree is about two
// thirds of that, and fewer bytes leave a group of near ranks. Correct because the steps that lead from the root to a
// rank are the digits of its number in base -2 that differ from the digit above, so that there is one way to each.
#include "engine/algorithm.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/kernel.hpp"
#include "engine/shapes/negabinary.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/members.hpp"

#include <bit>

namespace engine::algorithms {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int32_t rounds = stages::ceilLog2(p);
    const Range whole = problem.layout.whole();
    const auto down = [=](Rank member, Round round, auto& out) {
        const auto step = static_cast<std::int32_t>(rounds - 1 - round.value);
        const std::uint32_t way = shapes::swingSteps(member.value, p);
        const std::int32_t last = way == 0 ? rounds : std::countr_zero(way);
        const Rank partner = shapes::swingPartner(member, step, p);
        if (last > step) out.send(partner, whole);
        if (last == step) out.receive(partner, whole);
    };
    return then(Facts{.ranks = p}, Part{"down the tree", rounds, stages::fromRoot(p, problem.root, down)});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(problem.groupA);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm bcast_bine_tree() {
    return {
        .id = "bcast/bine-tree",
        .collective = Collective::bcast,
        .title = "Bine tree",
        .idea =
            "A binomial tree with two thirds of the distances, to both sides of every rank: as few rounds, and fewer "
            "bytes that leave a group of near ranks.",
        .source = "De Sensi et al. 2025",
        .formula = "log2 p (alpha + beta m)",
        .letters = "p = 2^k ranks, m bytes",
        .objects = [](const Problem& problem,
                      const Options&) { return needsPowerOfTwo(problem, "bcast/binomial-tree"); },
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms
