// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/course.hpp"

#include "emulation/clocks/bounded_time.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace emulation {

using engine::Batch;
using engine::Round;

namespace {

constexpr std::int64_t mostKept = 1'000'000;  // messages, 28 bytes each

/// Where each place's own begin once the messages lie by their `places`, and where the last ones end.
std::vector<std::uint32_t> firstOf(std::span<const std::int32_t> places, std::size_t count) {
    std::vector<std::uint32_t> first(count + 1);
    for (const std::int32_t place : places) ++first[engine::asSize(place) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

/// For each member: whose coming its progress depends on.
class Dependence {
public:
    explicit Dependence(std::size_t members)
        : members_{members}, words_{(members + 63) / 64}, before_(members * words_) {
        for (std::size_t place = 0; place < members; ++place)
            before_[place * words_ + place / 64] |= std::uint64_t{1} << place % 64;
        receives_ = before_;
    }

    /// Where sends and receives go apart, what is sent depends on nothing received since they parted.
    void pass(const CollectiveRound& round, bool isApart, bool joins) {
        std::vector<std::uint64_t> next = isApart ? receives_ : before_;
        for (std::size_t i = 0; i < round.size(); ++i)
            for (std::size_t word = 0; word < words_; ++word)
                next[engine::asSize(round.to(i)) * words_ + word] |=
                    before_[engine::asSize(round.from(i)) * words_ + word];
        receives_ = std::move(next);
        if (joins) before_ = receives_;
    }

    [[nodiscard]] bool isAllOnAll() const {
        for (std::size_t place = 0; place < members_; ++place) {
            std::size_t count = 0;
            for (std::size_t word = 0; word < words_; ++word)
                count += static_cast<std::size_t>(std::popcount(before_[place * words_ + word]));
            if (count < members_) return false;
        }
        return true;
    }

private:
    std::size_t members_;
    std::size_t words_;                    // of a member
    std::vector<std::uint64_t> before_;    // by place: a bit for every member
    std::vector<std::uint64_t> receives_;  // of its receives, while they are apart
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
    firstSent_ = firstOf(from_, members.size());
    firstReceived_ = firstOf(to_, members.size());
    received_.resize(size());
    std::vector<std::uint32_t> next = firstReceived_;
    for (std::uint32_t i = 0; i < size(); ++i) received_[next[engine::asSize(to_[i])]++] = i;
    for (const auto& [rank, bytes] : batch.combining()) combining_.emplace_back(rank.value, bytes);
    std::ranges::stable_sort(combining_, {}, &std::pair<std::int32_t, engine::Bytes>::first);
}

engine::Picoseconds CollectiveRound::combining(std::int32_t place, engine::Rate gamma, Factor slowness) const {
    engine::Picoseconds sum{};
    for (const auto& [who, bytes] :
         std::ranges::equal_range(combining_, place, {}, &std::pair<std::int32_t, engine::Bytes>::first))
        sum = later(sum, lasting(slowness, lasting(gamma, bytes)));
    return sum;
}

const Course* Courses::of(const CollectiveDone& collective) {
    const auto [entry, isNew] = known_.try_emplace({collective.schedule.get(), collective.members.get()});
    if (isNew) entry->second = make(collective);
    return entry->second ? &*entry->second : nullptr;
}

std::shared_ptr<const CollectiveRound> Courses::round(const CollectiveDone& collective, Round round) {
    if (const Course* course = of(collective)) return course->rounds[engine::asSize(round.value)];
    return std::make_shared<const CollectiveRound>(collective, round, costs_);
}

std::optional<Course> Courses::make(const CollectiveDone& collective) {
    const engine::Facts& facts = collective.schedule->facts();
    if (facts.rounds > mostKept) return std::nullopt;
    Course course;
    Dependence dependence{collective.members->size()};
    for (Round round{0}; round.value < facts.rounds; ++round) {
        auto one = std::make_shared<const CollectiveRound>(collective, round, costs_);
        course.messages += static_cast<std::int64_t>(one->size());
        if (kept_ + course.messages > mostKept) return std::nullopt;
        for (std::size_t i = 0; i < one->size(); ++i) course.bytes += one->bytes(i);
        dependence.pass(*one, facts.uncoupled.contains(round), facts.joins(round));
        course.rounds.push_back(std::move(one));
    }
    kept_ += course.messages;
    course.gathers = dependence.isAllOnAll();
    return course;
}

}  // namespace emulation
