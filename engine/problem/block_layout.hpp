// SPDX-License-Identifier: BSD-3-Clause
// The global byte line: all contributions end to end. The only place that maps a block to its bytes.
//
//   sizes 3 2 4:   |0 0 0|1 1|2 2 2 2|     offset(1) = 3, total = 9, blocks(2, 2) = {[5,9), [0,3)}
#pragma once

#include "engine/base/types.hpp"

#include <array>
#include <vector>

namespace engine {

/// Up to two ranges: what a cyclic run of blocks covers on the line.
using RangePair = std::array<Range, 2>;

/// Where each contribution lies on the byte line. Regular sizes cost no memory.
class Layout {
public:
    Layout() = default;

    /// `count` contributions of `each` bytes.
    static Layout regular(std::int32_t count, Bytes each);

    /// One contribution per entry, zeros allowed.
    static Layout irregular(const std::vector<Bytes>& sizes);

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] Bytes total() const { return isRegular() ? each_ * count_ : offsets_.back(); }
    [[nodiscard]] bool isRegular() const { return offsets_.empty(); }
    [[nodiscard]] Bytes largest() const { return largest_; }
    [[nodiscard]] Bytes smallest() const { return smallest_; }

    /// First byte of contribution `index`; `index` may be `count()` (the end of the line).
    [[nodiscard]] Bytes offset(std::int32_t index) const { return isRegular() ? each_ * index : offsets_[index]; }
    /// offset(0), offset(1), ..., offset(count()) as they lie in memory; nullptr for regular sizes.
    [[nodiscard]] const Bytes* offsets() const { return isRegular() ? nullptr : offsets_.data(); }
    [[nodiscard]] Bytes size(std::int32_t index) const { return offset(index + 1) - offset(index); }
    [[nodiscard]] Range block(std::int32_t index) const { return {offset(index), offset(index + 1)}; }
    [[nodiscard]] Range whole() const { return {0, total()}; }

    /// Contributions first, first+1, ..., first+run-1 without wrapping.
    [[nodiscard]] Range blocks(std::int32_t first, std::int32_t run) const {
        return {offset(first), offset(first + run)};
    }

    /// `run` contributions from `first` on, going round the end of the line; the second range may be empty.
    [[nodiscard]] RangePair cyclic(std::int32_t first, std::int32_t run) const;

    /// The contribution that holds byte `at`, 0 <= at < total(): the first such one when empty ones lie before it.
    [[nodiscard]] std::int32_t blockAt(Bytes at) const;

    friend bool operator==(const Layout&, const Layout&) = default;

private:
    std::int32_t count_ = 0;
    Bytes each_ = 0;
    Bytes largest_ = 0;
    Bytes smallest_ = 0;
    std::vector<Bytes> offsets_;  // empty when all sizes are equal
};

/// `range` cut into `pieces` balanced ones, the longer ones first, with the division done once.
class Cutting {
public:
    constexpr Cutting(Range range, std::int64_t pieces)
        : begin_{range.begin}, base_{range.size() / pieces}, longer_{range.size() % pieces} {}

    [[nodiscard]] constexpr Bytes start(std::int64_t index) const {
        return begin_ + index * base_ + (index < longer_ ? index : longer_);
    }
    /// Bytes of pieces first .. first + count-1: start(first + count) - start(first), in fewer steps.
    [[nodiscard]] constexpr Bytes length(std::int64_t first, std::int64_t count) const {
        const std::int64_t end = first + count;
        return count * base_ + (end < longer_ ? end : longer_) - (first < longer_ ? first : longer_);
    }
    [[nodiscard]] constexpr Range operator[](std::int64_t index) const { return {start(index), start(index + 1)}; }

    /// Bytes of a shorter piece, and how many pieces have one byte more.
    [[nodiscard]] constexpr Bytes base() const { return base_; }
    [[nodiscard]] constexpr std::int64_t longer() const { return longer_; }

private:
    Bytes begin_;
    Bytes base_;
    Bytes longer_;
};

/// Piece `index` of `range` cut into `pieces` balanced ones, the longer ones first.
constexpr Range piece(Range range, std::int64_t pieces, std::int64_t index) {
    return pieces == 1 ? range : Cutting{range, pieces}[index];
}

/// A vector of whole units cut into blocks: block i is its units floor(i u/b), ..., floor((i+1) u/b) - 1, where u is
/// their number and b that of blocks.
class VectorCut {
public:
    constexpr VectorCut(Bytes vector, Bytes unit, std::int64_t blocks)
        : unit_{unit}, blocks_{blocks}, base_{vector / unit / blocks}, rest_{vector / unit % blocks} {}

    [[nodiscard]] constexpr std::int32_t count() const { return static_cast<std::int32_t>(blocks_); }
    /// First byte of block `index`, which may be count().
    [[nodiscard]] constexpr Bytes start(std::int64_t index) const {
        return (index * base_ + index * rest_ / blocks_) * unit_;
    }
    [[nodiscard]] constexpr Range operator[](std::int64_t index) const { return {start(index), start(index + 1)}; }
    /// Blocks first, first + 1, ..., first + run - 1 without wrapping.
    [[nodiscard]] constexpr Range blocks(std::int64_t first, std::int64_t run) const {
        return {start(first), start(first + run)};
    }
    /// `run` blocks from `first` on, going round the end; 0 <= first < count(), 0 <= run <= count().
    [[nodiscard]] constexpr RangePair cyclic(std::int64_t first, std::int64_t run) const {
        const std::int64_t straight = run < blocks_ - first ? run : blocks_ - first;
        return {blocks(first, straight), blocks(0, run - straight)};
    }
    [[nodiscard]] constexpr Bytes bytes(std::int64_t first, std::int64_t run) const {
        const RangePair parts = cyclic(first, run);
        return parts[0].size() + parts[1].size();
    }
    /// The largest block.
    [[nodiscard]] constexpr Bytes largest() const { return (base_ + (rest_ > 0 ? 1 : 0)) * unit_; }
    [[nodiscard]] constexpr Bytes smallest() const { return base_ * unit_; }

private:
    Bytes unit_;
    std::int64_t blocks_;
    std::int64_t base_;
    std::int64_t rest_;
};

}  // namespace engine
