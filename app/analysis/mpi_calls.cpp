// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/mpi_calls.hpp"

#include "traces/large_pages.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace app::analysis {

using engine::Picoseconds;

namespace {

bool firstIsEnough(const traces::Region& region) {
    if (region.call != traces::Call::wait) return false;
    const auto ends = [&](std::string_view ending) {
        std::string name = region.name;
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        while (name.ends_with('_')) name.pop_back();
        return name.ends_with(ending);
    };
    return ends("any") || ends("some");
}

}  // namespace

LocationsOfRanks locationsOfRanks(const traces::Recording& recording) {
    LocationsOfRanks found(engine::asSize(recording.ranks));
    for (std::size_t i = 0; i < recording.states.size() && i < recording.locations.size(); ++i)
        if (const engine::Rank rank = recording.locations[i].rank; rank != traces::noRank)
            found[rank.index()].push_back(i);
    return found;
}

MpiCalls::MpiCalls(const traces::Recording& recording, const std::vector<std::size_t>& locationsOfRank) {
    std::vector<std::int8_t> kinds(recording.regions.size(), -1);  // worked out when first met
    for (const std::size_t i : locationsOfRank) {
        const traces::States& states = recording.states[i];
        std::vector<MpiCall> calls;
        calls.reserve(static_cast<std::size_t>(
            std::count_if(states.region.span().begin(), states.region.span().end(), [&](std::int32_t region) {
                return recording.regions[static_cast<std::size_t>(region)].call != traces::Call::none;
            })));
        traces::preferLargePages(calls.data(), calls.capacity());
        for (std::size_t s = 0; s < states.size(); ++s) {
            const auto region = static_cast<std::size_t>(states.region[s]);
            if (recording.regions[region].call == traces::Call::none) continue;
            if (kinds[region] < 0) kinds[region] = firstIsEnough(recording.regions[region]) ? 1 : 0;
            calls.push_back({states.begin[s], states.end[s], kinds[region] == 1,
                             recording.regions[region].call == traces::Call::wait});
        }
        if (!calls.empty()) locations_.push_back({std::move(calls)});
    }
}

std::vector<MpiCall>::const_iterator MpiCalls::OfLocation::notBefore(Picoseconds time) const {
    // Steps that double, this way or that, then halves: what is near is found without a look at what is far.
    std::size_t low = near;
    std::size_t high = near;
    for (std::size_t step = 1; low > 0 && calls[low - 1].begin >= time; step *= 2) {
        high = low - 1;
        low -= std::min(low, step);
    }
    for (std::size_t step = 1; high < calls.size() && calls[high].begin < time; step *= 2) {
        low = high + 1;
        high += std::min(calls.size() - high, step);
    }
    const auto at = [&](std::size_t place) { return calls.begin() + static_cast<std::ptrdiff_t>(place); };
    const auto found = std::partition_point(at(low), at(high), [&](const MpiCall& call) { return call.begin < time; });
    near = static_cast<std::size_t>(found - calls.begin());
    return found;
}

std::optional<MpiCall> MpiCalls::at(Picoseconds time) const {
    // Calls within calls of MPI are few: a short look back finds the one around.
    constexpr std::ptrdiff_t deepest = 16;
    std::optional<MpiCall> found;
    const auto take = [&](const MpiCall& call) {
        if (!found || call.begin > found->begin) found = call;
    };
    for (const OfLocation& location : locations_) {
        const auto notBefore = location.notBefore(time);
        auto before = notBefore;
        for (std::ptrdiff_t k = 0; k < deepest && before != location.calls.begin(); ++k)
            if ((--before)->end >= time) {
                take(*before);
                break;
            }
        if (!found && notBefore != location.calls.end() && notBefore->begin == time) take(*notBefore);
    }
    return found;
}

std::optional<MpiCall> MpiCalls::beginning(Picoseconds begin, Picoseconds end) const {
    std::optional<MpiCall> found;
    for (const OfLocation& location : locations_)
        for (auto call = location.notBefore(begin); call != location.calls.end() && call->begin == begin; ++call)
            if (call->end >= end && (!found || call->end < found->end)) found = *call;
    return found ? found : at(begin);
}

std::optional<MpiCall> MpiCalls::completing(Picoseconds time) const {
    const std::optional<MpiCall> found = at(time);
    if (found && found->waits) return found;
    for (const OfLocation& location : locations_)
        for (const MpiCall& call : std::ranges::equal_range(location.calls, time, {}, &MpiCall::begin))
            if (call.waits && call.end == time) return call;
    return found;
}

}  // namespace app::analysis
