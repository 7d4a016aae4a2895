// SPDX-License-Identifier: BSD-3-Clause
// Two ways for members 0..n-1, each with its own share, to get all shares: ring and Bruck.
#pragma once

#include "engine/base/types.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_shares.hpp"

#include <algorithm>

namespace engine::stages {

/// Shares go round: in round t (from 0) member m sends share m - t to m + 1. Neighbours on a ring only.
/// n - 1 rounds of one share. Correct because share s reaches member s + 1 + t in round t.
template <class Shares>
class RingAllgather : public ByRound<RingAllgather<Shares>> {
public:
    explicit RingAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return shares_.count() - 1; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const auto back = static_cast<std::int32_t>(round.value);
        const std::int32_t n = shares_.count();
        use(Exchange{Turned{n, 1 % n}, Turned{n, n - 1}, Turned{n, (n - back) % n}, 1, seen(shares_)});
    }

private:
    Shares shares_;
};

/// Runs double: after round t (from 0) member m holds shares m, m+1, ..., m + 2^(t+1) - 1 (mod n).
/// Five members; "m2.2" is a run of two shares from share 2 on:
///
///   round   sends to   0          1          2          3          4
///     1      m - 1     m0.1->4    m1.1->0    m2.1->1    m3.1->2    m4.1->3
///     2      m - 2     m0.2->3    m1.2->4    m2.2->0    m3.2->1    m4.2->2
///     3      m - 4     m0.1->1    m1.1->2    m2.1->3    m3.1->4    m4.1->0
///
/// ceil(log2 n) rounds, n - 1 serialized shares. Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997.
template <class Shares>
class BruckAllgather : public ByRound<BruckAllgather<Shares>> {
public:
    explicit BruckAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t n = shares_.count();
        const std::int32_t held = std::int32_t{1} << round.value;
        const std::int32_t run = std::min(held, n - held);
        use(Exchange{Turned{n, n - held}, Turned{n, held}, Turned{n, 0}, run, seen(shares_)});
    }

private:
    Shares shares_;
};

}  // namespace engine::stages
