// SPDX-License-Identifier: BSD-3-Clause
// How a reduction brackets its operands: (x0 + x1) + (x2 + x3) is not x0 + (x1 + (x2 + x3)) in floating point. A
// schedule fixes the brackets of every element on every rank; whether all ranks get the same bits is a fact of it.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/run/executor.hpp"
#include "engine/schedule/schedule.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace engine {

/// When all ranks that have a result of the same operands get the same bits of it.
enum class SameBits : std::uint8_t {
    always,         ///< for any operation: the same operands in the same order in the same brackets
    ifCommutative,  ///< for operations that commute, such as sums in floating point: order differs, brackets do not
    notAlways,      ///< only for operations that are associative too, such as sums of integers
};

/// Expressions over the contributions; equal ones are one. Contribution i has id i.
class Brackets {
public:
    using Id = std::int32_t;

    explicit Brackets(std::int32_t contributions);

    /// left o right.
    Id joined(Id left, Id right);
    /// Takes all expressions of `other` over; answers, by their ids there, their ids here. Has as many contributions as
    /// `other` at least.
    std::vector<Id> takeOver(const Brackets& other);
    /// The same whatever the order of the two sides of each bracket.
    [[nodiscard]] Id unordered(Id id) const { return unordered_[asSize(id)]; }

    [[nodiscard]] bool isLeaf(Id id) const { return id < contributions_; }
    [[nodiscard]] std::pair<Id, Id> sides(Id id) const { return sides_[asSize(id - contributions_)]; }
    /// "((0 1) (2 3))".
    [[nodiscard]] std::string words(Id id) const;
    /// The same in about `most` letters: what is nested too deep is shown by its contributions, "(0..3 4..7)".
    [[nodiscard]] std::string words(Id id, std::size_t most) const;
    /// The contributions in their order.
    [[nodiscard]] std::vector<std::int32_t> leaves(Id id) const;

private:
    [[nodiscard]] std::string words(Id id, int depth, bool& whole) const;

    std::int32_t contributions_;
    std::vector<std::pair<Id, Id>> sides_;               // of those that are no leaves
    std::unordered_map<std::uint64_t, Id> known_;        // by sides
    std::vector<Id> unordered_;                          // by id: an id of the class
    std::unordered_map<std::uint64_t, Id> unorderedOf_;  // by the classes of both sides, the lesser first
};

/// One element's result on one rank.
struct Bracketed {
    Rank rank;
    Range range;  ///< of the vector, in bytes; the whole of it where it is never cut
    Brackets::Id expression = 0;
};

/// The brackets of all results of a reduction.
struct Bracketing {
    Brackets brackets;
    std::vector<Bracketed> results;  ///< by rank and range, of what the contract wants there
    SameBits sameBits = SameBits::always;
};

/// One operation of a reduction: `rank` makes left o right of what it has and what came in `round`.
struct Join {
    Brackets::Id left = 0;
    Brackets::Id right = 0;
    Round round{};
    Rank rank{};

    friend auto operator<=>(const Join&, const Join&) = default;
};

/// All joins of a reduction, one by one, to determine when and where a result was evaluated.
struct JoinHistory {
    std::int32_t contributions = 0;
    std::vector<Join> joins;         ///< in the order of rounds; the id of the first is `contributions`
    std::vector<Bracketed> results;  ///< as those of Bracketing, but `expression` is a join or, below, a contribution

    [[nodiscard]] bool isLeaf(Brackets::Id id) const { return id < contributions; }
    [[nodiscard]] const Join& join(Brackets::Id id) const { return joins[asSize(id - contributions)]; }
};

/// Follows a schedule that was proved; vectors are combined (see combinesVectors). Needs O(ranks x pieces) memory, and
/// one entry for each bracket that any rank ever makes. Throws Cancelled.
Bracketing bracketingOf(const Schedule& schedule, const Problem& problem, const Progress& progress = {});
/// The same with one entry for each join.
JoinHistory joinsOf(const Schedule& schedule, const Problem& problem, const Progress& progress = {});

/// "all ranks get the same bits from any operation", as a sentence without its end.
std::string_view inWords(SameBits sameBits);

}  // namespace engine
