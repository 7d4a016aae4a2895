// SPDX-License-Identifier: BSD-3-Clause
// Whom something can still reach that a rank holds, while the messages of a course are gone through round by round.
#pragma once

#include "engine/schedule_files/goal/goal_rounds.hpp"
#include "engine/schedule_files/goal/rank_set.hpp"

#include <span>
#include <utility>
#include <vector>

namespace engine::schedules::goal {

class Chances {
public:
    /// Needs as many bits as there are messages, times ranks.
    Chances(std::span<const Delivery> deliveries, std::int32_t ranks);

    /// Goes on to the round of these messages, which follows the last one entered.
    void enter(std::span<const Delivery> round);
    /// The next message of the round is dealt with.
    void pass();

    /// Itself, and those whom messages of later rounds lead to.
    [[nodiscard]] const RankSet& afterwards(Rank rank) const { return reached_[rank.index()]; }
    /// Those whom other messages that it sends in this round, and that are not dealt with yet, lead to.
    [[nodiscard]] const RankSet& inThisRound(Rank rank) const { return pending_[rank.index()]; }

private:
    /// Of the sender of the next message, which counts no longer.
    void settle();

    std::span<const Delivery> round_;
    std::size_t next_ = 0;
    std::vector<RankSet> reached_;
    std::vector<RankSet> pending_;
    std::vector<std::pair<Rank, RankSet>> later_;  // what becomes of reached_, the first round last
    std::vector<std::size_t> changes_;             // how many of these each round has, the first one last
};

}  // namespace engine::schedules::goal
