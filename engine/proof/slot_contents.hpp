// SPDX-License-Identifier: BSD-3-Clause
// The slots of all ranks of a reduction, followed through its rounds: what is in each part of each slot.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/range_map.hpp"
#include "engine/problem/problem.hpp"
#include "engine/proof/send_receive_matching.hpp"
#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

namespace engine {

/// Needs O(ranks x slots x pieces) contents. A schedule that never cuts the vector has one piece, [0, 1), whatever the
/// size of the vector.
template <class Content>
class SlotContents {
public:
    /// Before the first round: `own(rank)` is what a rank brings; dummies bring nothing.
    template <class Own>
    SlotContents(const Facts& facts, const Problem& problem, const Own& own)
        : slots_{facts.slots}, result_{facts.result}, held_(asSize(facts.ranks) * asSize(facts.slots)) {
        const Range vector{0, facts.pieces ? problem.layout.largest() : 1};
        for (Rank rank{0}; rank.value < std::min(facts.ranks, problem.ranks()); ++rank)
            for (int slot = 0; slot < slots_; ++slot)
                if ((facts.own >> slot & 1U) != 0) held_[place(rank, slot)] = {vector, own(rank)};
    }

    [[nodiscard]] const ByRange<Content>& at(Rank rank, int slot) const { return held_[place(rank, slot)]; }
    [[nodiscard]] const ByRange<Content>& result(Rank rank) const { return at(rank, result_); }
    /// The content of the slot that `send`, of the turn of `from`, reads, before the round.
    [[nodiscard]] const ByRange<Content>& read(Rank from, const Message& send) const {
        return at(from, std::countr_zero(send.slots));
    }
    /// What it carries of that.
    [[nodiscard]] ByRange<Content> carried(Rank from, const Turn& turn, const Message& send) const {
        return send.whole ? read(from, send) : read(from, send).in(turn.ranges(send));
    }

    /// Applies the receives of a round, given the turns of all ranks; every receive has its send.
    /// `joined(rank, left, right)` is left o right, made by `rank`. Returns the most bytes that any rank combined.
    template <class Joined>
    Bytes apply(std::span<const Turn> turns, const Joined& joined) {
        // What was sent is read before anything is changed.
        std::vector<ByRange<Content>> arrivals;
        Matches matches{turns};
        for (std::size_t r = 0; r < turns.size(); ++r)
            for (std::size_t i = 0; i < turns[r].receives().size(); ++i) {
                const Message* send = matches.sendFor(Rank{static_cast<std::int32_t>(r)}, i);
                ENSURE(send != nullptr, "a receive without its send");
                const Rank from = turns[r].receives()[i].peer;
                arrivals.push_back(carried(from, turns[from.index()], *send));
            }
        Bytes most = 0;
        std::size_t next = 0;
        for (std::size_t r = 0; r < turns.size(); ++r) {
            Bytes combined = 0;
            for (const Message& receive : turns[r].receives()) {
                combined += combinedBytes(receive.slots, receive.action, receive.bytes);
                take(Rank{static_cast<std::int32_t>(r)}, receive, arrivals[next++], joined);
            }
            most = std::max(most, combined);
        }
        return most;
    }

private:
    [[nodiscard]] std::size_t place(Rank rank, int slot) const { return rank.index() * asSize(slots_) + asSize(slot); }

    template <class Joined>
    void take(Rank rank, const Message& receive, const ByRange<Content>& arrived, const Joined& joined) {
        const auto append = [&](const Content& own, const Content& other) { return joined(rank, own, other); };
        const auto prepend = [&](const Content& own, const Content& other) { return joined(rank, other, own); };
        for (int slot = 0; slot < slots_; ++slot) {
            if ((receive.slots >> slot & 1U) == 0) continue;
            ByRange<Content>& target = held_[place(rank, slot)];
            switch (receive.action) {
                case Action::keep:
                    // A whole slot is replaced also by an empty one.
                    if (receive.whole) target = arrived;
                    else target.merge(arrived, [](const Content&, const Content& other) { return other; });
                    break;
                case Action::append: target.merge(arrived, append); break;
                case Action::prepend: target.merge(arrived, prepend); break;
            }
        }
    }

    int slots_;
    int result_;
    std::vector<ByRange<Content>> held_;  // rank by rank, slot by slot
};

}  // namespace engine
