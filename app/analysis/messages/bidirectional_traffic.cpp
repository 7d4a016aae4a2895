// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/bidirectional_traffic.hpp"

#include <algorithm>

namespace app::analysis {

std::int64_t opposedMessages(const engine::Schedule& schedule, const engine::Progress& progress) {
    const engine::Facts& facts = schedule.facts();
    std::int64_t opposed = 0;
    engine::Turn turn;
    for (engine::Round round{0}; round.value < facts.rounds; ++round) {
        if (progress.stop.stop_requested()) throw engine::Cancelled{};
        for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank) {
            schedule.turn(rank, round, turn);
            const auto comesBack = [&](const engine::Message& sent) {
                return std::any_of(turn.receives().begin(), turn.receives().end(),
                                   [&](const engine::Message& received) { return received.peer == sent.peer; });
            };
            opposed += std::count_if(turn.sends().begin(), turn.sends().end(), comesBack);
        }
    }
    return opposed;
}

}  // namespace app::analysis
