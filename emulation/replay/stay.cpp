// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/stay.hpp"

#include "emulation/clocks/bounded_time.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {

using engine::Batch;
using engine::Round;

namespace {

/// Where each place's own begin once the messages lie by their `places`, and where the last ones end.
std::vector<std::uint32_t> firstOf(std::span<const std::int32_t> places, std::size_t count) {
    std::vector<std::uint32_t> first(count + 1);
    for (const std::int32_t place : places) ++first[engine::asSize(place) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

}  // namespace

OpenRound::OpenRound(const CollectiveDone& collective, std::int32_t number, Round round, RoundCosts& costs,
                     std::int64_t passes)
    : passes_{passes} {
    const std::vector<Rank>& members = *collective.members;
    const auto count = static_cast<std::int32_t>(members.size());
    Batch batch;
    batch.reset(members.size());
    collective.schedule->batch(round, Rank{0}, Rank{count}, batch);
    // The same in the world, whose links they take.
    Batch world;
    world.reset(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        world.push(members[engine::asSize(batch.from()[i])].value, members[engine::asSize(batch.to()[i])].value,
                   batch.bytes()[i]);
    const auto cost = costs.of(world, Round{0});
    letters_.reserve(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        letters_.push_back(
            {.record = {Rank{world.from()[i]}, Rank{world.to()[i]}, round, world.bytes()[i], {}, {}, {}, {}},
             .cost = cost[i],
             .collective = number,
             .order = static_cast<std::uint32_t>(i)});
    firstSent_ = firstOf(batch.from(), members.size());
    firstReceived_ = firstOf(batch.to(), members.size());
    received_.resize(batch.size());
    std::vector<std::uint32_t> next = firstReceived_;
    for (std::uint32_t i = 0; i < batch.size(); ++i) received_[next[engine::asSize(batch.to()[i])]++] = i;
    for (const auto& [rank, bytes] : batch.combining()) combining_.emplace_back(rank.value, bytes);
    std::ranges::stable_sort(combining_, {}, &std::pair<std::int32_t, engine::Bytes>::first);
}

std::span<ReplayLetter> OpenRound::sends(std::int32_t place) {
    const auto at = engine::asSize(place);
    return std::span{letters_}.subspan(firstSent_[at], firstSent_[at + 1] - firstSent_[at]);
}

std::span<const std::uint32_t> OpenRound::receives(std::int32_t place) const {
    const auto at = engine::asSize(place);
    return std::span{received_}.subspan(firstReceived_[at], firstReceived_[at + 1] - firstReceived_[at]);
}

engine::Picoseconds OpenRound::combining(std::int32_t place, engine::Rate gamma, Factor slowness) const {
    engine::Picoseconds sum{};
    for (const auto& [who, bytes] :
         std::ranges::equal_range(combining_, place, {}, &std::pair<std::int32_t, engine::Bytes>::first))
        sum = later(sum, lasting(slowness, lasting(gamma, bytes)));
    return sum;
}

OpenRound& OpenRounds::at(Round round) {
    const std::size_t place = engine::asSize(round.value - first_);
    while (open_.size() <= place) {
        const Round next{first_ + static_cast<std::int64_t>(open_.size())};
        const std::int64_t strands = collective_.schedule->facts().uncoupled.contains(next) ? 2 : 1;
        open_.push_back(std::make_unique<OpenRound>(collective_, number_, next, costs_,
                                                    strands * static_cast<std::int64_t>(collective_.members->size())));
    }
    return *open_[place];
}

void OpenRounds::pass(Round round) {
    std::unique_ptr<OpenRound>& passed = open_[engine::asSize(round.value - first_)];
    if (!passed->pass()) return;
    passed.reset();
    for (; !open_.empty() && open_.front() == nullptr; open_.pop_front()) ++first_;
}

std::int32_t PlacesOfMembers::of(const std::vector<Rank>& members, Rank rank) {
    engine::ById<Rank, std::int32_t>& places = known_[&members];
    if (places.empty()) {
        places.resize(ranks_);
        for (std::size_t place = 0; place < members.size(); ++place)
            places[members[place]] = static_cast<std::int32_t>(place);
    }
    return places[rank];
}

}  // namespace emulation
