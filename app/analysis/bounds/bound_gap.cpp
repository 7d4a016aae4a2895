// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/bound_gap.hpp"

#include "engine/base/text.hpp"

namespace app::analysis {

using engine::Picoseconds;

std::string meaningOf(const GapCause& cause, Picoseconds time, const engine::Bounds& bounds,
                      const engine::Cost& least) {
    if (time < Picoseconds{}) return std::string{cause.gained};
    const auto beyond = [&](const std::string& what, const std::string& ofBound, const std::string& needed) {
        return engine::text(what, " beyond the ", ofBound, " in the time bound; ", needed);
    };
    // Only where the least bytes need more startups than the least startups do.
    const bool traded = bounds.exchange && bounds.together && bounds.together->value.startups > bounds.startups.value;
    if (cause.time == &Gap::extraRounds && (traded || least.startups < bounds.startups.value))
        return beyond("startups", engine::text(least.startups),
                      traded ? std::string{"fewer startups need more bytes"}
                             : engine::text("every schedule needs at least ", bounds.startups.value));
    if (cause.time == &Gap::extraBytes && (traded || least.volume < bounds.volume.value))
        return beyond("serialized bytes", engine::showBytes(least.volume),
                      traded ? std::string{"fewer bytes need more startups"}
                             : engine::text("every schedule needs at least ", engine::showBytes(bounds.volume.value)));
    return std::string{cause.meaning};
}

Gap gapAlong(const std::vector<PathStep>& path, const engine::Cost& least, Picoseconds bound,
             const engine::Model& model) {
    const PathTotals totals = totalsOf(path);
    Gap gap;
    const Picoseconds startups = model.alpha * totals.messages;
    const Picoseconds bytes = model.beta * totals.bytes;
    gap.extraRounds = startups - model.alpha * least.startups;
    const Picoseconds combining = model.gamma * least.combined;
    gap.extraBytes = bytes - (bound - model.alpha * least.startups - combining);
    gap.combining = -combining;
    gap.congestion = totals.moving - startups - bytes;
    if (const Picoseconds missing = gap.extraRounds + gap.extraBytes; missing < Picoseconds{})
        gap.extraRounds = gap.extraBytes = {}, gap.congestion += missing;
    gap.waiting = totals.between;
    return gap;
}

}  // namespace app::analysis
