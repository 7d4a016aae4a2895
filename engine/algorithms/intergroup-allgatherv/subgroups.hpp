// SPDX-License-Identifier: BSD-3-Clause
// The exchange of kang2019, Algorithm 1: every rank of the smaller group serves a subgroup of the larger one.
//
// P ranks in the larger group, Q in the smaller; subgroup j are balanced consecutive ranks of the larger group, longer
// subgroups first. P = 8, Q = 3: subgroups 0 1 2 | 3 4 5 | 6 7. In round i the i-th rank of subgroup j and rank j of
// the smaller group swap the former's contribution and a piece of the latter's.
#pragma once

#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/problem/block_layout.hpp"
#include "engine/stages/member_shares.hpp"

namespace engine::algorithms {

/// Groups by size, and the larger one cut into a subgroup for each rank of the smaller one.
class Subgroups {
public:
    explicit Subgroups(const Problem& problem) : large{groupA(problem)}, small{groupB(problem)} {
        if (large.size < small.size) std::swap(large, small);
        base_ = large.size / small.size;
        longer_ = large.size % small.size;
    }

    Group large;
    Group small;

    /// First member of subgroup j; j may be the number of subgroups.
    [[nodiscard]] std::int32_t first(std::int32_t j) const { return j * base_ + std::min(j, longer_); }
    [[nodiscard]] std::int32_t size(std::int32_t j) const { return base_ + (j < longer_ ? 1 : 0); }
    [[nodiscard]] std::int32_t largest() const { return size(0); }
    [[nodiscard]] bool divides() const { return longer_ == 0; }
    /// The subgroup of member i of the larger group.
    [[nodiscard]] std::int32_t of(std::int32_t i) const {
        const std::int32_t inLonger = longer_ * (base_ + 1);
        return i < inLonger ? i / (base_ + 1) : longer_ + (i - inLonger) / base_;
    }

private:
    std::int32_t base_ = 1;
    std::int32_t longer_ = 0;
};

/// What member i of the larger group gets in the exchange: its piece of a contribution, or all of it.
inline Range crossing(const Subgroups& groups, const Layout& layout, std::int32_t i, bool segmented) {
    const std::int32_t j = groups.of(i);
    const Range whole = layout.block(groups.small.first + j);
    return segmented ? piece(whole, groups.size(j), i - groups.first(j)) : whole;
}

/// The exchange, ceil(P/Q) rounds.
inline auto exchange(const Subgroups& groups, const Layout& layout, bool segmented) {
    return Part{"exchange", groups.largest(), [=](Rank rank, Round round, auto& out) {
                    const auto turn = static_cast<std::int32_t>(round.value);
                    const bool inLarge = groups.large.contains(rank);
                    const std::int32_t j =
                        inLarge ? groups.of(groups.large.local(rank).value) : groups.small.local(rank).value;
                    const std::int32_t i = groups.first(j) + turn;
                    if (turn >= groups.size(j) || (inLarge && groups.large.local(rank).value != i)) return;
                    const Range rising = layout.block(groups.large.first + i);
                    const Range falling = crossing(groups, layout, i, segmented);
                    const Rank other = inLarge ? groups.small.global(Rank{j}) : groups.large.global(Rank{i});
                    out.send(other, inLarge ? rising : falling);
                    out.receive(other, inLarge ? falling : rising);
                }};
}

/// After the exchange: rank j of the smaller group holds the contributions of subgroup j.
inline auto sharesOfSmall(const Subgroups& groups, const Layout& layout) {
    return stages::EndToEnd{groups.small.size,
                            [=](std::int32_t j) { return layout.offset(groups.large.first + groups.first(j)); }};
}

/// After the segmented exchange: member i of the larger group holds its piece.
inline auto sharesOfLarge(const Subgroups& groups, const Layout& layout) {
    return stages::EndToEnd{groups.large.size, [=](std::int32_t i) {
                                return i < groups.large.size ? crossing(groups, layout, i, true).begin
                                                             : layout.offset(groups.small.first + groups.small.size);
                            }};
}

/// Serialized bytes of the exchange when all contributions of a group have one size.
inline Bytes exchangeBytes(const Subgroups& groups, Bytes large, Bytes small, bool segmented) {
    Bytes sum = 0;
    for (std::int32_t i = 0; i < groups.largest(); ++i) {
        Bytes most = large;
        for (const std::int32_t j : {0, groups.small.size - 1})
            if (i < groups.size(j))
                most = std::max(most, segmented ? piece({0, small}, groups.size(j), i).size() : small);
        sum += most;
    }
    return sum;
}

}  // namespace engine::algorithms
