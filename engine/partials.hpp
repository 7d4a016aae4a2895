// SPDX-License-Identifier: BSD-3-Clause
// Reductions, followed by name instead of by value: which contributions are in a partial result, and in what order.
#pragma once

#include "engine/schedule.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace engine {

/// Contributions in their order, repeats kept. Neighbours that rise or fall by one share an entry, so that what the
/// usual algorithms build stays small.
class Partial {
public:
    /// first, first+1, ..., last; or falling when last < first.
    struct Stretch {
        std::int32_t first = 0;
        std::int32_t last = 0;

        friend bool operator==(const Stretch&, const Stretch&) = default;
    };

    Partial() = default;
    explicit Partial(std::int32_t contribution) : stretches_{{contribution, contribution}} {}

    [[nodiscard]] bool empty() const { return stretches_.empty(); }
    [[nodiscard]] std::span<const Stretch> stretches() const { return stretches_; }
    /// Every contribution, one by one.
    [[nodiscard]] std::vector<std::int32_t> terms() const;

    void append(const Partial& other);
    void prepend(const Partial& other);

    /// The least of contributions 0..count-1 that is not in it.
    [[nodiscard]] std::optional<std::int32_t> missing(std::int32_t count) const;
    /// The least contribution that is in it more than once, and how often it is.
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int64_t>> repeated() const;

    friend bool operator==(const Partial&, const Partial&) = default;

private:
    void push(Stretch next);
    [[nodiscard]] std::vector<Stretch> sorted() const;

    std::vector<Stretch> stretches_;
};

/// The partial results of all ranks. Needs O(ranks x slots x stretches) memory.
class Partials {
public:
    /// Before the first round; ranks from `contributors` on bring nothing.
    Partials(const Facts& facts, std::int32_t contributors);

    [[nodiscard]] const Partial& at(Rank rank, int slot) const { return held_[place(rank, slot)]; }
    [[nodiscard]] const Partial& result(Rank rank) const { return at(rank, result_); }
    /// What a send carries: the content of its slot before the round.
    [[nodiscard]] const Partial& carried(Rank from, const Message& send) const {
        return at(from, std::countr_zero(send.slots));
    }

    /// Applies the receives of a round, given the turns of all ranks; every receive has its send.
    /// Returns the most bytes that any rank combined.
    Bytes apply(std::span<const Turn> turns);

private:
    [[nodiscard]] std::size_t place(Rank rank, int slot) const { return rank.index() * asSize(slots_) + asSize(slot); }
    Bytes receive(Rank rank, std::span<const Message> receives, std::span<const Partial> arrivals);

    int slots_;
    int result_;
    std::vector<Partial> held_;  // rank by rank, slot by slot
};

}  // namespace engine
