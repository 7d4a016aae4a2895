// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/rank_groups.hpp"

#include "app/analysis/collectives/collective_instances.hpp"

#include <algorithm>
#include <map>

namespace app::analysis {

using engine::Rank;

std::vector<RankGroup> byNode(const traces::Recording& recording) {
    std::vector<const std::vector<std::string>*> pathOf(engine::asSize(recording.ranks), nullptr);
    for (const traces::Location& location : recording.locations)
        if (location.speaksForRank && location.rank != traces::noRank) pathOf[location.rank.index()] = &location.path;
    std::vector<RankGroup> groups;
    std::map<std::vector<std::string>, std::size_t> known;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank) {
        const auto* path = pathOf[rank.index()];
        const auto [entry, isNew] =
            known.try_emplace(path != nullptr ? *path : std::vector<std::string>{}, groups.size());
        if (isNew) groups.push_back({path != nullptr && !path->empty() ? path->back() : std::string{}, {}});
        groups[entry->second].ranks.push_back(rank);
    }
    return groups;
}

std::vector<RankGroup> byCommunicator(const traces::Recording& recording) {
    std::vector<RankGroup> groups;
    std::vector<bool> taken(engine::asSize(recording.ranks));
    const auto isTaken = [&](Rank rank) { return taken[rank.index()]; };
    for (std::size_t i = 0; i < recording.communicators.size(); ++i) {
        const traces::Communicator& communicator = recording.communicators[i];
        std::vector<Rank> ranks = communicator.members;
        if (communicator.kind != traces::CommunicatorKind::ordinary || ranks.size() < 2 ||
            ranks.size() >= taken.size() || std::any_of(ranks.begin(), ranks.end(), isTaken))
            continue;
        for (const Rank rank : ranks) taken[rank.index()] = true;
        std::sort(ranks.begin(), ranks.end());
        groups.push_back({communicatorName(recording, static_cast<std::int32_t>(i)), std::move(ranks)});
    }
    if (groups.empty()) return groups;
    RankGroup others;
    for (Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (!isTaken(rank)) others.ranks.push_back(rank);
    if (!others.ranks.empty()) groups.push_back(std::move(others));
    return groups;
}

}  // namespace app::analysis
