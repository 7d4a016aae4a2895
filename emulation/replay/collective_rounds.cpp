// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/collective_rounds.hpp"

#include "emulation/clocks/bounded_time.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {

using engine::Batch;
using engine::Round;

namespace {

constexpr std::int64_t mostKept = 1'000'000;  // messages, 28 bytes each
constexpr std::size_t fewOf = 8;              // one in so many members

/// Where each place's own begin once the messages lie by their `places`, and where the last ones end.
std::vector<std::uint32_t> firstOf(std::span<const std::int32_t> places, std::size_t count) {
    std::vector<std::uint32_t> first(count + 1);
    for (const std::int32_t place : places) ++first[engine::asSize(place) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

/// Whether the progress of every member depends on the coming of all: for 64 of them at a time, so that it takes
/// memory by the members and not by their pairs.
class Dependence {
public:
    Dependence(const CollectiveRounds& collectiveRounds, const engine::Facts& facts, std::size_t members)
        : collectiveRounds_{collectiveRounds}, facts_{facts}, before_(members), receives_(members) {}

    [[nodiscard]] bool isAllOnAll() {
        for (std::size_t first = 0; first < before_.size(); first += 64)
            if (!isAllOn(first, std::min(first + 64, before_.size()))) return false;
        return true;
    }

private:
    bool isAllOn(std::size_t first, std::size_t behind) {
        std::ranges::fill(before_, 0);
        for (std::size_t place = first; place < behind; ++place) before_[place] = std::uint64_t{1} << (place - first);
        receives_ = before_;
        for (Round round{0}; round.value < facts_.rounds; ++round) pass(round);
        const std::uint64_t all = ~std::uint64_t{0} >> (64 - (behind - first));
        return std::ranges::all_of(before_, [all](std::uint64_t known) { return known == all; });
    }

    /// Where sends and receives go apart, what is sent depends on nothing received since they parted.
    void pass(Round round) {
        const CollectiveRound& messages = *collectiveRounds_.rounds[engine::asSize(round.value)];
        for (std::size_t i = 0; i < messages.size(); ++i) sent_.push_back(before_[engine::asSize(messages.from(i))]);
        for (std::size_t i = 0; i < messages.size(); ++i) {
            receives_[engine::asSize(messages.to(i))] |= sent_[i];
            receivers_.push_back(messages.to(i));
        }
        sent_.clear();
        if (!facts_.joins(round)) return;
        for (const std::int32_t place : receivers_) before_[engine::asSize(place)] = receives_[engine::asSize(place)];
        receivers_.clear();
    }

    const CollectiveRounds& collectiveRounds_;
    const engine::Facts& facts_;
    std::vector<std::uint64_t> before_;    // by place: a bit for each of the 64
    std::vector<std::uint64_t> receives_;  // of its receives, while they are apart from its sends
    std::vector<std::uint64_t> sent_;      // by message of a round
    std::vector<std::int32_t> receivers_;  // since sends and receives parted
};

}  // namespace

CollectiveRound::CollectiveRound(const CollectiveDone& collective, Round round, RoundCosts& costs) {
    const std::vector<Rank>& members = *collective.members;
    Batch batch;
    batch.reset(members.size());
    collective.schedule->batch(round, Rank{0}, Rank{static_cast<std::int32_t>(members.size())}, batch);
    // The same in the world, whose links they take.
    Batch world;
    world.reset(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        world.push(members[engine::asSize(batch.from()[i])].value, members[engine::asSize(batch.to()[i])].value,
                   batch.bytes()[i]);
    const auto cost = costs.of(world, Round{0});
    from_.assign(batch.from().begin(), batch.from().end());
    to_.assign(batch.to().begin(), batch.to().end());
    bytes_.assign(batch.bytes().begin(), batch.bytes().end());
    costs_.assign(cost.begin(), cost.end());
    startups_.assign(costs.startups().begin(), costs.startups().end());
    received_.resize(size());
    std::iota(received_.begin(), received_.end(), 0U);
    std::ranges::stable_sort(received_, {}, [this](std::uint32_t i) { return to_[i]; });
    // A chain of thousands has as many rounds, each of one message.
    if (size() >= members.size() / fewOf) {
        firstSent_ = firstOf(from_, members.size());
        firstReceived_ = firstOf(to_, members.size());
    }
    for (const auto& [rank, bytes] : batch.combining()) combining_.emplace_back(rank.value, bytes);
    std::ranges::stable_sort(combining_, {}, &std::pair<std::int32_t, engine::Bytes>::first);
}

std::pair<std::size_t, std::size_t> CollectiveRound::sends(std::int32_t place) const {
    const std::size_t at = engine::asSize(place);
    if (!firstSent_.empty()) return {firstSent_[at], firstSent_[at + 1]};
    const auto own = std::ranges::equal_range(from_, place);
    return {own.begin() - from_.begin(), own.end() - from_.begin()};
}

std::span<const std::uint32_t> CollectiveRound::receives(std::int32_t place) const {
    const std::size_t at = engine::asSize(place);
    if (!firstReceived_.empty())
        return std::span{received_}.subspan(firstReceived_[at], firstReceived_[at + 1] - firstReceived_[at]);
    return std::ranges::equal_range(received_, place, {}, [this](std::uint32_t i) { return to_[i]; });
}

engine::Picoseconds CollectiveRound::combining(std::int32_t place, engine::Rate gamma, Factor slowness) const {
    engine::Picoseconds sum{};
    for (const auto& [who, bytes] :
         std::ranges::equal_range(combining_, place, {}, &std::pair<std::int32_t, engine::Bytes>::first))
        sum = later(sum, lasting(slowness, gamma * bytes));
    return sum;
}

const CollectiveRounds* CollectiveRoundsCache::of(const CollectiveDone& collective) {
    const auto [entry, isNew] =
        known_.try_emplace({collective.schedule.get(), collective.members.get(), collective.model.get()});
    if (isNew) entry->second = make(collective);
    return entry->second ? &*entry->second : nullptr;
}

std::shared_ptr<const CollectiveRound> CollectiveRoundsCache::round(const CollectiveDone& collective, Round round) {
    if (const CollectiveRounds* collectiveRounds = of(collective))
        return collectiveRounds->rounds[engine::asSize(round.value)];
    return std::make_shared<const CollectiveRound>(collective, round, costsOf(collective));
}

RoundCosts& CollectiveRoundsCache::costsOf(const CollectiveDone& collective) {
    if (collective.model == nullptr || conditions_.model.logGP || isFair(conditions_.sharing)) return costs_;
    const auto known = ownCosts_.find(collective.model.get());
    if (known != ownCosts_.end()) return known->second.costs;
    Conditions own = conditions_;
    own.model = *collective.model;
    return ownCosts_.try_emplace(collective.model.get(), network_, std::move(own)).first->second.costs;
}

std::optional<CollectiveRounds> CollectiveRoundsCache::make(const CollectiveDone& collective) {
    const engine::Facts& facts = collective.schedule->facts();
    if (facts.rounds > mostKept) return std::nullopt;
    CollectiveRounds collectiveRounds;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        auto one = std::make_shared<const CollectiveRound>(collective, round, costsOf(collective));
        collectiveRounds.messages += static_cast<std::int64_t>(one->size());
        if (kept_ + collectiveRounds.messages > mostKept) return std::nullopt;
        for (std::size_t i = 0; i < one->size(); ++i) collectiveRounds.bytes += one->bytes(i);
        collectiveRounds.rounds.push_back(std::move(one));
    }
    kept_ += collectiveRounds.messages;
    collectiveRounds.gathers = Dependence{collectiveRounds, facts, collective.members->size()}.isAllOnAll();
    return collectiveRounds;
}

}  // namespace emulation
