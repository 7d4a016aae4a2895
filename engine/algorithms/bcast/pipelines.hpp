// SPDX-License-Identifier: BSD-3-Clause
// Segments of a message handed on along chains and down a binary tree. Member 0 brings the message.
#pragma once

#include "engine/layout.hpp"
#include "engine/shapes/heap.hpp"
#include "engine/types.hpp"

#include <algorithm>

namespace engine::algorithms {

/// Members 1..n-1 in chains below member 0; chains are contiguous, longer ones first. Member 0 serves the heads in
/// turn with segment 0, then with segment 1, ...; everyone passes a segment on in the round after it came.
///
/// n = 6, two chains, one segment:     round 1: 0 -> 1    2: 1 -> 2, 0 -> 4    3: 2 -> 3, 4 -> 5
class Chains {
public:
    Chains(std::int32_t members, std::int64_t chains, Range message, std::int64_t segments)
        : others_{members - 1},
          chains_{static_cast<std::int32_t>(std::min<std::int64_t>(chains, others_))},
          message_{message},
          segments_{segments} {}

    /// (X - 1) f + (length of the shortest chain) + f - 1.
    [[nodiscard]] std::int64_t rounds() const { return others_ == 0 ? 0 : segments_ * chains_ + others_ / chains_ - 1; }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        if (member.value == 0) {
            if (const std::int64_t segment = round.value / chains_; segment < segments_)
                out.send(Rank{1 + start(static_cast<std::int32_t>(round.value % chains_))}, cut(segment));
            return;
        }
        const std::int32_t chain = chainOf(member.value - 1);
        const std::int32_t depth = member.value - 1 - start(chain);
        // The segment that comes in this round came to the head `depth` rounds ago.
        const std::int64_t sinceHead = round.value - chain - depth;
        if (const std::int64_t comes = sinceHead; onTime(comes))
            out.receive(depth == 0 ? Rank{0} : member - 1, cut(comes / chains_));
        if (const std::int64_t leaves = sinceHead - 1; onTime(leaves) && start(chain) + depth + 1 < start(chain + 1))
            out.send(member + 1, cut(leaves / chains_));
    }

private:
    [[nodiscard]] bool onTime(std::int64_t since) const {
        return since >= 0 && since % chains_ == 0 && since / chains_ < segments_;
    }
    [[nodiscard]] Range cut(std::int64_t segment) const { return piece(message_, segments_, segment); }
    [[nodiscard]] std::int32_t start(std::int32_t chain) const {
        return chain * (others_ / chains_) + std::min(chain, others_ % chains_);
    }
    [[nodiscard]] std::int32_t chainOf(std::int32_t other) const {
        const std::int32_t length = others_ / chains_;
        const std::int32_t inLonger = others_ % chains_ * (length + 1);
        return other < inLonger ? other / (length + 1) : others_ % chains_ + (other - inLonger) / length;
    }

    std::int32_t others_;
    std::int32_t chains_;
    Range message_;
    std::int64_t segments_;
};

/// Members 0..n-1 as a binary tree in heap order. Segment s leaves member 0 for its left child in round `period` s
/// (from 0), for its right child in the round after, and so at every member below.
class HeapPipeline {
public:
    HeapPipeline(std::int32_t members, std::int32_t period, Range message, std::int64_t segments)
        : members_{members}, period_{period}, message_{message}, segments_{segments} {}

    [[nodiscard]] std::int64_t rounds() const {
        return members_ <= 1 || segments_ == 0 ? 0 : shapes::heapLatest(members_) + period_ * (segments_ - 1);
    }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        const std::int32_t v = member.value;
        const std::int64_t since = round.value - shapes::heapArrival(v);
        for (std::int32_t side = 0; side < 2; ++side)
            if (const std::int64_t child = std::int64_t{2} * v + 1 + side; child < members_ && onTime(since - side))
                out.send(Rank{static_cast<std::int32_t>(child)}, cut((since - side) / period_));
        if (v > 0 && onTime(since + 1)) out.receive(Rank{(v - 1) / 2}, cut((since + 1) / period_));
    }

private:
    [[nodiscard]] bool onTime(std::int64_t since) const {
        return since >= 0 && since % period_ == 0 && since / period_ < segments_;
    }
    [[nodiscard]] Range cut(std::int64_t segment) const { return piece(message_, segments_, segment); }

    std::int32_t members_;
    std::int32_t period_;
    Range message_;
    std::int64_t segments_;
};

}  // namespace engine::algorithms
