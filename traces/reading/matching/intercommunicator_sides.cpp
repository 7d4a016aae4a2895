// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/intercommunicator_sides.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace traces::reading {
namespace {

/// What one member did on one communicator.
struct Use {
    std::int64_t begin = 0;  ///< of its first collective
    std::vector<std::uint8_t> operations;

    friend bool operator==(const Use&, const Use&) = default;
};

/// By communicator and rank.
std::vector<std::map<Rank, Use>> usesOf(const World& world, const PartsOfRanks& parts) {
    std::vector<std::map<Rank, Use>> uses(world.communicators.size());
    for (std::size_t rank = 0; rank < parts.size(); ++rank)
        for (const CollectivePart& part : parts[rank]) {
            if (part.communicator == noIndex) continue;
            auto& of = uses[engine::asSize(part.communicator)];
            const auto [entry, isNew] = of.try_emplace(Rank{static_cast<std::int32_t>(rank)}, Use{part.begin, {}});
            entry->second.operations.push_back(part.operation);
        }
    return uses;
}

}  // namespace

bool makesIntercommunicators(std::string_view region) {
    return engine::lowered(region).find("mpi_intercomm_create") != std::string::npos;
}

std::vector<std::optional<std::int64_t>> createdIn(const Recording& recording, std::size_t ranks) {
    std::vector<bool> makes(recording.regions.size());
    bool any = false;
    for (std::size_t r = 0; r < makes.size(); ++r) {
        makes[r] = makesIntercommunicators(recording.regions[r].name);
        any = any || makes[r];
    }
    std::vector<std::optional<std::int64_t>> created(ranks);
    for (std::size_t i = 0; any && i < recording.states.size(); ++i) {
        const States& states = recording.states[i];
        if (recording.locations[i].rank == noRank) continue;
        auto& first = created[recording.locations[i].rank.index()];
        for (std::size_t s = 0; s < states.size(); ++s)
            if (makes[engine::asSize(states.region[s])])
                first = std::min(first.value_or(states.end[s].count()), states.end[s].count());
    }
    return created;
}

std::vector<Sides> findSides(const World& world, const PartsOfRanks& parts,
                             const std::vector<std::optional<std::int64_t>>& created) {
    if (std::none_of(created.begin(), created.end(), [](const auto& time) { return time.has_value(); })) return {};
    const std::vector<std::map<Rank, Use>> uses = usesOf(world, parts);
    std::set<std::vector<Rank>> before;
    std::vector<std::int32_t> candidates;
    for (std::size_t i = 0; i < world.communicators.size(); ++i) {
        const Communicator& one = world.communicators[i];
        const bool wasMade = one.members.size() == 1 || before.contains(one.members);
        before.insert(one.members);
        if (one.kind != CommunicatorKind::ordinary || one.members.empty() || !wasMade ||
            uses[i].size() != one.members.size())
            continue;
        const bool fits = std::all_of(one.members.begin(), one.members.end(), [&](Rank member) {
            const auto use = uses[i].find(member);
            if (use == uses[i].end()) return false;
            const auto& when = created[member.index()];
            return when && use->second.begin >= *when && use->second.operations == uses[i].begin()->second.operations;
        });
        if (fits) candidates.push_back(static_cast<std::int32_t>(i));
    }
    const auto fit = [&](std::int32_t a, std::int32_t b) {
        const auto& ofA = uses[engine::asSize(a)];
        const auto& ofB = uses[engine::asSize(b)];
        return ofA.begin()->second.operations == ofB.begin()->second.operations &&
               std::none_of(ofA.begin(), ofA.end(), [&](const auto& use) { return ofB.contains(use.first); });
    };
    std::map<std::int32_t, std::vector<std::int32_t>> partners;
    constexpr std::size_t most = 4096;  // of a damaged or an endless trace
    if (candidates.size() > most) return {};
    for (const std::int32_t a : candidates)
        for (const std::int32_t b : candidates)
            if (a != b && fit(a, b)) partners[a].push_back(b);
    std::vector<Sides> sides;
    for (const auto& [a, of] : partners)
        if (of.size() == 1 && a < of.front() && partners[of.front()].size() == 1) sides.push_back({a, of.front()});
    return sides;
}

std::string joinSides(const Sides& sides, World& world, PartsOfRanks& parts, std::vector<LocationEvents>& events) {
    const auto name = [&](std::int32_t i) { return world.communicators[engine::asSize(i)].name; };
    std::string words = engine::text(name(sides.local), " and ", name(sides.remote),
                                     " were taken for the two sides of one intercommunicator");
    const std::vector<Rank> local = world.communicators[engine::asSize(sides.local)].members;
    const std::vector<Rank> remote = world.communicators[engine::asSize(sides.remote)].members;
    world.join(sides.local, sides.remote);
    for (Growing<CollectivePart>& its : parts)
        for (CollectivePart& part : its)
            if (part.communicator == sides.remote) part.communicator = sides.local;
    const auto turn = [&](Blocks<End>& ends) {
        for (std::size_t i = 0; i < ends.size(); ++i) {
            End& end = ends[i];
            if (end.communicator != sides.local && end.communicator != sides.remote) continue;
            const bool fromLocal = end.communicator == sides.local;
            const std::vector<Rank>& own = fromLocal ? local : remote;
            const std::vector<Rank>& other = fromLocal ? remote : local;
            const auto place = engine::asSize(std::find(own.begin(), own.end(), end.peer) - own.begin());
            end.peer = end.peer != noRank && place < other.size() ? other[place] : noRank;
            end.communicator = sides.local;
        }
    };
    for (LocationEvents& one : events) turn(one.sends), turn(one.receives);
    return words;
}

}  // namespace traces::reading
