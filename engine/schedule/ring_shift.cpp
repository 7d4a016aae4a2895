// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/ring_shift.hpp"

#include "engine/base/error.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

Facts withRounds(Facts facts, const RingShift& ringShift) {
    const auto most = std::max_element(ringShift.rounds.begin(), ringShift.rounds.end());
    facts.ranks = ringShift.places();
    facts.rounds = most == ringShift.rounds.end() ? 0 : *most;
    return facts;
}

}  // namespace

RingShiftSchedule::RingShiftSchedule(Facts facts, RingShift ringShift)
    : Schedule{withRounds(std::move(facts), ringShift)}, ringShift_{std::move(ringShift)} {
    ENSURE(ringShift_.first.size() == ringShift_.rounds.size(), "a ring shift needs as many starts as places");
    if (ringShift_.rankAt.empty()) return;
    placeOf_.resize(ringShift_.rankAt.size());
    for (std::int32_t place = 0; place < ringShift_.places(); ++place)
        placeOf_[asSize(ringShift_.rankAt[asSize(place)])] = place;
}

std::int32_t RingShiftSchedule::placeOf(Rank rank) const {
    return placeOf_.empty() ? rank.value : placeOf_[rank.index()];
}

Rank RingShiftSchedule::rankAt(std::int32_t place) const {
    return Rank{ringShift_.rankAt.empty() ? place : ringShift_.rankAt[asSize(place)]};
}

std::int32_t RingShiftSchedule::before(std::int32_t place) const {
    return place == 0 ? ringShift_.places() - 1 : place - 1;
}

std::int32_t RingShiftSchedule::after(std::int32_t place) const {
    return place + 1 == ringShift_.places() ? 0 : place + 1;
}

std::optional<Range> RingShiftSchedule::blockFrom(std::int32_t place, Round round) const {
    if (round.value >= ringShift_.rounds[asSize(place)]) return std::nullopt;
    std::int64_t block = ringShift_.first[asSize(place)] - round.value;
    if (block < 0) block += static_cast<std::int64_t>(ringShift_.blocks.size());
    const Range range = ringShift_.blocks[asSize(block)];
    if (range.empty() && !ringShift_.sendsEmpty) return std::nullopt;
    return range;
}

void RingShiftSchedule::fill(Rank rank, Round round, Turn& out) const {
    const std::int32_t place = placeOf(rank);
    const std::int32_t left = before(place);
    if (const auto leaves = blockFrom(place, round)) out.send(rankAt(after(place)), *leaves);
    if (const auto comes = blockFrom(left, round)) out.receive(rankAt(left), *comes);
}

void RingShiftSchedule::batch(Round round, Rank first, Rank last, Batch& out) const {
    for (Rank rank = first; rank < last; ++rank) {
        const std::int32_t place = placeOf(rank);
        if (const auto leaves = blockFrom(place, round))
            out.push(rank.value, rankAt(after(place)).value, leaves->size());
    }
}

RingShift allgatherRingShift(const std::vector<std::vector<Range>>& blocks, std::vector<std::int32_t> rankAt) {
    RingShift ringShift;
    ringShift.rankAt = std::move(rankAt);
    for (const auto& own : blocks) {
        ENSURE(!own.empty(), "a place of a ring shift brings at least one block");
        ringShift.blocks.insert(ringShift.blocks.end(), own.begin(), own.end());
        ringShift.first.push_back(static_cast<std::int64_t>(ringShift.blocks.size()) - 1);
    }
    const auto all = static_cast<std::int64_t>(ringShift.blocks.size());
    for (std::size_t place = 0; place < blocks.size(); ++place) {
        const std::size_t next = place + 1 < blocks.size() ? place + 1 : 0;
        ringShift.rounds.push_back(all - static_cast<std::int64_t>(blocks[next].size()));
    }
    return ringShift;
}

SchedulePtr onRingShift(Facts facts, std::string name, RingShift ringShift) {
    facts = withRounds(std::move(facts), ringShift);
    facts.stages.clear();
    if (facts.rounds > 0) facts.stages.push_back({std::move(name), Round{0}, facts.rounds});
    return std::make_shared<const RingShiftSchedule>(std::move(facts), std::move(ringShift));
}

}  // namespace engine
