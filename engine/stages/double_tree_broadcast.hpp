// SPDX-License-Identifier: BSD-3-Clause
// A broadcast down two binary trees at once, each with one half of the message.
#pragma once

#include "engine/cost/model.hpp"
#include "engine/problem/block_layout.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/shapes/double_tree.hpp"
#include "engine/stages/rising_segments.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace engine::stages {

/// Member 0 brings a message of whole units; each half of it is cut into `segments` pieces, shorter ones first. Segment
/// s goes through an edge of shapes/double_tree.hpp 2 s rounds after the first one does.
class DoubleTreeBroadcast : public ByRound<DoubleTreeBroadcast> {
public:
    DoubleTreeBroadcast(shapes::DoubleTree trees, Bytes message, Bytes unit, std::int64_t segments)
        : trees_{std::make_shared<const shapes::DoubleTree>(std::move(trees))},
          halves_{RisingSegments{{0, message / unit / 2}, segments, unit},
                  RisingSegments{{message / unit / 2, message / unit}, segments, unit}},
          segments_{segments} {}

    [[nodiscard]] std::int64_t rounds() const {
        return trees_->count() == 1 ? 0 : trees_->latest() + 2 * (segments_ - 1);
    }

    /// In lockstep.
    [[nodiscard]] Cost cost() const {
        Cost cost;
        for (std::int64_t round = 0; round < rounds(); ++round) {
            const Bytes longest = std::max(longestIn(round, 0), longestIn(round, 1));
            if (longest >= 0) cost.volume += longest;
            if (longest >= 0) ++cost.startups;
        }
        return cost;
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use([this, now = round.value, trees = trees_.get()](Rank member, auto& out) {
            if (const auto [child, tree] = trees->sendOf(member.value, now); child > 0)
                if (const std::int64_t since = now - trees->arrival(child, tree); underWay(since))
                    out.send(Rank{child}, segment(tree, since / 2));
            if (const auto [parent, tree] = trees->receiveOf(member.value, now); parent >= 0)
                if (const std::int64_t since = now - trees->arrival(member.value, tree); underWay(since))
                    out.receive(Rank{parent}, segment(tree, since / 2));
        });
    }

private:
    [[nodiscard]] bool underWay(std::int64_t since) const { return since >= 0 && since / 2 < segments_; }
    [[nodiscard]] Range segment(std::int32_t tree, std::int64_t index) const { return halves_[asSize(tree)][index]; }
    /// Bytes of the newest segment, which is the longest, that moves through a tree in a round; -1: none does.
    [[nodiscard]] Bytes longestIn(std::int64_t round, std::int32_t tree) const {
        const std::int64_t newest = std::min(round / 2, segments_ - 1);
        for (std::int64_t first = round - 2 * newest; first <= std::min<std::int64_t>(round, 63); first += 2)
            if ((trees_->moving(tree) >> first & 1) != 0) return segment(tree, (round - first) / 2).size();
        return -1;
    }

    std::shared_ptr<const shapes::DoubleTree> trees_;
    std::array<RisingSegments, 2> halves_;
    std::int64_t segments_;
};

}  // namespace engine::stages
