// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/program/iterations_by_collective.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/format/cell_format.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>

namespace app::analysis {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using traces::Participant;
using traces::Recording;
using traces::TimeSpan;

namespace {

constexpr std::size_t fewestTurns = 3;
constexpr double sameMostly = 0.6;

using MetKind = std::tuple<std::int32_t, traces::Operation, Rank, Bytes>;

const Participant* participantOf(const Recording& recording, const traces::Collective& collective, Rank rank) {
    const auto parts = recording.collectives.of(collective);
    const auto at = std::lower_bound(parts.begin(), parts.end(), rank,
                                     [](const Participant& one, Rank wanted) { return one.rank < wanted; });
    return at != parts.end() && at->rank == rank ? &*at : nullptr;
}

/// A collective in which all ranks took part.
struct Met {
    const traces::Collective* collective = nullptr;
    MetKind kind;
    Picoseconds end{};  ///< on the first rank
};

std::vector<Met> metBy(const Recording& recording, const std::vector<Rank>& ranks, bool withBytes) {
    std::vector<Met> all;
    for (const traces::Collective& collective : recording.collectives.instances) {
        if (!isCommunication(collective.operation) || !collective.ordered) continue;
        const bool met = std::all_of(ranks.begin(), ranks.end(), [&](Rank rank) {
            const Participant* part = participantOf(recording, collective, rank);
            return part != nullptr && !part->nonBlocking;
        });
        if (!met) continue;
        Bytes bytes = 0;
        if (withBytes)
            for (const Participant& part : recording.collectives.of(collective)) bytes += part.sent + part.received;
        all.push_back({&collective,
                       {collective.communicator, collective.operation, collective.root, bytes},
                       participantOf(recording, collective, ranks.front())->end});
    }
    std::stable_sort(all.begin(), all.end(), [](const Met& a, const Met& b) { return a.end < b.end; });
    return all;
}

/// Of the time from the first of `kind` to its last: the largest part between two of them with the same ones between.
double sameShare(const std::vector<Met>& all, const MetKind& kind) {
    std::map<std::vector<MetKind>, Picoseconds> times;
    std::vector<MetKind> between;
    const Met* former = nullptr;
    Picoseconds sum{};
    for (const Met& one : all) {
        if (one.kind != kind) {
            between.push_back(one.kind);
            continue;
        }
        if (former != nullptr) times[between] += one.end - former->end, sum += one.end - former->end;
        former = &one;
        between.clear();
    }
    Picoseconds most{};
    for (const auto& [kinds, time] : times) most = std::max(most, time);
    return ratio(most, sum);
}

/// Those of the kind that repeats.
std::vector<const traces::Collective*> repeated(const Recording& recording, const std::vector<Met>& all) {
    std::map<MetKind, std::vector<const Met*>> kinds;
    for (const Met& one : all) kinds[one.kind].push_back(&one);
    const TimeSpan span = traces::communicationOf(recording);
    const std::vector<const Met*>* chosen = nullptr;
    for (const auto& [kind, its] : kinds) {
        if (its.size() < fewestTurns || (chosen != nullptr && its.size() <= chosen->size())) continue;
        if (its.back()->end - its.front()->end < (span.end - span.begin) / 2) continue;
        if (sameShare(all, kind) >= sameMostly) chosen = &its;
    }
    std::vector<const traces::Collective*> collectives;
    if (chosen != nullptr)
        for (const Met* one : *chosen) collectives.push_back(one->collective);
    return collectives;
}

/// Its MPI calls, in the order of their starts.
std::vector<TimeSpan> callsOf(const Recording& recording, Rank rank) {
    std::vector<TimeSpan> calls;
    const std::int32_t location = recording.locationOf(rank);
    if (location == traces::noIndex) return calls;
    const traces::States& states = recording.states[engine::asSize(location)];
    for (std::size_t i = 0; i < states.size(); ++i)
        if (isMpiCall(recording.regions[engine::asSize(states.region[i])]))
            calls.push_back({states.begin[i], states.end[i]});
    return calls;
}

/// When the call before `time` ended; `time` itself where there is none.
Picoseconds endBefore(const std::vector<TimeSpan>& calls, Picoseconds time) {
    const auto next = std::ranges::lower_bound(calls, time, {}, &TimeSpan::begin);
    return next == calls.begin() ? time : std::min(time, std::prev(next)->end);
}

}  // namespace

std::vector<Turns> collectiveTurns(const Recording& recording, const std::vector<Rank>& ranks) {
    std::vector<Turns> turns;
    if (ranks.size() < 2) return turns;
    for (const bool withBytes : {true, false}) {
        const std::vector<Met> all = metBy(recording, ranks, withBytes);
        const std::vector<const traces::Collective*> marks = repeated(recording, all);
        for (const Rank rank : ranks) {
            if (marks.empty()) break;
            const std::vector<TimeSpan> calls = callsOf(recording, rank);
            Turns& its = turns.emplace_back();
            for (const traces::Collective* mark : marks) {
                const Participant& part = *participantOf(recording, *mark, rank);
                const Picoseconds begin = its.spans.empty() ? endBefore(calls, part.begin) : its.spans.back().end;
                const auto first = std::ranges::lower_bound(calls, begin, {}, &TimeSpan::begin);
                its.add({begin, part.end}, first == calls.end() ? part.begin : std::min(first->begin, part.begin));
            }
        }
        if (!turns.empty()) break;
    }
    return turns;
}

}  // namespace app::analysis
