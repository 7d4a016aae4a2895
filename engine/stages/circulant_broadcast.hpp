// SPDX-License-Identifier: BSD-3-Clause
// A broadcast in blocks on a circulant graph, in the fewest rounds for unsplit blocks.
#pragma once

#include "engine/problem/block_layout.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/shapes/circulant.hpp"
#include "engine/stages/member_shares.hpp"
#include "engine/stages/rising_segments.hpp"

#include <algorithm>
#include <memory>

namespace engine::stages {

/// Member 0 brings a message in X blocks, the shorter ones first; X - 1 + q rounds, q = ceil(log2 n). Rounds are
/// counted so that the last one ends a period of shapes/circulant.hpp: blocks below 0 do not exist, and in the last
/// period the block that would be new is the last one there is.
class CirculantBroadcast : public ByRound<CirculantBroadcast> {
public:
    CirculantBroadcast(std::int32_t members, Range message, std::int64_t blocks)
        : graph_{std::make_shared<const shapes::CirculantBlocks>(members)}, blocks_{message, blocks}, count_{blocks} {}

    [[nodiscard]] std::int64_t rounds() const { return graph_->count() == 1 ? 0 : count_ - 1 + graph_->period(); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int64_t q = graph_->period();
        const std::int64_t skipped = (q - (count_ - 1) % q) % q;
        const auto phase = static_cast<std::int32_t>((round.value + skipped) % q);
        const std::int64_t first = round.value - phase;  // the block that member 0 sends at the beginning of the period
        const std::int32_t n = graph_->count();
        const std::int32_t apart = graph_->distance(phase);
        use([this, graph = graph_.get(), phase, first, to = Turned{n, apart % n}, from = Turned{n, (n - apart) % n}](
                Rank member, auto& out) {
            const auto block = [&](std::int32_t m) { return std::min(first + graph->received(m, phase), count_ - 1); };
            const std::int32_t child = to(member.value);
            if (child != 0)
                if (const std::int64_t sent = block(child); sent >= 0) out.send(Rank{child}, blocks_[sent]);
            if (member.value != 0)
                if (const std::int64_t got = block(member.value); got >= 0)
                    out.receive(Rank{from(member.value)}, blocks_[got]);
        });
    }

private:
    std::shared_ptr<const shapes::CirculantBlocks> graph_;
    RisingSegments blocks_;
    std::int64_t count_;
};

}  // namespace engine::stages
