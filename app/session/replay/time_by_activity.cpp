// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/time_by_activity.hpp"

#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include <algorithm>

namespace app {

using emulation::TimeSpent;
using engine::Picoseconds;
using engine::Rank;

engine::ById<Rank, TimeSpent> timeByActivity(const engine::Run& run) {
    engine::ById<Rank, TimeSpent> all(run.ranks);
    const std::vector<Picoseconds> arrived = analysis::arrivalTimes(run);
    const std::vector<analysis::RankTimeBreakdown> breakdowns = analysis::rankTimeBreakdownsOf(run);
    const bool inStep = run.setting.progress == "lockstep";  // then all leave with the last one
    const bool isKnown = run.messageCount == static_cast<std::int64_t>(run.messages.size());
    const std::vector<Picoseconds> waited =
        isKnown ? analysis::waitSums(run).all() : std::vector<Picoseconds>(breakdowns.size());
    for (const Rank rank : all.ids()) {
        const std::size_t i = rank.index();
        TimeSpent& spent = all[rank];
        spent.end = inStep ? run.duration : std::max(arrived[i], run.duration - run.perRank[i].finishedEarly);
        spent.computing = std::min(isKnown ? breakdowns[i].notYetEntered : arrived[i], spent.end);
        const Picoseconds there = spent.end - spent.computing;
        spent.moving = isKnown ? std::min(breakdowns[i].busy, there) : Picoseconds{};
        spent.waiting = std::min(waited[i], there - spent.moving);
        spent.inCollectives = there - spent.moving - spent.waiting;
    }
    return all;
}

}  // namespace app
