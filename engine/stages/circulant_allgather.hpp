// SPDX-License-Identifier: BSD-3-Clause
// Allgather for any number of members on a circulant graph: the distances are n halved, rounding up, until 1.
#pragma once

#include "engine/shapes/halving.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_shares.hpp"

namespace engine::stages {

/// In round t (from 0) member m, which holds shares m, m + 1, ..., m + d - 1, sends the first d' - d of them to m - d,
/// where d and d' are n halved, rounding up, one time more and one time less often. Five members, distances 1, 2, 3, 5:
///
///   round   sends to   0          1          2          3          4            ("m2.2": shares 2 and 3)
///     1      m - 1     m0.1->4    m1.1->0    m2.1->1    m3.1->2    m4.1->3
///     2      m - 2     m0.1->3    m1.1->4    m2.1->0    m3.1->1    m4.1->2
///     3      m - 3     m0.2->2    m1.2->3    m2.2->4    m3.2->0    m4.2->1
///
/// ceil(log2 n) rounds, n - 1 serialized shares. Correct because m holds d' shares after the round: its own d and the
/// run behind them. Backwards it is the reduce-scatter of the same source: Traff 2024, "Optimal, non-pipelined
/// reduce-scatter and allreduce algorithms".
template <class Shares>
class CirculantAllgather : public ByRound<CirculantAllgather<Shares>> {
public:
    explicit CirculantAllgather(Shares shares) : shares_{std::move(shares)} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(shares_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const std::int32_t n = shares_.count();
        const std::int64_t left = rounds() - round.value;
        const std::int32_t held = shapes::halved(n, left);
        const std::int32_t run = shapes::halved(n, left - 1) - held;
        use(Exchange{Turned{n, n - held}, Turned{n, held}, Turned{n, 0}, run, seen(shares_)});
    }

private:
    Shares shares_;
};

}  // namespace engine::stages
