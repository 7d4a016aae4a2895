// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/gap.hpp"

namespace app::analysis {

using engine::Picoseconds;

PathGap gapOf(const std::vector<PathStep>& path, const engine::Bounds& bounds, const engine::Model& model) {
    const PathTotals totals = totalsOf(path);
    PathGap gap;
    gap.bound = engine::timeBound(bounds, model);
    // The bound is the larger of two sums; only the terms of that one are compared.
    const Picoseconds startupsAlone = model.alpha * bounds.startups.value;
    const Picoseconds boundStartups = gap.bound > startupsAlone ? model.alpha * bounds.firstByte : startupsAlone;
    const Picoseconds startups = model.alpha * totals.messages;
    const Picoseconds bytes = model.beta * totals.bytes;
    gap.extraRounds = startups - boundStartups;
    gap.extraBytes = bytes - (gap.bound - boundStartups);
    gap.congestion = totals.moving - startups - bytes;
    gap.waiting = totals.between;
    return gap;
}

}  // namespace app::analysis
