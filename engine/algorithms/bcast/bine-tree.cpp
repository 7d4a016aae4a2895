// SPDX-License-Identifier: BSD-3-Clause
// Everyone who holds the message passes it on, to the left and to the right in turn, over distances about p/3 to 1.
//
// Source: De Sensi et al. 2025 (Bine trees), the tree of halving distances; shapes/negabinary.hpp has the partners.
// P = 2^k places, m bytes; places are counted from the root's on. P = 8, root 0, distances 3, 1, 1:
//
//   round   1        2                 3
//           0 -> 3   0 -> 7   3 -> 4   0 -> 1   3 -> 2   4 -> 5   7 -> 6
//
// A place is a rank, or where p is no power of two one of two neighbours (shapes/folding.hpp), as the authors have it
// in their libraries: the root or else the lower one, which hands the message to the other in one more round. Rounds
// ceil(log2 p), each alpha + beta m. A binomial tree's distances are 4, 2, 1: the sum of those of a Bine tree is about
// two thirds of that, and fewer bytes leave a group of near ranks. Correct because the steps that lead from the root to
// a place are the digits of its number in base -2 that differ from the digit above, so that there is one way to each.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/folding.hpp"
#include "engine/shapes/negabinary.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"

#include <bit>

namespace engine::algorithms::bcast_bine_tree {
namespace {

/// Who acts for a place, counted from the root's one on.
struct Fronts {
    shapes::Folding folding;
    Rank root;

    [[nodiscard]] Rank memberOf(Rank rank) const {
        return shapes::around(Rank{folding.placeOf(rank)}, -folding.placeOf(root), folding.places());
    }
    [[nodiscard]] Rank rankOf(Rank member) const {
        if (member.value == 0) return root;
        return folding.lower(shapes::around(member, folding.placeOf(root), folding.places()).value);
    }
};

SchedulePtr plan(const Problem& problem, const Options&) {
    const Fronts fronts{shapes::Folding{problem.groupA}, problem.root};
    const std::int32_t places = fronts.folding.places();
    const std::int32_t rounds = stages::ceilLog2(places);
    const Range whole = problem.layout.whole();
    const auto tree = [=](Rank member, Round round, auto& out) {
        const auto step = static_cast<std::int32_t>(rounds - 1 - round.value);
        const std::uint32_t way = shapes::swingSteps(member.value, places);
        const std::int32_t last = way == 0 ? rounds : std::countr_zero(way);
        const Rank partner = shapes::swingPartner(member, step, places);
        if (last > step) out.send(partner, whole);
        if (last == step) out.receive(partner, whole);
    };
    const auto down = [=](Rank rank, Round round, auto& out) {
        const Rank member = fronts.memberOf(rank);
        if (fronts.rankOf(member) != rank) return;
        stages::runAsMember(
            member, [&](Rank other) { return fronts.rankOf(other); }, tree, round, out);
    };
    const auto beside = [=](Rank rank, Round, auto& out) {
        if (!fronts.folding.paired(rank)) return;
        const Rank other = fronts.folding.partner(rank);
        if (fronts.rankOf(fronts.memberOf(rank)) == rank) out.send(other, whole);
        else out.receive(other, whole);
    };
    return then(Facts{.ranks = problem.groupA}, Part{"down the tree", rounds, down},
                Part{"to neighbours", fronts.folding.pairs() > 0 ? 1 : 0, beside});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(problem.groupA);
    return Cost{.startups = rounds, .volume = rounds * problem.layout.total()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/bine-tree",
        .collective = Collective::bcast,
        .title = "Bine tree",
        .idea =
            "A binomial tree whose distances are two thirds as long, to both sides of every rank: the same rounds, and fewer bytes between distant ranks.",
        .source = "De Sensi et al. 2025",
        .formula = "ceil(log2 p) (alpha + beta m)",
        .letters = "p ranks, m bytes",
        .plan = plan,
        .predict = predict,
        .growsWithRanks = true,
    };
}

}  // namespace engine::algorithms::bcast_bine_tree
