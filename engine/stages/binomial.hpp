// SPDX-License-Identifier: BSD-3-Clause
// Three uses of the binomial tree over members 0..n-1 with member 0 as its root: gather, scatter, broadcast.
//
// The tree on 6 members; an edge lies between members that differ by the power of two named on it:
//
//   0 --1-- 1            gather:     edges 1, then 2, then 4, towards 0; a member brings all shares below it
//   0 --2-- 2 --1-- 3    scatter:    edges 4, then 2, then 1, away from 0; a member gets all shares below it
//   0 --4-- 4 --1-- 5    broadcast:  edges 4, then 2, then 1, away from 0; everything on every edge
//
// Below member m = odd * 2^k hang members m, m+1, ..., m + 2^k - 1 as far as they exist: always consecutive shares.
// Rounds ceil(log2 n). Bytes in a row: gather and scatter all but the root's share, broadcast everything per round.
#pragma once

#include "engine/stages/shares.hpp"
#include "engine/types.hpp"

#include <algorithm>
#include <bit>

namespace engine::stages {

/// ceil(log2 n) for n >= 1.
constexpr std::int32_t ceilLog2(std::int32_t n) {
    return static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

/// Member i brings share i; in the end member 0 holds all shares.
template <class Shares>
class BinomialGather {
public:
    explicit BinomialGather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        const std::int32_t n = shares_.count();
        const std::int32_t m = member.value;
        const std::int32_t edge = std::int32_t{1} << round.value;
        if (m % (2 * edge) == edge) out.send(Rank{m - edge}, shares_.cyclic(m, std::min(edge, n - m)));
        if (m % (2 * edge) == 0 && m + edge < n)
            out.receive(Rank{m + edge}, shares_.cyclic(m + edge, std::min(edge, n - m - edge)));
    }

private:
    Shares shares_;
};

/// Member 0 brings all shares; in the end member i holds share i (and those below it in the tree).
template <class Shares>
class BinomialScatter {
public:
    explicit BinomialScatter(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        const std::int32_t n = shares_.count();
        const std::int32_t m = member.value;
        const std::int32_t edge = std::int32_t{1} << (rounds() - 1 - round.value);
        if (m % (2 * edge) == 0 && m + edge < n)
            out.send(Rank{m + edge}, shares_.cyclic(m + edge, std::min(edge, n - m - edge)));
        if (m % (2 * edge) == edge) out.receive(Rank{m - edge}, shares_.cyclic(m, std::min(edge, n - m)));
    }

private:
    Shares shares_;
};

/// Member 0 brings `what` (anything `send` takes); in the end all members hold it.
template <class What>
class BinomialBroadcast {
public:
    BinomialBroadcast(std::int32_t members, What what) : n_{members}, what_{std::move(what)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(n_); }

    template <class Out>
    void operator()(Rank member, Round round, Out& out) const {
        const std::int32_t m = member.value;
        const std::int32_t edge = std::int32_t{1} << (rounds() - 1 - round.value);
        if (m % (2 * edge) == 0 && m + edge < n_) out.send(Rank{m + edge}, what_);
        if (m % (2 * edge) == edge) out.receive(Rank{m - edge}, what_);
    }

private:
    std::int32_t n_;
    What what_;
};

}  // namespace engine::stages
