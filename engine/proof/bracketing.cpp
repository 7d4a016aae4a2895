// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/bracketing.hpp"

#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"
#include "engine/proof/slot_contents.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace engine {
namespace {

std::uint64_t pairOf(Brackets::Id left, Brackets::Id right) {
    return std::uint64_t{static_cast<std::uint32_t>(left)} << 32 | static_cast<std::uint32_t>(right);
}

/// "0..3", "0..3,7": rising; of many that do not follow each other their number.
std::string toldByRanks(std::vector<std::int32_t> ranks) {
    constexpr std::size_t mostRuns = 2;
    std::sort(ranks.begin(), ranks.end());
    std::string told;
    std::size_t runs = 0;
    for (std::size_t first = 0, last = 0; first < ranks.size(); first = ++last) {
        if (++runs > mostRuns) return text("[", ranks.size(), " ranks]");
        while (last + 1 < ranks.size() && ranks[last + 1] <= ranks[last] + 1) ++last;
        told += text(told.empty() ? "" : ",", ranks[first]);
        if (last > first) told += text("..", ranks[last]);
    }
    return told;
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

/// What all ranks have in the end, where `joined(round, rank, left, right)` names each operation.
template <class Joined>
std::vector<Bracketed> follow(const Schedule& schedule, const Problem& problem, const Progress& progress,
                              const Joined& joined) {
    const Facts& facts = schedule.facts();
    SlotContents<Brackets::Id> slots{facts, problem, [](Rank rank) { return Brackets::Id{rank.value}; }};
    std::vector<Turn> turns(asSize(facts.ranks));
    for (Round round{0}; round.value < facts.rounds; ++round) {
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) schedule.turn(rank, round, turns[rank.index()]);
        slots.apply(turns,
                    [&](Rank rank, Brackets::Id left, Brackets::Id right) { return joined(round, rank, left, right); });
        progress.at(static_cast<double>(round.value + 1) / static_cast<double>(facts.rounds));
    }
    const Contract contract{problem};
    std::vector<Bracketed> results;
    for (Rank rank{0}; rank.value < problem.ranks(); ++rank) {
        const auto wanted = contract.result(rank);
        if (!wanted) continue;
        const ByRange<Brackets::Id> part = facts.pieces ? slots.result(rank).in({&*wanted, 1}) : slots.result(rank);
        for (const auto& [range, expression] : part.pieces())
            results.push_back({rank, facts.pieces ? range : *wanted, expression});
    }
    return results;
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

std::string Brackets::words(Id id, std::size_t most) const {
    // Each level adds letters, and as long as something is left out there is one more of them.
    bool whole = isLeaf(id);
    std::string found = whole ? text(id) : toldByRanks(leaves(id));
    for (int depth = 1; !whole; ++depth) {
        whole = true;
        std::string deeper = words(id, depth, whole);
        if (depth > 1 && deeper.size() > most) break;
        found = std::move(deeper);
    }
    return found;
}

std::string Brackets::words(Id id, int depth, bool& whole) const {
    if (isLeaf(id)) return text(id);
    if (depth == 0) {
        whole = false;
        return toldByRanks(leaves(id));
    }
    const auto [left, right] = sides(id);
    const std::string one = words(left, depth - 1, whole);
    return "(" + one + " " + words(right, depth - 1, whole) + ")";
}

std::vector<std::int32_t> Brackets::leaves(Id id) const {
    std::vector<std::int32_t> found;
    std::vector<Id> open{id};
    while (!open.empty()) {
        const Id next = open.back();
        open.pop_back();
        if (isLeaf(next)) {
            found.push_back(next);
            continue;
        }
        const auto [left, right] = sides(next);
        open.push_back(right);
        open.push_back(left);
    }
    return found;
}

std::vector<Brackets::Id> Brackets::takeOver(const Brackets& other) {
    ENSURE(other.contributions_ <= contributions_, "contributions that are not there");
    std::vector<Id> here(asSize(other.contributions_));
    std::iota(here.begin(), here.end(), Id{0});
    for (const auto& [left, right] : other.sides_) here.push_back(joined(here[asSize(left)], here[asSize(right)]));
    return here;
}

Bracketing bracketingOf(const Schedule& schedule, const Problem& problem, const Progress& progress) {
    Bracketing found{.brackets = Brackets{problem.ranks()}, .results = {}};
    found.results = follow(schedule, problem, progress, [&](Round, Rank, Brackets::Id left, Brackets::Id right) {
        return found.brackets.joined(left, right);
    });
    const Contract contract{problem};
    const auto itself = [](Brackets::Id id) { return id; };
    const auto unordered = [&](Brackets::Id id) { return found.brackets.unordered(id); };
    found.sameBits = agree(found, contract, itself)      ? SameBits::always
                     : agree(found, contract, unordered) ? SameBits::ifCommutative
                                                         : SameBits::notAlways;
    return found;
}

JoinHistory joinsOf(const Schedule& schedule, const Problem& problem, const Progress& progress) {
    JoinHistory found{.contributions = problem.ranks(), .joins = {}, .results = {}};
    // One operation on a part of the vector that came in several messages is one.
    std::map<Join, Brackets::Id> known;
    found.results = follow(schedule, problem, progress, [&](Round round, Rank rank, auto left, auto right) {
        const Join join{left, right, round, rank};
        const auto next = static_cast<Brackets::Id>(found.contributions + static_cast<Brackets::Id>(known.size()));
        const auto [place, isNew] = known.try_emplace(join, next);
        if (isNew) found.joins.push_back(join);
        return place->second;
    });
    return found;
}

std::string_view inWords(SameBits sameBits) {
    switch (sameBits) {
        case SameBits::always: return "results are bitwise identical on all ranks, with floating-point rounding too";
        case SameBits::ifCommutative:
            return "results are bitwise identical on all ranks, with floating-point rounding too, if the operation is commutative";
        case SameBits::notAlways: return "floating-point sums may differ between ranks";
    }
    return {};
}

}  // namespace engine
