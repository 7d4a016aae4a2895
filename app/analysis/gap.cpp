// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/gap.hpp"

namespace app::analysis {

using engine::Picoseconds;

Gap gapAlong(const std::vector<PathStep>& path, const engine::Cost& least, const engine::Model& model) {
    const PathTotals totals = totalsOf(path);
    Gap gap;
    const Picoseconds startups = model.alpha * totals.messages;
    const Picoseconds bytes = model.beta * totals.bytes;
    gap.extraRounds = startups - model.alpha * least.startups;
    gap.extraBytes = bytes - model.beta * least.volume;
    gap.combining = -(model.gamma * least.combined);
    gap.congestion = totals.moving - startups - bytes;
    gap.waiting = totals.between;
    return gap;
}

}  // namespace app::analysis
