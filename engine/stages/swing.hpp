// SPDX-License-Identifier: BSD-3-Clause
// Two allgathers of a power of two of members that swing to both sides of a ring (shapes/negabinary.hpp).
#pragma once

#include "engine/shapes/negabinary.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_shares.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace engine::stages {

/// The nearest partners first: what a member holds is one run, going round. Eight members, "7..2" is a run of shares:
///
///   round   distance   0 <-   holds then     1 <-   holds then
///     1        1       1      0..1           0      0..1
///     2        1       7      6..1           2      0..3
///     3        3       3      6..5           6      4..3
///
/// log2 n rounds, n - 1 serialized shares, of which a message has at most two pieces on the byte line.
template <class Shares>
class BineAllgather : public ByRound<BineAllgather<Shares>> {
public:
    explicit BineAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t n = shares_.count();
        const auto partnerOf = [n, step = round.value](std::int32_t m) {
            return shapes::swingPartner(Rank{m}, step, n).value;
        };
        // Whether a member is even decides all; both answers are worked out once.
        const auto firstOf = [n, even = shapes::swingLeft(0, round.value),
                              odd = shapes::swingLeft(1, round.value)](std::int32_t m) {
            return shapes::around(Rank{m}, -(m % 2 == 0 ? even : odd), n).value;
        };
        use(Exchange{partnerOf, partnerOf, firstOf, std::int32_t{1} << round.value, seen(shares_)});
    }

private:
    Shares shares_;
};

/// The farthest partners first, when there is least to send: the reduce-scatter of Swing backwards. Eight members:
///
///   round   distance   0 <-   holds then        1 <-   holds then
///     1        3       3      0 3               6      1 6
///     2        1       7      0 3 4 7           2      1 2 5 6
///     3        1       1      all               0      all
///
/// log2 n rounds, n - 1 serialized shares. Correct because the steps that lead from a member to another differ for
/// each.
template <class Shares>
class SwingAllgather : public ByRound<SwingAllgather<Shares>> {
public:
    explicit SwingAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t n = shares_.count();
        const std::int64_t step = rounds() - 1 - round.value;
        use([this, n, step](Rank member, auto& out) {
            const Rank partner = shapes::swingPartner(member, step, n);
            out.send(partner, held(member, step + 1));
            out.receive(partner, held(partner, step + 1));
        });
    }

private:
    /// What `member` has when steps first, first + 1, ... have been taken; valid until the next answer on the same
    /// thread.
    [[nodiscard]] std::span<const Range> held(Rank member, std::int64_t first) const {
        thread_local std::vector<std::int32_t> members;
        thread_local std::vector<Range> found;
        members.assign(1, member.value);
        for (std::int64_t step = first; step < rounds(); ++step)
            for (std::size_t i = 0, end = members.size(); i < end; ++i)
                members.push_back(shapes::swingPartner(Rank{members[i]}, step, shares_.count()).value);
        std::sort(members.begin(), members.end());
        found.clear();
        for (const std::int32_t m : members)
            for (const Range range : shares_.cyclic(m, 1)) found.push_back(range);
        return found;
    }

    Shares shares_;
};

}  // namespace engine::stages
