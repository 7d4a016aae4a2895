// SPDX-License-Identifier: BSD-3-Clause
#include "engine/bracketing.hpp"

#include "engine/contract.hpp"
#include "engine/slot_contents.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace engine {
namespace {

std::uint64_t pairOf(Brackets::Id left, Brackets::Id right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

/// Whether all results of the same bytes of the vector, of the same contributors, are alike in `key`.
template <class Key>
bool agree(const Bracketing& found, const Contract& contract, const Key& key) {
    struct Part {
        std::pair<std::int32_t, std::int32_t> of;  // contributors
        Range range;
        Brackets::Id key;
    };
    std::vector<Part> parts;
    for (const Bracketed& one : found.results) {
        const auto [first, end] = contract.contributors(one.rank);
        parts.push_back({{first, end}, one.range, key(one.expression)});
    }
    std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) {
        return std::tie(a.of, a.range.begin, a.range.end) < std::tie(b.of, b.range.begin, b.range.end);
    });
    // Rising by begin: each is compared with the one before it that reaches farthest.
    for (std::size_t i = 1, farthest = 0; i < parts.size(); ++i) {
        if (parts[i].of != parts[farthest].of || parts[i].range.begin >= parts[farthest].range.end) {
            farthest = i;
            continue;
        }
        if (parts[i].key != parts[farthest].key) return false;
        if (parts[i].range.end > parts[farthest].range.end) farthest = i;
    }
    return true;
}

}  // namespace

Brackets::Brackets(std::int32_t contributions) : contributions_{contributions}, unordered_(asSize(contributions)) {
    std::iota(unordered_.begin(), unordered_.end(), Id{0});
}

Brackets::Id Brackets::joined(Id left, Id right) {
    const auto next = static_cast<Id>(contributions_ + static_cast<Id>(sides_.size()));
    const auto [known, isNew] = known_.try_emplace(pairOf(left, right), next);
    if (!isNew) return known->second;
    sides_.emplace_back(left, right);
    const std::pair classes = std::minmax({unordered(left), unordered(right)});
    unordered_.push_back(unorderedOf_.try_emplace(pairOf(classes.first, classes.second), next).first->second);
    return next;
}

std::string Brackets::words(Id id) const {
    if (isLeaf(id)) return text(id);
    const auto [left, right] = sides(id);
    return "(" + words(left) + " " + words(right) + ")";
}

Bracketing bracketingOf(const Schedule& schedule, const Problem& problem, const Progress& progress) {
    const Facts& facts = schedule.facts();
    Bracketing found{.brackets = Brackets{problem.ranks()}, .results = {}};
    SlotContents<Brackets::Id> slots{facts, problem, [&](Rank rank) { return found.brackets.leaf(rank); }};
    std::vector<Turn> turns(asSize(facts.ranks));
    for (Round round{0}; round.value < facts.rounds; ++round) {
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) schedule.turn(rank, round, turns[rank.index()]);
        slots.apply(turns, [&](Brackets::Id left, Brackets::Id right) { return found.brackets.joined(left, right); });
        progress.at(static_cast<double>(round.value + 1) / static_cast<double>(facts.rounds));
    }
    const Contract contract{problem};
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank) {
        const auto wanted = contract.result(rank);
        if (!wanted) continue;
        const ByRange<Brackets::Id> part = facts.pieces ? slots.result(rank).in({&*wanted, 1}) : slots.result(rank);
        for (const auto& [range, expression] : part.pieces())
            found.results.push_back({rank, facts.pieces ? range : *wanted, expression});
    }
    const auto itself = [](Brackets::Id id) { return id; };
    const auto unordered = [&](Brackets::Id id) { return found.brackets.unordered(id); };
    found.sameBits = agree(found, contract, itself)      ? SameBits::always
                     : agree(found, contract, unordered) ? SameBits::ifCommutative
                                                         : SameBits::notAlways;
    return found;
}

std::string_view inWords(SameBits sameBits) {
    switch (sameBits) {
        case SameBits::always: return "all ranks get the same bits from any operation";
        case SameBits::ifCommutative:
            return "all ranks get the same bits from operations that commute, floating-point sums included";
        case SameBits::notAlways: return "ranks may get different bits from floating-point sums";
    }
    return {};
}

}  // namespace engine
