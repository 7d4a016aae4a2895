// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/ring_shift.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

Facts withRounds(Facts facts, const Conveyor& conveyor) {
    const auto most = std::max_element(conveyor.rounds.begin(), conveyor.rounds.end());
    facts.ranks = conveyor.places();
    facts.rounds = most == conveyor.rounds.end() ? 0 : *most;
    return facts;
}

}  // namespace

ConveyorSchedule::ConveyorSchedule(Facts facts, Conveyor conveyor)
    : Schedule{withRounds(std::move(facts), conveyor)}, conveyor_{std::move(conveyor)} {
    ENSURE(conveyor_.first.size() == conveyor_.rounds.size(), "a conveyor needs as many starts as places");
    if (conveyor_.rankAt.empty()) return;
    placeOf_.resize(conveyor_.rankAt.size());
    for (std::int32_t place = 0; place < conveyor_.places(); ++place)
        placeOf_[asSize(conveyor_.rankAt[asSize(place)])] = place;
}

std::int32_t ConveyorSchedule::placeOf(Rank rank) const {
    return placeOf_.empty() ? rank.value : placeOf_[rank.index()];
}

Rank ConveyorSchedule::rankAt(std::int32_t place) const {
    return Rank{conveyor_.rankAt.empty() ? place : conveyor_.rankAt[asSize(place)]};
}

std::int32_t ConveyorSchedule::before(std::int32_t place) const {
    return place == 0 ? conveyor_.places() - 1 : place - 1;
}

std::int32_t ConveyorSchedule::after(std::int32_t place) const {
    return place + 1 == conveyor_.places() ? 0 : place + 1;
}

std::optional<Range> ConveyorSchedule::blockFrom(std::int32_t place, Round round) const {
    if (round.value >= conveyor_.rounds[asSize(place)]) return std::nullopt;
    std::int64_t block = conveyor_.first[asSize(place)] - round.value;
    if (block < 0) block += static_cast<std::int64_t>(conveyor_.blocks.size());
    const Range range = conveyor_.blocks[asSize(block)];
    if (range.empty() && !conveyor_.sendsEmpty) return std::nullopt;
    return range;
}

void ConveyorSchedule::fill(Rank rank, Round round, Turn& out) const {
    const std::int32_t place = placeOf(rank);
    const std::int32_t left = before(place);
    if (const auto leaves = blockFrom(place, round)) out.send(rankAt(after(place)), *leaves);
    if (const auto comes = blockFrom(left, round)) out.receive(rankAt(left), *comes);
}

void ConveyorSchedule::batch(Round round, Rank first, Rank last, Batch& out) const {
    for (Rank rank = first; rank < last; ++rank) {
        const std::int32_t place = placeOf(rank);
        if (const auto leaves = blockFrom(place, round))
            out.push(rank.value, rankAt(after(place)).value, leaves->size());
    }
}

Conveyor gatherConveyor(const std::vector<std::vector<Range>>& blocks, std::vector<std::int32_t> rankAt) {
    Conveyor conveyor;
    conveyor.rankAt = std::move(rankAt);
    for (const auto& own : blocks) {
        ENSURE(!own.empty(), "a place of a conveyor brings at least one block");
        conveyor.blocks.insert(conveyor.blocks.end(), own.begin(), own.end());
        conveyor.first.push_back(static_cast<std::int64_t>(conveyor.blocks.size()) - 1);
    }
    const auto all = static_cast<std::int64_t>(conveyor.blocks.size());
    for (std::size_t place = 0; place < blocks.size(); ++place) {
        const std::size_t next = place + 1 < blocks.size() ? place + 1 : 0;
        conveyor.rounds.push_back(all - static_cast<std::int64_t>(blocks[next].size()));
    }
    return conveyor;
}

SchedulePtr onConveyor(Facts facts, std::string name, Conveyor conveyor) {
    facts = withRounds(std::move(facts), conveyor);
    facts.stages.clear();
    if (facts.rounds > 0) facts.stages.push_back({std::move(name), Round{0}, facts.rounds});
    return std::make_shared<const ConveyorSchedule>(std::move(facts), std::move(conveyor));
}

}  // namespace engine
