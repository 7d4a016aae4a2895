// SPDX-License-Identifier: BSD-3-Clause
// Sets of ranks, a bit each: who holds, needs or can be reached by something.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace engine::schedules::goal {

class RankSet {
public:
    explicit RankSet(std::int32_t ranks = 0) : words_((asSize(ranks) + bits - 1) / bits) {}

    void insert(Rank rank) { words_[rank.index() / bits] |= std::uint64_t{1} << rank.index() % bits; }
    [[nodiscard]] bool contains(Rank rank) const {
        return (words_[rank.index() / bits] >> rank.index() % bits & 1) != 0;
    }
    void add(const RankSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
    }
    void remove(const RankSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
    }
    void keepOnly(const RankSet& other) {
        for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
    }
    void clear() { std::fill(words_.begin(), words_.end(), 0); }

    [[nodiscard]] bool empty() const {
        return std::all_of(words_.begin(), words_.end(), [](std::uint64_t word) { return word == 0; });
    }
    [[nodiscard]] std::int32_t size() const {
        std::int32_t count = 0;
        for (const std::uint64_t word : words_) count += std::popcount(word);
        return count;
    }
    [[nodiscard]] bool meets(const RankSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((words_[i] & other.words_[i]) != 0) return true;
        return false;
    }
    [[nodiscard]] bool includes(const RankSet& other) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if ((other.words_[i] & ~words_[i]) != 0) return false;
        return true;
    }
    /// Its least rank; -1 where there is none.
    [[nodiscard]] std::int32_t first() const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            if (words_[i] != 0) return static_cast<std::int32_t>(i * bits) + std::countr_zero(words_[i]);
        return -1;
    }
    /// Calls `visit` with each of its ranks, rising.
    template <class Visit>
    void each(Visit visit) const {
        for (std::size_t i = 0; i < words_.size(); ++i)
            for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
                visit(Rank{static_cast<std::int32_t>(i * bits) + std::countr_zero(word)});
    }

    friend bool operator==(const RankSet&, const RankSet&) = default;

private:
    static constexpr std::size_t bits = 64;

    std::vector<std::uint64_t> words_;
};

}  // namespace engine::schedules::goal
