// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/bound_gap.hpp"

#include "engine/base/text.hpp"

#include <algorithm>
#include <map>

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
    const bool fewer =
        least.volume < bounds.volume.value && engine::showBytes(least.volume) != engine::showBytes(bounds.volume.value);
    if (cause.time == &Gap::extraBytes && (traded || fewer))
        return beyond("serialized bytes", engine::showBytes(least.volume),
                      traded ? std::string{"fewer bytes need more startups"}
                             : engine::text("every schedule needs at least ", engine::showBytes(bounds.volume.value)));
    return std::string{cause.meaning};
}

namespace {

/// Startups and bytes along a path: of messages of one round only the largest, since they cost an algorithm one
/// startup.
engine::Cost serializedAlong(const std::vector<PathStep>& path) {
    std::map<engine::Round, engine::Bytes> largest;
    for (const PathStep& step : path)
        if (step.isMessage) {
            engine::Bytes& bytes = largest[step.round];
            bytes = std::max(bytes, step.bytes);
        }
    engine::Cost cost{.startups = static_cast<std::int64_t>(largest.size())};
    for (const auto& [round, bytes] : largest) cost.volume += bytes;
    return cost;
}

}  // namespace

Gap gapAlong(const std::vector<PathStep>& path, const engine::Cost& least, Picoseconds bound,
             const engine::Model& model) {
    const PathTotals totals = totalsOf(path);
    const engine::Cost own = serializedAlong(path);
    Gap gap;
    const Picoseconds startups = model.alpha * own.startups;
    const Picoseconds bytes = model.beta * own.volume;
    gap.extraRounds = startups - model.alpha * least.startups;
    const Picoseconds combining = model.gamma * least.combined;
    gap.extraBytes = bytes - (bound - model.alpha * least.startups - combining);
    gap.combining = -combining;
    gap.congestion = totals.moving - startups - bytes;
    if (const Picoseconds missing = gap.extraRounds + gap.extraBytes; missing < Picoseconds{})
        gap.extraRounds = gap.extraBytes = {}, gap.congestion += missing;
    gap.waiting = totals.between;
    // A message that was sent before its receiver was ready takes less than the model: part of it is in the waiting.
    const Picoseconds within = std::clamp(-gap.congestion, Picoseconds{}, std::max(gap.waiting, Picoseconds{}));
    gap.congestion += within;
    gap.waiting -= within;
    return gap;
}

}  // namespace app::analysis
