// SPDX-License-Identifier: BSD-3-Clause
// Which ranks of a subject belong together.
#include "app/gui/scenes/run/drawable_run.hpp"

#include <algorithm>
#include <map>

namespace app::gui {
namespace {

using analysis::RankGroup;
using engine::Rank;

/// In the order of first ranks, by what `keyOf` says of each; named by `nameOf` of that. None where all are one.
template <class KeyOf, class NameOf>
std::vector<RankGroup> groupedBy(std::int32_t ranks, KeyOf keyOf, NameOf nameOf) {
    std::vector<RankGroup> groups;
    std::map<decltype(keyOf(Rank{0})), std::size_t> known;
    for (Rank rank{0}; rank.value < ranks; ++rank) {
        const auto key = keyOf(rank);
        const auto [entry, isNew] = known.try_emplace(key, groups.size());
        if (isNew) groups.push_back({nameOf(key), {}});
        groups[entry->second].ranks.push_back(rank);
    }
    if (groups.size() < 2) groups.clear();
    return groups;
}

}  // namespace

std::vector<std::int32_t> DrawableRun::groupEdges() const {
    std::vector<std::int32_t> edges;
    for (const auto* groups : {&nodes_, &communicators_}) {
        const auto isRow = [](const RankGroup& group) {
            return static_cast<std::size_t>(group.ranks.back().value - group.ranks.front().value) + 1 ==
                   group.ranks.size();
        };
        if (!std::ranges::all_of(*groups, isRow)) continue;
        for (const RankGroup& group : *groups) edges.push_back(group.ranks.front().value);
    }
    std::ranges::sort(edges);
    return edges;
}

const std::vector<RankGroup>& DrawableRun::groupsBy(ProgramTimelineView::Groups groups) const {
    static const std::vector<RankGroup> none;
    switch (groups) {
        case ProgramTimelineView::Groups::node: return nodes_;
        case ProgramTimelineView::Groups::communicator: return communicators_;
        case ProgramTimelineView::Groups::none: break;
    }
    return none;
}

void DrawableRun::noteGroups() {
    if (recording_) {
        nodes_ = analysis::byNode(*recording_);
        communicators_ = analysis::byCommunicator(*recording_);
        if (nodes_.size() < 2) nodes_.clear();
    }
    const std::int32_t ranks = run().ranks;
    if (const emulation::NetworkPtr& network = report_->network;
        nodes_.empty() && network && network->ranks() >= ranks && network->shape().size() > 1) {
        const bool grid = blueprint_.arrangement == NetworkShape::Arrangement::grid;
        nodes_ = groupedBy(
            ranks, [&](Rank rank) { return network->rowOf(rank); },
            [&](std::int32_t row) { return (grid ? "row " : "node ") + std::to_string(row); });
    }
    if (!communicators_.empty()) return;
    if (sideOf(Rank{0}) == Side::a) {
        communicators_ = groupedBy(
            ranks, [&](Rank rank) { return sideOf(rank); },
            [&](Side side) { return nameOf(*this, side).toStdString(); });
    } else if (const analysis::LogicalTopology& formation = blueprint_.formation;
               formation.kind == analysis::LogicalTopology::Kind::groups) {
        communicators_ = groupedBy(
            ranks, [&](Rank rank) { return formation.groups[rank.index()]; },
            [&](std::int32_t group) {
                return "group of rank " + std::to_string(formation.leaders[static_cast<std::size_t>(group)]);
            });
    }
}

QString nameOf(const DrawableRun& subject, Side side) {
    const bool half = subject.problem() && subject.problem()->collective == engine::Collective::halfduplexAllgather;
    switch (side) {
        case Side::whole: return {};
        case Side::leader: return QStringLiteral("leader of its group");
        case Side::a: return half ? QStringLiteral("group A, senders") : QStringLiteral("group A");
        case Side::b: return half ? QStringLiteral("group B, receivers") : QStringLiteral("group B");
        case Side::dummy: return QStringLiteral("dummy, helps only");
    }
    return {};
}

}  // namespace app::gui
