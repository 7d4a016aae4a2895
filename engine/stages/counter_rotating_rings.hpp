// SPDX-License-Identifier: BSD-3-Clause
// Two belts of units run round a ring in opposite directions and take turns at every process.
//
// Ring of n = p + q processes: senders 0..p-1, receivers p..n-1; "up" leads from r to r + 1, "down" from r to r - 1.
// Each sender's contribution is cut into g segments; unit v = g * sender + segment, N = p g units. t counts rounds
// from 1. Both belts carry a unit in every second place:
//
//   up     unit v leaves rank r in round t = 2(N - v) - p + r, so rank p - 1 sends N-1, N-2, ... in rounds 1, 3, ...
//          It serves the first X(v) = clamp(ceil(q/2) + 1 - N + 2v, 0, q) receivers.
//   down   unit v leaves the place y hops below rank 0 in round t = 2v + 1 + (q mod 2) + y, so rank 0 sends 0, 1, ...
//          It serves the other q - X(v) receivers, which stand at y = 1, 2, ... (y < 0 among the senders).
//
// Where both belts pass a process they do so in rounds of different parity: up sends at r when t - r - p is even, down
// when t + r - p - q - 1 - (q mod 2) is even; the difference is odd because q + q mod 2 is even. A receiver at
// distance y from rank 0 gets its last unit no later than in round p g + ceil(q/2) - 1, the length of the schedule.
//
// Three exceptions, all about the parity of the ring:
//   p + q odd, p > 1    Among the senders the parities clash. There down runs one round ahead and waits at rank 0, and
//                       rank 0's own upward units leave early, in round 2(g - v) - (q mod 2), and wait at rank 1. If
//                       rank 0's own unit goes up too (g = 1, odd p <= q/2), unit 2 makes its first hop in round 1.
//   p = 3, q even >= 6  (g = 1) Too few senders to hide the waits: a schedule of its own, see `Three`.
//   p = 1, q even       The one sender can start one way only. A phantom receiver stands below rank 0 and makes q odd;
//                       units skip it, and one round is lost. For g > q/2 unit v serves min(2v + 3, q - 1) receivers
//                       upwards, and if also q <= g + 2 everything goes up as a plain pipeline.
//
// Found by search and proved for p <= 40, q <= 80 (g = 1) and p <= 12, q <= 25, g <= 8 unit by unit.
#pragma once

#include "engine/base/error.hpp"
#include "engine/base/types.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace engine::stages {

/// The belts of one ring: answers for (rank, round) in constant time.
class CounterRotatingRings {
public:
    using Number = std::int64_t;

    /// One hop of a unit; `peer` is the other end.
    struct Hop {
        Rank peer;
        std::int32_t sender = 0;  ///< whose contribution
        Number segment = 0;
    };

    /// p, q, g >= 1.
    CounterRotatingRings(std::int32_t p, std::int32_t q, Number g) : p_{p}, q_{q}, g_{g}, rule_{ruleFor(p, q, g)} {}

    [[nodiscard]] Number rounds() const {
        switch (rule_) {
            case Rule::pipeline: return g_ + q_ - 1;
            case Rule::phantom: return g_ <= q_ / 2 ? g_ + q_ / 2 : 2 * g_ + 1;
            default: return p_ * g_ + (q_ + 1) / 2 - 1;
        }
    }
    [[nodiscard]] std::optional<Hop> sendOf(Rank rank, Round round) const {
        const Number t = round.value + 1;
        if (const Number unit = up(rank.value, t); unit != none) return hop(above(rank), unit);
        if (const Number unit = down(rank.value, t); unit != none) return hop(below(rank), unit);
        return std::nullopt;
    }
    [[nodiscard]] std::optional<Hop> receiveOf(Rank rank, Round round) const {
        const Number t = round.value + 1;
        if (const Number unit = up(below(rank).value, t); unit != none) return hop(below(rank), unit);
        if (const Number unit = down(above(rank).value, t); unit != none) return hop(above(rank), unit);
        return std::nullopt;
    }

private:
    enum class Rule : std::uint8_t { regular, oddRing, three, phantom, pipeline };

    static constexpr Number none = -1;

    static Rule ruleFor(Number p, Number q, Number g) {
        if (p == 1 && q % 2 == 0) return g > q / 2 && q <= g + 2 ? Rule::pipeline : Rule::phantom;
        if (p == 3 && q % 2 == 0 && q >= 6 && g == 1) return Rule::three;
        return p > 1 && (p + q) % 2 == 1 ? Rule::oddRing : Rule::regular;
    }
    static Number halfOf(Number twice) { return twice < 0 || twice % 2 != 0 ? none : twice / 2; }

    [[nodiscard]] Rank above(Rank rank) const { return Rank{rank.value + 1 < p_ + q_ ? rank.value + 1 : 0}; }
    [[nodiscard]] Rank below(Rank rank) const {
        return Rank{static_cast<std::int32_t>(rank.value > 0 ? rank.value - 1 : p_ + q_ - 1)};
    }
    [[nodiscard]] Hop hop(Rank peer, Number unit) const {
        if (g_ == 1) return {peer, static_cast<std::int32_t>(unit), 0};
        return {peer, static_cast<std::int32_t>(unit / g_), unit % g_};
    }

    /// The sender whose contribution unit v is of.
    [[nodiscard]] Number senderOf(Number v) const { return g_ == 1 ? v : v / g_; }
    /// Receivers that unit v serves on its way up.
    [[nodiscard]] Number servedUp(Number v) const {
        if (rule_ != Rule::phantom) return std::clamp((q_ + 1) / 2 + 1 - p_ * g_ + 2 * v, Number{0}, q_);
        return g_ <= q_ / 2 ? std::clamp(q_ / 2 + 2 - g_ + 2 * v, Number{0}, q_ + 1) : std::min(2 * v + 3, q_ - 1);
    }

    /// The unit that rank r sends to r + 1 in round t, or none.
    [[nodiscard]] Number up(Number r, Number t) const {
        if (rule_ == Rule::three) return threeUp(r, t);
        if (rule_ == Rule::pipeline) return r < q_ && t - 1 >= r && t - 1 - r < g_ ? t - 1 - r : none;
        if (rule_ == Rule::phantom && r >= q_) return none;
        const bool ahead = rule_ == Rule::oddRing && r == 0;
        const Number behind = ahead ? halfOf(t + q_ % 2) : halfOf(t + p_ - r);
        const Number v = (ahead ? g_ : p_ * g_) - behind;
        if (behind <= 0 || v < 0 || senderOf(v) > r) return none;
        const Number served = servedUp(v);
        return served > 0 && r - (p_ - 1) < served ? v : none;
    }

    /// The unit that rank r sends to r - 1 in round t, or none.
    [[nodiscard]] Number down(Number r, Number t) const {
        const Number y = r >= p_ ? p_ + q_ - r : -r;
        if (rule_ == Rule::three) return threeDown(r, y, t);
        if (rule_ == Rule::pipeline) return none;
        if (rule_ == Rule::phantom) return phantomDown(r == 0 ? 0 : y + 1, t);
        Number twice = t - 1 - q_ % 2 - y;
        if (rule_ == Rule::oddRing && r >= 1 && r < p_) {
            ++twice;
            const bool unitTwoAhead = g_ == 1 && p_ % 2 == 1 && p_ <= q_ / 2;
            if (unitTwoAhead && r == 2 && t <= 2) twice = t == 1 ? 2 * 2 : none;
        }
        const Number v = halfOf(twice);
        if (v < 0 || v >= p_ * g_ || (r < p_ && senderOf(v) < r)) return none;
        const Number served = q_ - servedUp(v);
        return served > 0 && y < served ? v : none;
    }

    /// As `down` for q + 1 receivers, the first of which is the phantom: a unit passes it within the hop from rank 0.
    [[nodiscard]] Number phantomDown(Number y, Number t) const {
        const Number v = halfOf(t - 2 - y);
        return v >= 0 && v < g_ && std::max(y, Number{1}) < q_ + 1 - servedUp(v) ? v : none;
    }

    // Three: p = 3, q even, h = q/2. Among the senders (from -> to, unit):
    //   round 1: 1->2 u1   2: 0->1 u0, 1->0 u1   3: 1->2 u0, 2->1 u2   4: 1->0 u2
    // Out of rank 2 upwards: u2 from round 1 to h + 2 receivers, u1 from round 2 to h (the last hop a round late),
    // u0 from round 4 to h - 1. Out of rank 0 downwards: u0 from round 1 to h + 1, u1 from 3 to h, u2 from 5 to h - 2.
    [[nodiscard]] Number threeUp(Number r, Number t) const {
        const Number h = q_ / 2;
        const Number x = r - 2;
        if (r == 0) return t == 2 ? 0 : none;
        if (r == 1) return t == 1 ? 1 : t == 3 ? 0 : none;
        if (t == 1 + x && x < h + 2) return 2;
        if (t == 2 + x + (x == h - 1 ? 1 : 0) && x < h) return 1;
        if (t == 4 + x && x < h - 1) return 0;
        return none;
    }
    [[nodiscard]] Number threeDown(Number r, Number y, Number t) const {
        const Number h = q_ / 2;
        if (r == 2) return t == 3 ? 2 : none;
        if (r == 1) return t == 2 ? 1 : t == 4 ? 2 : none;
        if (t == 1 + y && y < h + 1) return 0;
        if (t == 3 + y && y < h) return 1;
        if (t == 5 + y && y < h - 2) return 2;
        return none;
    }

    Number p_;
    Number q_;
    Number g_;
    Rule rule_;
};

}  // namespace engine::stages
