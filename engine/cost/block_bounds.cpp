// SPDX-License-Identifier: BSD-3-Clause
// Bounds of collectives whose contributions are for everybody: broadcast and allgather, in a group and between two.
#include "engine/cost/bound_parts.hpp"

namespace engine {

void ofBroadcast(Making& making) {
    const Problem& problem = making.problem;
    if (problem.layout.total() == 0 || problem.ranks() == 1) return;
    const RankSpan all{0, problem.ranks()};
    making.tell({problem.root}, all);
    making.takeIn({problem.root}, all, problem.layout.total(), 1);
    making.hurry(problem.layout.total(), problem.ranks() - 1);
    making.bounds.volume.why = "every rank but the root receives the whole message";
    making.bounds.volume.source = "Johnsson and Ho 1989";
}

void ofAllgather(Making& making) {
    const Layout& layout = making.problem.layout;
    const std::vector<Rank> from = holders(layout, 0, layout.count());
    const auto brought = static_cast<std::int64_t>(from.size());
    const RankSpan all{0, making.problem.ranks()};
    if (from.empty() || all.count == 1) return;
    const bool eachBrings = brought == all.count;
    making.tell(from, all);
    making.hear(eachBrings ? brought - 1 : brought);
    making.takeIn(from, all, layout.total() - layout.smallest(), eachBrings ? brought - 1 : brought);
    making.scatter(layout.total() - layout.smallest(), layout.largest(), 1);
    making.bounds.volume.why = "the rank with the smallest contribution receives all others";
    making.bounds.volume.source = "counting argument";
}

namespace {

/// A's contributions to all of B, or the other way.
void fromGroup(Making& making, RankSpan group, RankSpan other) {
    const Layout& layout = making.problem.layout;
    const std::vector<Rank> from = holders(layout, group.first, group.count);
    if (from.empty()) return;
    const Bytes bytes = layout.blocks(group.first, group.count).size();
    making.tell(from, other);
    making.hear(static_cast<std::int64_t>(from.size()));
    making.takeIn(from, other, bytes, static_cast<std::int64_t>(from.size()));
    making.scatter(bytes, layout.largest(), 1);
}

}  // namespace

void ofTwoGroups(Making& making) {
    const RankSpan a{0, making.problem.groupA};
    const RankSpan b{making.problem.groupA, making.problem.groupB};
    fromGroup(making, a, b);
    const bool bothWays = making.problem.collective == Collective::intergroupAllgatherv;
    if (bothWays) fromGroup(making, b, a);
    making.bounds.volume.why =
        bothWays ? "a rank receives all bytes of the other group" : "every receiver receives all bytes of A";
    making.bounds.volume.source = bothWays ? "Kang et al. 2019, section 2" : "Kang et al. (half duplex), section III";
    if (!bothWays && making.bounds.unitRounds)
        making.bounds.unitRounds->source = "corrected from Kang et al. (half duplex), section IV.D";
}

}  // namespace engine
