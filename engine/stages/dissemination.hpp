// SPDX-License-Identifier: BSD-3-Clause
// n-way dissemination: in every round each rank tells n others at the same distances, and hears from n.
#pragma once

#include "engine/schedule/rounds.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>

namespace engine::stages {

/// In round t (from 0) a rank sends its partial result to ranks N^t, 2 N^t, ..., n N^t to the right, N = n + 1, and
/// appends what comes from the left. Before the last round all n do so; in the last one only those at a
/// distance below P. n = 2, P = 8, rank 0:
///
///   round   sends to   hears from   holds
///     1       1 2         7 6       0 7 6
///     2       3 6         5 2       0 7 6  5 4 3  2 1 0
///
/// ceil(log_N P) rounds. Everyone hears of everyone, at least once; exactly once iff N^(k-1) divides P, k the rounds.
class Dissemination : public ByRound<Dissemination> {
public:
    /// `bytes` of a partial result; 0 where a message is a sign of life only.
    Dissemination(std::int32_t ranks, std::int32_t ways, Bytes bytes) : ranks_{ranks}, ways_{ways}, bytes_{bytes} {}

    [[nodiscard]] std::int64_t rounds() const { return shapes::ceilLog(ways_ + 1, ranks_); }
    [[nodiscard]] bool exactlyOnce() const { return rounds() == 0 || ranks_ % distance(rounds() - 1) == 0; }
    /// Messages a rank sends in `round`.
    [[nodiscard]] std::int64_t messages(std::int64_t round) const {
        return std::min<std::int64_t>(ways_, (ranks_ - 1) / distance(round));
    }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use([apart = distance(round.value), count = messages(round.value), ranks = ranks_, bytes = bytes_](Rank rank,
                                                                                                           auto& out) {
            for (std::int64_t i = 1; i <= count; ++i) {
                out.sendPartial(shapes::around(rank, i * apart, ranks), 0, bytes);
                out.receivePartial(shapes::around(rank, -i * apart, ranks), 1, Action::append, bytes);
            }
        });
    }

private:
    [[nodiscard]] std::int64_t distance(std::int64_t round) const { return shapes::power(ways_ + 1, round); }

    std::int32_t ranks_;
    std::int32_t ways_;
    Bytes bytes_;
};

}  // namespace engine::stages
