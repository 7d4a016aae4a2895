// SPDX-License-Identifier: BSD-3-Clause
// Segments of a message handed on along chains and down binary trees. Member 0, or the top of the tree, brings the
// message.
#pragma once

#include "engine/base/types.hpp"
#include "engine/problem/block_layout.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/shapes/heap.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace engine::stages {

/// Members 1..n-1 in chains below member 0; chains are contiguous, longer ones first. Member 0 serves the heads in
/// turn with segment 0, then with segment 1, ...; everyone passes a segment on in the round after it came.
///
/// n = 6, two chains, one segment:     round 1: 0 -> 1    2: 1 -> 2, 0 -> 4    3: 2 -> 3, 4 -> 5
class Chains {
public:
    Chains(std::int32_t members, std::int64_t chains, Range message, std::int64_t segments)
        : others_{members - 1},
          chains_{static_cast<std::int32_t>(std::min<std::int64_t>(chains, others_))},
          cutting_{message, std::max<std::int64_t>(segments, 1)},
          segments_{segments} {}

    /// (X - 1) f + (length of the shortest chain) + f - 1.
    [[nodiscard]] std::int64_t rounds() const { return others_ == 0 ? 0 : segments_ * chains_ + others_ / chains_ - 1; }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        if (member.value == 0) {
            if (const std::int64_t segment = over(round.value); segment < segments_)
                out.send(Rank{1 + start(static_cast<std::int32_t>(round.value - segment * chains_))},
                         cutting_[segment]);
            return;
        }
        const std::int32_t chain = chainOf(member.value - 1);
        const std::int32_t depth = member.value - 1 - start(chain);
        // The segment that comes in this round came to the head `depth` rounds ago.
        const std::int64_t sinceHead = round.value - chain - depth;
        if (const std::int64_t comes = sinceHead; onTime(comes))
            out.receive(depth == 0 ? Rank{0} : member - 1, cutting_[over(comes)]);
        if (const std::int64_t leaves = sinceHead - 1; onTime(leaves) && start(chain) + depth + 1 < start(chain + 1))
            out.send(member + 1, cutting_[over(leaves)]);
    }

    /// A single chain: what is in flight stands on as many members as there are segments.
    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t front = static_cast<std::int32_t>(std::min<std::int64_t>(round.value + 2, others_ + 1));
        const auto tail = static_cast<std::int32_t>(std::max<std::int64_t>(round.value - segments_, 0));
        use(Acting{Strip{chains_ == 1 ? tail : 0, chains_ == 1 ? front : others_ + 1, 1},
                   [this, round](Rank member, auto& out) { (*this)(member, round, out); }});
    }

private:
    [[nodiscard]] bool onTime(std::int64_t since) const {
        return since >= 0 && (chains_ == 1 || since % chains_ == 0) && over(since) < segments_;
    }
    /// a / f.
    [[nodiscard]] std::int64_t over(std::int64_t a) const { return chains_ == 1 ? a : a / chains_; }
    [[nodiscard]] std::int32_t start(std::int32_t chain) const {
        if (chains_ == 1) return chain * others_;
        return chain * (others_ / chains_) + std::min(chain, others_ % chains_);
    }
    [[nodiscard]] std::int32_t chainOf(std::int32_t other) const {
        if (chains_ == 1) return 0;
        const std::int32_t length = others_ / chains_;
        const std::int32_t inLonger = others_ % chains_ * (length + 1);
        return other < inLonger ? other / (length + 1) : others_ % chains_ + (other - inLonger) / length;
    }

    std::int32_t others_;
    std::int32_t chains_;
    Cutting cutting_;
    std::int64_t segments_;
};

/// Members 0..n-1 as a binary tree of a shape of engine/shapes. Segment s leaves member 0, or whoever is the top, for
/// its first child in round `period` s (from 0), for its second child in the round after, and so at every member below.
template <class Shape>
class TreePipeline : public ByRound<TreePipeline<Shape>> {
public:
    TreePipeline(Shape shape, std::int32_t period, Range message, std::int64_t segments)
        : shape_{std::move(shape)},
          period_{period},
          cutting_{message, std::max<std::int64_t>(segments, 1)},
          segments_{segments} {
        for (std::int32_t v = 0; v < shape_.count(); ++v)
            arrivals_.push_back(static_cast<std::uint8_t>(shape_.arrival(v)));
    }

    [[nodiscard]] std::int64_t rounds() const {
        return shape_.count() <= 1 || segments_ == 0 ? 0 : shape_.latest() + period_ * (segments_ - 1);
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use(Acting{Strip{0, shape_.reached(round.value + 1), 1}, [this, now = round.value](Rank member, auto& out) {
                       const std::int32_t v = member.value;
                       const std::int64_t since = now - arrivals_[asSize(v)];
                       for (std::int32_t side = 0; side < 2; ++side)
                           if (const std::int64_t child = shape_.child(v, side); child >= 0 && onTime(since - side))
                               out.send(Rank{static_cast<std::int32_t>(child)}, cutting_[over(since - side)]);
                       if (const std::int32_t parent = shape_.parent(v); parent >= 0 && onTime(since + 1))
                           out.receive(Rank{parent}, cutting_[over(since + 1)]);
                   }});
    }

private:
    [[nodiscard]] bool onTime(std::int64_t since) const {
        return since >= 0 && (period_ == 1 || since % 2 == 0) && over(since) < segments_;
    }
    /// a / period, which is 1 or 2.
    [[nodiscard]] std::int64_t over(std::int64_t a) const { return period_ == 1 ? a : a / 2; }

    Shape shape_;
    std::int32_t period_;
    Cutting cutting_;
    std::int64_t segments_;
    std::vector<std::uint8_t> arrivals_;  // by member
};

/// The binary tree in heap order.
class HeapPipeline : public TreePipeline<shapes::Heap> {
public:
    HeapPipeline(std::int32_t members, std::int32_t period, Range message, std::int64_t segments)
        : TreePipeline{shapes::Heap{members}, period, message, segments} {}
};

}  // namespace engine::stages
