// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/gap.hpp"

namespace app::analysis {

using engine::Picoseconds;

Picoseconds startupsIn(Picoseconds bound, const engine::Bounds& bounds, const engine::Model& model) {
    const Picoseconds startupsAlone = model.alpha * bounds.startups.value;
    return bound > startupsAlone ? model.alpha * bounds.firstByte : startupsAlone;
}

Gap gapOf(const std::vector<PathStep>& path, const engine::Bounds& bounds, const engine::Model& model) {
    const PathTotals totals = totalsOf(path);
    Gap gap;
    const Picoseconds bound = engine::timeBound(bounds, model);
    const Picoseconds boundStartups = startupsIn(bound, bounds, model);
    const Picoseconds startups = model.alpha * totals.messages;
    const Picoseconds bytes = model.beta * totals.bytes;
    gap.extraRounds = startups - boundStartups;
    gap.extraBytes = bytes - (bound - boundStartups);
    gap.congestion = totals.moving - startups - bytes;
    gap.waiting = totals.between;
    return gap;
}

}  // namespace app::analysis
