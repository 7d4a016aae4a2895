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
// Rounds ceil(log2 n). Serialized bytes: gather and scatter all but the root's share, broadcast everything per round.
#pragma once

#include "engine/base/types.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/stages/member_shares.hpp"

#include <algorithm>
#include <bit>

namespace engine::stages {

/// ceil(log2 n) for n >= 1.
constexpr std::int32_t ceilLog2(std::int32_t n) {
    return static_cast<std::int32_t>(std::bit_width(static_cast<std::uint32_t>(n - 1)));
}

/// The members at both ends of the edges of one round, and on which of them a member is: all are multiples of `length`.
struct TreeEdges {
    std::int32_t n;
    std::int32_t length;

    [[nodiscard]] Strip members() const { return {0, n, length}; }
    [[nodiscard]] bool isChild(std::int32_t m) const { return (m & (2 * length - 1)) == length; }
    [[nodiscard]] bool isParent(std::int32_t m) const { return (m & (2 * length - 1)) == 0 && m + length < n; }
    /// Members below child m, and m itself.
    [[nodiscard]] std::int32_t below(std::int32_t m) const { return std::min(length, n - m); }
};

/// Member i brings share i; in the end member 0 holds all shares.
template <class Shares>
class BinomialGather : public ByRound<BinomialGather<Shares>> {
public:
    explicit BinomialGather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const TreeEdges edges{shares_.count(), std::int32_t{1} << round.value};
        use(Acting{edges.members(), [edges, shares = seen(shares_)](Rank member, auto& out) {
                       const std::int32_t m = member.value;
                       const std::int32_t child = m + edges.length;
                       if (edges.isChild(m)) out.send(Rank{m - edges.length}, shares.cyclic(m, edges.below(m)));
                       if (edges.isParent(m)) out.receive(Rank{child}, shares.cyclic(child, edges.below(child)));
                   }});
    }

private:
    Shares shares_;
};

/// Member 0 brings all shares; in the end member i holds share i (and those below it in the tree).
template <class Shares>
class BinomialScatter : public ByRound<BinomialScatter<Shares>> {
public:
    explicit BinomialScatter(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const TreeEdges edges{shares_.count(), std::int32_t{1} << (rounds() - 1 - round.value)};
        use(Acting{edges.members(), [edges, shares = seen(shares_)](Rank member, auto& out) {
                       const std::int32_t m = member.value;
                       const std::int32_t child = m + edges.length;
                       if (edges.isParent(m)) out.send(Rank{child}, shares.cyclic(child, edges.below(child)));
                       if (edges.isChild(m)) out.receive(Rank{m - edges.length}, shares.cyclic(m, edges.below(m)));
                   }});
    }

private:
    Shares shares_;
};

/// Member 0 brings `what` (anything `send` takes); in the end all members hold it.
template <class What>
class BinomialBroadcast : public ByRound<BinomialBroadcast<What>> {
public:
    BinomialBroadcast(std::int32_t members, What what) : n_{members}, what_{std::move(what)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(n_); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const TreeEdges edges{n_, std::int32_t{1} << (rounds() - 1 - round.value)};
        use(Acting{edges.members(), [edges, &what = what_](Rank member, auto& out) {
                       if (edges.isParent(member.value)) out.send(member + edges.length, what);
                       if (edges.isChild(member.value)) out.receive(member - edges.length, what);
                   }});
    }

private:
    std::int32_t n_;
    What what_;
};

}  // namespace engine::stages
