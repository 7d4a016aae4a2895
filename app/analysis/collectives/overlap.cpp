// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/collectives/overlap.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "engine/base/median.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace app::analysis {

using engine::Picoseconds;

namespace {

/// Calls that are compared with each other.
using Alike = std::tuple<std::string, engine::Bytes, std::int32_t>;
Alike alike(const Instance& instance) { return {instance.operation, instance.bytes, instance.rankCount()}; }

Picoseconds lastEntry(const Instance& instance) {
    Picoseconds last = instance.begin;
    for (const auto& stay : instance.stays)
        if (stay) last = std::max(last, stay->begin);
    return last;
}

bool allRecorded(const Instance& instance) {
    return !instance.stays.empty() &&
           std::ranges::all_of(instance.stays, [](const auto& stay) { return stay.has_value(); });
}

/// The mean over the ranks of a blocking one.
Picoseconds timeOfBlocking(const Instance& instance) {
    const Picoseconds last = lastEntry(instance);
    Picoseconds sum{};
    for (const auto& stay : instance.stays) sum += std::max(Picoseconds{}, stay->end - std::max(stay->begin, last));
    return sum / static_cast<std::int64_t>(instance.stays.size());
}

std::optional<Overlap> overlapOf(const Instance& instance, std::map<engine::Rank, MpiCalls>& calls,
                                 const traces::Recording& recording, const MpiRegions& regions,
                                 const LocationsOfRanks& locations) {
    const Picoseconds last = lastEntry(instance);
    const std::vector<Picoseconds> waited = waitedIn(instance);
    Overlap overlap;
    for (std::size_t place = 0; place < instance.stays.size(); ++place) {
        const traces::TimeSpan stay = *instance.stays[place];
        const engine::Rank rank = instance.ranks[place];
        const MpiCalls& of = calls.try_emplace(rank, recording, regions, locations[rank.index()]).first->second;
        const auto start = of.beginning(stay.begin, stay.begin);
        const auto& completing = instance.completing[place];
        if (!start || !completing || *completing < start->end) return std::nullopt;
        overlap.started += std::max(Picoseconds{}, start->end - std::max(start->begin, last));
        overlap.between += *completing - start->end;
        overlap.completed += std::max(Picoseconds{}, stay.end - std::max(*completing, last));
        overlap.inCalls += start->end - start->begin + stay.end - *completing;
        overlap.waiting += waited[place];
    }
    const auto ranks = static_cast<std::int64_t>(instance.stays.size());
    overlap.started /= ranks;
    overlap.between /= ranks;
    overlap.completed /= ranks;
    overlap.inCalls /= ranks;
    overlap.waiting /= ranks;
    return overlap;
}

}  // namespace

std::optional<double> Overlap::share() const {
    if (!alone || alone->count() == 0 || isAlone()) return std::nullopt;
    return ratio(hidden(), *alone);
}

std::vector<Overlap> overlapsOf(const traces::Recording& recording, std::span<const Instance> instances) {
    if (std::ranges::all_of(instances, [](const Instance& instance) { return instance.completing.empty(); })) return {};
    const MpiRegions regions{recording};
    const LocationsOfRanks locations = locationsOfRanks(recording);
    std::map<engine::Rank, MpiCalls> calls;
    std::vector<Overlap> overlaps;
    std::map<Alike, std::vector<Picoseconds>> alone;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const Instance& instance = instances[i];
        if (!instance.isCollective() || instance.isAmongNeighbours() || !allRecorded(instance)) continue;
        if (instance.completing.empty()) {
            alone[alike(instance)].push_back(timeOfBlocking(instance));
            continue;
        }
        auto overlap = overlapOf(instance, calls, recording, regions, locations);
        if (!overlap) continue;
        overlap->instance = i;
        if (overlap->isAlone()) alone[alike(instance)].push_back(overlap->exposed());
        overlaps.push_back(*overlap);
    }
    for (Overlap& overlap : overlaps)
        if (const auto found = alone.find(alike(instances[overlap.instance])); found != alone.end())
            overlap.alone = engine::median(found->second);
    return overlaps;
}

OverlapSum sumOf(const std::vector<Overlap>& overlaps) {
    OverlapSum sum;
    Picoseconds between{};
    for (const Overlap& overlap : overlaps) {
        if (!overlap.share()) continue;
        ++sum.calls;
        sum.alone += *overlap.alone;
        sum.hidden += *overlap.alone - overlap.exposed();
        between += overlap.between;
    }
    sum.hidden = std::clamp(sum.hidden, Picoseconds{}, between);
    return sum;
}

std::string overlapInWords(const std::vector<Overlap>& overlaps) {
    Picoseconds inCalls{}, waiting{}, between{};
    for (const Overlap& one : overlaps) {
        inCalls += one.inCalls;
        waiting += one.waiting;
        between += one.between;
    }
    if (overlaps.empty()) return {};
    const auto calls = static_cast<std::int64_t>(overlaps.size());
    std::string words =
        engine::text(" ", calls == 1 ? "The call is" : engine::text("These ", counted(calls), " calls are"),
                     " nonblocking. Per call, a rank spent ", engine::showTime(inCalls / calls),
                     " in the calls that start and complete it, ", engine::showTime(waiting / calls),
                     " of this waiting for late ranks. Between them, ", engine::showTime(between / calls), " passed.");
    if (const OverlapSum sum = sumOf(overlaps); sum.calls > 0)
        words +=
            engine::text(" Work in between hid ", percent(ratio(sum.hidden, sum.alone)),
                         " of the time that such a call takes alone, ", engine::showTime(sum.alone / sum.calls), ".");
    return words;
}

}  // namespace app::analysis
