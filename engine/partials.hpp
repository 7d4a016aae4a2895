// SPDX-License-Identifier: BSD-3-Clause
// Reductions, followed by name instead of by value: which contributions are in a partial result, and in what order.
#pragma once

#include "engine/problem.hpp"
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

    /// The least of contributions first..end-1 that is not in it.
    [[nodiscard]] std::optional<std::int32_t> missing(std::int32_t first, std::int32_t end) const;
    /// The least contribution that is in it and is none of first..end-1.
    [[nodiscard]] std::optional<std::int32_t> foreign(std::int32_t first, std::int32_t end) const;
    /// The least contribution that is in it more than once, and how often it is.
    [[nodiscard]] std::optional<std::pair<std::int32_t, std::int64_t>> repeated() const;
    /// Whether every contribution is greater than the one before it.
    [[nodiscard]] bool rises() const;

    friend bool operator==(const Partial&, const Partial&) = default;

private:
    void push(Stretch next);
    [[nodiscard]] std::vector<Stretch> sorted() const;

    std::vector<Stretch> stretches_;
};

/// What a slot holds: for each part of the vector the partial result of it. A schedule that never cuts the vector has
/// one part, [0, 1), whatever the size of the vector.
class PartialVector {
public:
    struct Piece {
        Range range;
        Partial partial;

        friend bool operator==(const Piece&, const Piece&) = default;
    };

    PartialVector() = default;
    PartialVector(Range vector, std::int32_t contribution);

    /// Parts that are held, rising; neighbours differ.
    [[nodiscard]] std::span<const Piece> pieces() const& { return pieces_; }
    std::span<const Piece> pieces() && = delete;  // they would be gone
    /// Of a vector that is never cut: its partial result, empty when there is none.
    [[nodiscard]] const Partial& whole() const;
    /// The pieces, or parts of them, that lie in `ranges`, which do not overlap.
    [[nodiscard]] PartialVector in(std::span<const Range> ranges) const;
    /// The first byte of `range` that no piece holds.
    [[nodiscard]] std::optional<Bytes> missing(Range range) const;

    /// What a receive does, where `arrived` has pieces.
    void receive(const PartialVector& arrived, Action action);

    friend bool operator==(const PartialVector&, const PartialVector&) = default;

private:
    void push(Range range, const Partial& partial);

    std::vector<Piece> pieces_;
};

/// The partial results of all ranks. Needs O(ranks x slots x pieces x stretches) memory.
class Partials {
public:
    /// Before the first round; dummies bring nothing.
    Partials(const Facts& facts, const Problem& problem);

    [[nodiscard]] const PartialVector& at(Rank rank, int slot) const { return held_[place(rank, slot)]; }
    [[nodiscard]] const PartialVector& result(Rank rank) const { return at(rank, result_); }
    /// The content of the slot that `send`, of the turn of `from`, reads, before the round.
    [[nodiscard]] const PartialVector& read(Rank from, const Message& send) const {
        return at(from, std::countr_zero(send.slots));
    }
    /// What it carries of that.
    [[nodiscard]] PartialVector carried(Rank from, const Turn& turn, const Message& send) const {
        return send.whole ? read(from, send) : read(from, send).in(turn.ranges(send));
    }

    /// Applies the receives of a round, given the turns of all ranks; every receive has its send.
    /// Returns the most bytes that any rank combined.
    Bytes apply(std::span<const Turn> turns);

private:
    [[nodiscard]] std::size_t place(Rank rank, int slot) const { return rank.index() * asSize(slots_) + asSize(slot); }
    Bytes receive(Rank rank, std::span<const Message> receives, std::span<const PartialVector> arrivals);

    int slots_;
    int result_;
    std::vector<PartialVector> held_;  // rank by rank, slot by slot
};

}  // namespace engine
