// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/efficiency.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/program/rank_activity.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

std::string_view Efficiency::limitedBy() const {
    if (!idealTime) return loadBalance() <= communication() ? "load balance" : "communication efficiency";
    if (loadBalance() <= std::min(serialization(), transfer())) return "load balance";
    return serialization() <= transfer() ? "serialization efficiency" : "transfer efficiency";
}

bool hasMpiCalls(const traces::Recording& recording) {
    return std::ranges::any_of(recording.regions, [](const traces::Region& region) {
        return region.calls > 0 && region.call != traces::Call::none;
    });
}

Efficiencies::Efficiencies(const Recording& recording, const engine::Progress& progress)
    : recording_{recording},
      whole_{timeOfProgram(recording)},
      computation_{recording},
      program_{recordedProgram(recording, {}, progress)},
      ideal_{recording, program_} {}

namespace {

/// computation(rank, span): what the rank computed in it; nothing of one that recorded nothing.
template <class Computed>
Efficiency efficiencyOf(const Recording& recording, TimeSpan whole, TimeSpan window, const std::vector<Rank>& ranks,
                        Computed computation) {
    Efficiency its{.span = {std::max(window.begin, whole.begin), std::min(window.end, whole.end)}};
    its.span.end = std::max(its.span.end, its.span.begin);
    __int128 sum = 0;
    std::int64_t count = 0;
    const auto add = [&](Rank rank) {
        const std::optional<Picoseconds> own = computation(rank, its.span);
        if (!own) return;
        sum += own->count();
        ++count;
        if (*own <= its.maxComputation && its.maxRank != traces::noRank) return;
        its.maxComputation = *own;
        its.maxRank = rank;
    };
    if (ranks.empty())
        for (Rank rank{0}; rank.value < recording.ranks; ++rank) add(rank);
    for (const Rank rank : ranks) add(rank);
    its.meanComputation = Picoseconds{count > 0 ? static_cast<std::int64_t>(sum / count) : 0};
    return its;
}

}  // namespace

Efficiency efficiencyInBrief(const Recording& recording, TimeSpan window, const std::vector<Rank>& ranks) {
    std::vector<bool> isMpiRegion;
    for (const traces::Region& region : recording.regions) isMpiRegion.push_back(isMpiCall(region));
    return efficiencyOf(recording, timeOfProgram(recording), window, ranks,
                        [&](Rank rank, TimeSpan span) -> std::optional<Picoseconds> {
                            const std::int32_t location = recording.locationOf(rank);
                            if (location == traces::noIndex) return std::nullopt;
                            const traces::Location& own = recording.locations[engine::asSize(location)];
                            span = {std::max(span.begin, own.first), std::min(span.end, own.last)};
                            if (span.begin >= span.end) return Picoseconds{};
                            return span.end - span.begin -
                                   timeInMpi(recording.states[engine::asSize(location)], isMpiRegion, span);
                        });
}

Efficiency Efficiencies::of(TimeSpan window, const std::vector<Rank>& ranks) {
    Efficiency its =
        efficiencyOf(recording_, whole_, window, ranks, [&](Rank rank, TimeSpan span) -> std::optional<Picoseconds> {
            if (!computation_.isRecorded(rank)) return std::nullopt;
            return computation_.of(rank, span.begin, span.end);
        });
    // Threads that communicate beside their rank may leave it more computation than its own calls do.
    its.idealTime =
        std::max(its.maxComputation, ideal_.timeOf(its.span, [&](Rank rank, Picoseconds from, Picoseconds to) {
            return computation_.of(rank, from, to);
        }));
    return its;
}

}  // namespace app::analysis
