// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/mpi_call_timeline.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>
#include <string>

namespace app::analysis {

using engine::Picoseconds;

namespace {

/// As C and Fortran name it.
std::string plainName(std::string_view region) {
    std::string name = engine::lowered(region);
    while (name.ends_with('_')) name.pop_back();
    return name;
}

bool endsWithAnyOrSome(const std::string& name) { return name.ends_with("any") || name.ends_with("some"); }

bool waitsToProbe(const std::string& name) { return name.ends_with("mpi_probe") || name.ends_with("mpi_mprobe"); }

bool looksForMessage(const std::string& name) { return name.ends_with("mpi_iprobe") || name.ends_with("mpi_improbe"); }

}  // namespace

LocationsOfRanks locationsOfRanks(const traces::Recording& recording) {
    LocationsOfRanks found(engine::asSize(recording.ranks));
    for (std::size_t i = 0; i < recording.states.size() && i < recording.locations.size(); ++i)
        if (const engine::Rank rank = recording.locations[i].rank; rank != traces::noRank)
            found[rank.index()].push_back(i);
    return found;
}

MpiRegions::MpiRegions(const traces::Recording& recording) {
    for (const traces::Region& region : recording.regions) {
        const std::string name = plainName(region.name);
        const bool probes = region.call != traces::Call::none && waitsToProbe(name);
        haveProbes_ = haveProbes_ || probes;
        kinds_.push_back(region.call == traces::Call::none           ? std::uint8_t{0}
                         : probes                                    ? mpi | probing
                         : name.ends_with(traces::own::foundNothing) ? mpi | nothing
                         : looksForMessage(name)                     ? mpi | looking
                         : region.call != traces::Call::wait         ? mpi
                         : endsWithAnyOrSome(name)                   ? mpi | waiting | enough
                                                                     : mpi | waiting);
        if (waits(static_cast<std::int32_t>(kinds_.size() - 1)) && name.find("mpi_test") != std::string::npos)
            kinds_.back() |= testing;
    }
}

MpiCalls::MpiCalls(const traces::Recording& recording, const MpiRegions& regions,
                   const std::vector<std::size_t>& locationsOfRank)
    : regions_{regions} {
    for (const std::size_t i : locationsOfRank) {
        const traces::States& states = recording.states[i];
        const auto isMpi = [&](std::int32_t region) { return regions.isMpi(region); };
        const auto count = static_cast<std::size_t>(std::count_if(states.region.begin(), states.region.end(), isMpi));
        if (count == 0) continue;
        OfLocation& location = locations_.emplace_back(
            OfLocation{.states = &states, .index = static_cast<std::uint32_t>(i), .places = {}});
        if (count == states.size()) continue;
        location.places.reserve(count);
        for (std::uint32_t s = 0; s < states.size(); ++s)
            if (isMpi(states.region[s])) location.places.push_back(s);
    }
}

MpiCall MpiCalls::call(const OfLocation& location, std::size_t k) const {
    const std::int32_t region = location.states->region[location.place(k)];
    MpiCall call{location.begin(k), location.end(k), regions_.firstIsEnough(region), regions_.waits(region)};
    call.location = location.index;
    if (call.waits) call.begin = pollingSince(location, k);
    if (k > 1 && regions_.foundNothing(location.states->region[location.place(k - 2)]) &&
        regions_.foundMessage(location.states->region[location.place(k - 1)]))
        call.probing = {pollingSince(location, k - 2), location.end(k - 1)};
    if (regions_.haveProbes() && k > 0 && regions_.probes(location.states->region[location.place(k - 1)]))
        call.probing = {location.begin(k - 1), location.end(k - 1)};
    return call;
}

Picoseconds MpiCalls::pollingSince(const OfLocation& location, std::size_t k) const {
    // The recorder joins calls of one function that lie no further apart.
    constexpr Picoseconds apart{100'000'000};
    while (k > 0 && regions_.foundNothing(location.states->region[location.place(k - 1)]) &&
           location.begin(k) - location.end(k - 1) <= apart)
        --k;
    return location.begin(k);
}

std::size_t MpiCalls::OfLocation::notBefore(Picoseconds time) const {
    // Steps that double, this way or that, then halves: what is near is found without a look at what is far.
    std::size_t low = near;
    std::size_t high = near;
    for (std::size_t step = 1; low > 0 && begin(low - 1) >= time; step *= 2) {
        high = low - 1;
        low -= std::min(low, step);
    }
    for (std::size_t step = 1; high < size() && begin(high) < time; step *= 2) {
        low = high + 1;
        high += std::min(size() - high, step);
    }
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (begin(middle) < time) low = middle + 1;
        else high = middle;
    }
    near = low;
    return low;
}

std::optional<std::size_t> MpiCalls::OfLocation::at(Picoseconds time) const {
    // Calls within calls of MPI are few: a short look back finds the one around.
    constexpr std::size_t deepest = 16;
    const std::size_t next = notBefore(time);
    for (std::size_t k = 1; k <= std::min(deepest, next); ++k)
        if (end(next - k) >= time) return next - k;
    return next < size() && begin(next) == time ? std::optional{next} : std::nullopt;
}

std::optional<MpiCall> MpiCalls::at(Picoseconds time) const {
    std::optional<MpiCall> found;
    for (const OfLocation& location : locations_)
        if (const auto k = location.at(time); k && (!found || location.begin(*k) > found->begin))
            if (location.begin(*k) < time || !found) found = call(location, *k);
    return found;
}

std::optional<MpiCall> MpiCalls::at(Picoseconds time, std::uint32_t onLocation) const {
    for (const OfLocation& location : locations_)
        if (const auto k = location.index == onLocation ? location.at(time) : std::nullopt) return call(location, *k);
    return std::nullopt;
}

std::optional<MpiCall> MpiCalls::beginning(Picoseconds begin, Picoseconds end) const {
    std::optional<MpiCall> found;
    for (const OfLocation& location : locations_)
        for (std::size_t k = location.notBefore(begin); k < location.size() && location.begin(k) == begin; ++k)
            if (location.end(k) >= end && (!found || location.end(k) < found->end)) found = call(location, k);
    return found ? found : at(begin);
}

std::optional<MpiCall> MpiCalls::completing(Picoseconds time) const {
    const std::optional<MpiCall> found = at(time);
    if (found && found->waits) return found;
    for (const OfLocation& location : locations_)
        for (std::size_t k = location.notBefore(time); k < location.size() && location.begin(k) == time; ++k)
            if (location.end(k) == time && call(location, k).waits) return call(location, k);
    return found;
}

}  // namespace app::analysis
