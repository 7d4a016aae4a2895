// SPDX-License-Identifier: BSD-3-Clause
// Reductions, followed by name instead of by value: which contributions are in a partial result, and in what order.
#pragma once

#include "engine/proof/slot_contents.hpp"

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

/// What a slot holds: for each part of the vector the partial result of it.
using PartialVector = ByRange<Partial>;

/// The partial results of all ranks. Needs O(ranks x slots x pieces x stretches) memory.
class Partials : public SlotContents<Partial> {
public:
    /// Before the first round; dummies bring nothing.
    Partials(const Facts& facts, const Problem& problem)
        : SlotContents{facts, problem, [](Rank rank) { return Partial{rank.value}; }} {}

    /// Applies the receives of a round, given the turns of all ranks; every receive has its send.
    /// Returns the most bytes that any rank combined.
    Bytes apply(std::span<const Turn> turns);
};

}  // namespace engine
