// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/messages_inside.hpp"

#include "traces/reading/matching/message_columns.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace traces::reading {
namespace {

/// The ends of one rank, whose threads may all call.
struct OfRank {
    std::vector<std::size_t> locations;
    Blocks<std::int64_t> calls;  ///< beside the sends
};

/// Places (location, index) in the order of their begins, which is that of posting.
std::vector<std::pair<std::size_t, std::size_t>> inOrder(const std::vector<LocationEvents>& events,
                                                         const std::vector<std::size_t>& locations,
                                                         Blocks<End> LocationEvents::*ends) {
    std::vector<std::pair<std::size_t, std::size_t>> places;
    for (const std::size_t at : locations)
        for (std::size_t i = 0; i < (events[at].*ends).size(); ++i) places.emplace_back(at, i);
    std::ranges::stable_sort(places, {},
                             [&](const auto& place) { return (events[place.first].*ends)[place.second].begin; });
    return places;
}

RankEnds endsOf(std::vector<LocationEvents>& events, OfRank& rank, Storage* storage) {
    RankEnds ends;
    if (rank.locations.size() == 1) {
        LocationEvents& its = events[rank.locations.front()];
        ends.sends = std::move(its.insideSends);
        ends.receives = std::move(its.insideReceives);
        rank.calls = std::move(its.insideCalls);
        return ends;
    }
    ends.sends = Blocks<End>{storage}, ends.receives = Blocks<End>{storage}, rank.calls = Blocks<std::int64_t>{storage};
    for (const auto& [at, i] : inOrder(events, rank.locations, &LocationEvents::insideSends)) {
        ends.sends.push_back(events[at].insideSends[i]);
        rank.calls.push_back(events[at].insideCalls[i]);
    }
    for (const auto& [at, i] : inOrder(events, rank.locations, &LocationEvents::insideReceives))
        ends.receives.push_back(events[at].insideReceives[i]);
    ends.sends.fit(), ends.receives.fit(), rank.calls.fit();
    return ends;
}

/// Which collective a rank was in that it began at a time.
class Begun {
public:
    explicit Begun(const Collectives& collectives) : instances_{collectives.instances} {
        for (std::size_t i = 0; i < instances_.size(); ++i)
            for (const Participant& part : collectives.of(instances_[i]))
                all_.emplace_back(part.rank, part.begin.count(), static_cast<std::int32_t>(i));
        std::ranges::sort(all_);
    }

    /// Of several the one on `communicator`; noIndex for none.
    [[nodiscard]] std::int32_t at(Rank rank, std::int64_t begin, std::int32_t communicator) const {
        auto entry = std::ranges::lower_bound(all_, std::tuple{rank, begin, std::int32_t{0}});
        std::int32_t found = noIndex;
        for (; entry != all_.end() && std::get<0>(*entry) == rank && std::get<1>(*entry) == begin; ++entry) {
            const std::int32_t instance = std::get<2>(*entry);
            if (instances_[engine::asSize(instance)].communicator == communicator) return instance;
            if (found == noIndex) found = instance;
        }
        return found;
    }

private:
    const Column<Collective>& instances_;
    std::vector<std::tuple<Rank, std::int64_t, std::int32_t>> all_;
};

}  // namespace

Inside insideOf(std::vector<LocationEvents>& events, const World& world, const Definitions& definitions,
                const Collectives& collectives, Storage* storage) {
    Inside inside;
    std::vector<OfRank> ranks(engine::asSize(world.ranks));
    for (std::size_t i = 0; i < events.size(); ++i)
        if (const Rank rank = world.locations[i].rank;
            rank != noRank && (!events[i].insideSends.empty() || !events[i].insideReceives.empty()))
            ranks[rank.index()].locations.push_back(i);
    if (std::ranges::all_of(ranks, [](const OfRank& rank) { return rank.locations.empty(); })) return inside;
    std::vector<RankEnds> ends;
    for (OfRank& rank : ranks) ends.push_back(endsOf(events, rank, storage));
    const Partners partners = match(ends, storage);
    std::vector<std::int64_t> calls;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::size_t i = 0; i < partners.ofSend[rank].size(); ++i)
            if (partners.ofSend[rank][i] != alone) calls.push_back(ranks[rank].calls[i]);
    Matched matched = columnsOf(std::move(ends), partners, definitions, false, storage);
    inside.messages = std::move(matched.messages);
    inside.halves = static_cast<std::int64_t>(matched.halves.size());
    auto [communicators, communicatorAt] = makeColumn<std::int32_t>(calls.size(), storage);
    auto [instances, instanceAt] = makeColumn<std::int32_t>(calls.size(), storage);
    const Begun begun{collectives};
    for (std::size_t i = 0; i < calls.size(); ++i) {
        communicatorAt[i] = world.outerOf(inside.messages.communicator[i]);
        instanceAt[i] = begun.at(inside.messages.from[i], calls[i], communicatorAt[i]);
    }
    inside.messages.communicator = std::move(communicators);
    inside.collective = std::move(instances);
    return inside;
}

}  // namespace traces::reading
