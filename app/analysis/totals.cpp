// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/totals.hpp"

namespace app::analysis {

using engine::Rank;
using engine::Round;

std::optional<Totals> totalsOf(const engine::Plan& plan, const engine::Progress& progress) {
    const engine::Facts& facts = plan.schedule->facts();
    if (facts.ranks * facts.rounds > countedTurns) return std::nullopt;
    const engine::Layout& layout = plan.problem.layout;
    const engine::Bytes each = layout.largest();
    Totals totals{.wholeContributions = layout.isRegular() && each > 0 && !isReduction(plan.problem.collective)};
    engine::Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        progress.at(static_cast<double>(round.value) / static_cast<double>(facts.rounds));
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const engine::Message& send : turn.sends()) {
                ++totals.messages;
                totals.bytes += send.bytes;
                const auto ranges = turn.ranges(send);
                totals.wholeContributions = totals.wholeContributions && send.bytes == each && ranges.size() == 1 &&
                                            ranges[0].begin % each == 0;
            }
        }
    }
    return totals;
}

engine::Bound<std::int64_t> roundBound(const engine::Bounds& bounds, const std::optional<Totals>& totals) {
    return bounds.unitRounds && totals && totals->wholeContributions ? *bounds.unitRounds : bounds.startups;
}

}  // namespace app::analysis
