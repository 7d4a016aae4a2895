// SPDX-License-Identifier: BSD-3-Clause
// A butterfly on the largest power of two of ranks: the others hand in what they have, and get the result back.
//
//   P = 5   round   1        2                  3                  4
//                   4 -> 0   0 <-> 1  2 <-> 3   0 <-> 2  1 <-> 3   0 -> 4
#pragma once

#include "engine/schedule/kernel.hpp"
#include "engine/stages/folded_members.hpp"

#include <bit>

namespace engine::stages {

/// 2^k and q of P = 2^k + q, 0 <= q < 2^k.
struct Division {
    std::int32_t core;
    std::int32_t rest;
    std::int32_t rounds;  ///< k

    explicit Division(std::int32_t ranks)
        : core{static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(ranks)))},
          rest{ranks - core},
          rounds{std::countr_zero(static_cast<std::uint32_t>(core))} {}

    [[nodiscard]] std::int64_t allRounds() const { return rounds + (rest > 0 ? 2 : 0); }
};

/// A butterfly of 2^k ranks, or places, with messages of `bytes`.
inline auto butterfly(Bytes bytes) {
    return [bytes](Rank rank, Round round, auto& out) {
        const Rank peer{rank.value ^ (std::int32_t{1} << round.value)};
        out.sendPartial(peer, 0, bytes);
        out.receivePartial(peer, 1, peer > rank ? Action::append : Action::prepend, bytes);
    };
}

/// Ranks 2^k, 2^k + 1, ... hand in to ranks 0, 1, ...
inline SchedulePtr butterflyWithEnds(std::int32_t ranks, Bytes bytes) {
    const Division of{ranks};
    const std::int64_t once = of.rest > 0 ? 1 : 0;
    return then(Facts{.ranks = ranks},
                Part{"hand in", once,
                     [=](Rank rank, Round, auto& out) {
                         if (rank.value >= of.core) out.sendPartial(rank - of.core, 0, bytes);
                         if (rank.value < of.rest) out.receivePartial(rank + of.core, 1, Action::append, bytes);
                     }},
                Part{"butterfly", of.rounds, onGroup(Group{0, of.core}, butterfly(bytes))},
                Part{"hand back", once, [=](Rank rank, Round, auto& out) {
                         if (rank.value < of.rest) out.sendPartial(rank + of.core, 0, bytes);
                         if (rank.value >= of.core) out.receivePartial(rank - of.core, 1, Action::keep, bytes);
                     }});
}

/// Of neighbours 2i and 2i + 1 the lower one hands in to the upper one: keeps the order of ranks.
inline SchedulePtr butterflyWithPairs(std::int32_t ranks, Bytes bytes) {
    const shapes::Folding folding{ranks};
    return then(Facts{.ranks = ranks}, foldIn(folding, bytes),
                Part{"butterfly", Division{ranks}.rounds, onPlaces(folding, butterfly(bytes))}, unfold(folding, bytes));
}

}  // namespace engine::stages
