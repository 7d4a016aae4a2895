// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/selection/program_time.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using traces::Recording;
using traces::TimeSpan;

namespace {

/// Calls `take` with the location of each rank that has one.
template <class Take>
void eachLocationOfRank(const Recording& recording, Take take) {
    for (Rank rank{0}; rank.value < recording.ranks; ++rank)
        if (const std::int32_t location = recording.locationOf(rank); location != traces::noIndex)
            take(engine::asSize(location));
}

}  // namespace

SetUpTimes setUpTimes(const Recording& recording) {
    enum class What : std::uint8_t { other, initialises, finalizes };
    std::vector<What> ofRegion;
    bool any = false;
    for (const traces::Region& region : recording.regions) {
        const bool isSetUp = region.call == traces::Call::setup && region.calls > 0;
        any = any || isSetUp;
        ofRegion.push_back(!isSetUp                                           ? What::other
                           : region.name.find("inalize") != std::string::npos ? What::finalizes
                                                                              : What::initialises);
    }
    SetUpTimes times;
    if (!any) return times;
    bool allInitialise = true, allFinalize = true;
    eachLocationOfRank(recording, [&](std::size_t location) {
        const traces::States& states = recording.states[location];
        // A library may use a session of its own: the first and the last of them are the program's.
        std::optional<Picoseconds> initialised, finalizes;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const What what = ofRegion[engine::asSize(states.region[i])];
            if (what == What::other) continue;
            if (what == What::finalizes) finalizes = states.begin[i];
            else if (!initialised) initialised = states.end[i];
        }
        allInitialise = allInitialise && initialised;
        allFinalize = allFinalize && finalizes;
        if (initialised) times.initialised = std::max(times.initialised.value_or(*initialised), *initialised);
        if (finalizes) times.finalizes = std::max(times.finalizes.value_or(*finalizes), *finalizes);
    });
    // Where a rank has none, the program was not set up, or did not end, at that time.
    if (!allInitialise) times.initialised.reset();
    if (!allFinalize || (times.finalizes && *times.finalizes <= times.initialised.value_or(Picoseconds{})))
        times.finalizes.reset();
    return times;
}

std::optional<Picoseconds> recordedUntil(const Recording& recording) {
    std::optional<Picoseconds> until;
    for (const traces::NotRecorded& gap : recording.absences) {
        if (gap.what != traces::Absence::interval || gap.location == traces::noIndex ||
            !recording.locations[engine::asSize(gap.location)].speaksForRank)
            continue;
        const traces::States& states = recording.states[engine::asSize(gap.location)];
        const auto next = std::ranges::lower_bound(states.begin, gap.end) - states.begin.begin();
        const bool goesOn = std::any_of(states.region.begin() + next, states.region.end(), [&](std::int32_t region) {
            return recording.regions[engine::asSize(region)].call != traces::Call::setup;
        });
        if (!goesOn) until = std::min(until.value_or(gap.begin), gap.begin);
    }
    return until;
}

Picoseconds gapsWithin(const Recording& recording, TimeSpan time) {
    Picoseconds sum{};
    for (const traces::NotRecorded& gap : recording.absences)
        if (gap.what == traces::Absence::interval && gap.location != traces::noIndex &&
            recording.locations[engine::asSize(gap.location)].speaksForRank)
            sum += std::max(Picoseconds{}, std::min(gap.end, time.end) - std::max(gap.begin, time.begin));
    return sum;
}

TimeSpan timeOfProgram(const Recording& recording) {
    std::optional<Picoseconds> first;
    Picoseconds last{};
    eachLocationOfRank(recording, [&](std::size_t location) {
        const traces::Location& its = recording.locations[location];
        first = std::min(first.value_or(its.first), its.first);
        last = std::max(last, its.last);
    });
    const SetUpTimes its = setUpTimes(recording);
    const Picoseconds begin = std::max(first.value_or(Picoseconds{}), its.initialised.value_or(Picoseconds{}));
    const Picoseconds end = its.finalizes.value_or(std::max(begin, last)),
                      until = recordedUntil(recording).value_or(end);
    return {begin, until > begin ? std::min(end, until) : end};
}

TimeSpan analysedTime(const Recording& recording, const Part& part) {
    SetUpTimes its;
    if (!part.from || !part.to) its = setUpTimes(recording);
    const Picoseconds begin = part.from.value_or(its.initialised.value_or(Picoseconds{}));
    Picoseconds end = std::min(part.to.value_or(its.finalizes.value_or(recording.duration)), recording.duration);
    if (const auto until = part.to ? std::nullopt : recordedUntil(recording); until && *until > begin)
        end = std::min(end, *until);
    return {std::min(begin, end), end};
}

}  // namespace app::analysis
