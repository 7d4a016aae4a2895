// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/trace/rank_time_breakdown.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Picoseconds;

RankTimeBreakdown& RankTimeBreakdown::operator+=(const RankTimeBreakdown& other) {
    notYetEntered += other.notYetEntered;
    busy += other.busy;
    noCommunication += other.noCommunication;
    finishedEarly += other.finishedEarly;
    return *this;
}

namespace {

/// How long a message of a split-phase call comes into the memory of a rank that has not come itself.
std::vector<Picoseconds> busyBefore(const engine::Run& run, const std::vector<Picoseconds>& arrived,
                                    traces::TimeSpan within) {
    std::vector<std::vector<traces::TimeSpan>> taken(arrived.size());
    const engine::Messages& m = run.messages;
    for (std::size_t i = 0; i < m.size(); ++i) {
        const std::size_t to = m.to()[i].index();
        const traces::TimeSpan span{std::max(m.receiveBegin()[i], within.begin),
                                    std::min({m.receiveEnd()[i], within.end, arrived[to]})};
        if (span.begin < span.end) taken[to].push_back(span);
    }
    std::vector<Picoseconds> all(arrived.size());
    for (std::size_t rank = 0; rank < taken.size(); ++rank) {
        std::sort(taken[rank].begin(), taken[rank].end(),
                  [](const auto& a, const auto& b) { return a.begin < b.begin; });
        Picoseconds until{};
        for (const traces::TimeSpan& span : taken[rank]) {
            all[rank] += std::max(Picoseconds{}, span.end - std::max(span.begin, until));
            until = std::max(until, span.end);
        }
    }
    return all;
}

}  // namespace

std::vector<RankTimeBreakdown> rankTimeBreakdownsOf(const engine::Run& run, std::span<const engine::RankTimes> ranks,
                                                    traces::TimeSpan within) {
    std::vector<Picoseconds> arrived = arrivalTimes(run);
    arrived.resize(ranks.size());
    const bool anyLate = std::any_of(arrived.begin(), arrived.end(), [&](Picoseconds at) { return at > within.begin; });
    const std::vector<Picoseconds> before =
        anyLate ? busyBefore(run, arrived, within) : std::vector<Picoseconds>(ranks.size());
    std::vector<RankTimeBreakdown> all;
    all.reserve(ranks.size());
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        const engine::RankTimes& times = ranks[rank];
        RankTimeBreakdown its{{}, times.busy, times.noCommunication, times.finishedEarly};
        // Who has no part in any message would have been done from the first moment on.
        Picoseconds& still =
            times.busy + times.noCommunication > Picoseconds{} ? its.noCommunication : its.finishedEarly;
        its.notYetEntered = std::clamp(arrived[rank] - within.begin - before[rank], Picoseconds{}, still);
        still -= its.notYetEntered;
        all.push_back(its);
    }
    return all;
}

std::vector<RankTimeBreakdown> rankTimeBreakdownsOf(const engine::Run& run) {
    return rankTimeBreakdownsOf(run, run.perRank, {{}, run.duration});
}

RankTimeBreakdown totalRankTimeBreakdown(const engine::Run& run) {
    RankTimeBreakdown all;
    for (const RankTimeBreakdown& its : rankTimeBreakdownsOf(run)) all += its;
    return all;
}

std::string idleInParts(const engine::Run& run) {
    const RankTimeBreakdown times = totalRankTimeBreakdown(run);
    const double all = static_cast<double>(run.duration.count()) * static_cast<double>(std::max(run.ranks, 1));
    const auto share = [&](Picoseconds time) { return percent(all > 0 ? static_cast<double>(time.count()) / all : 0); };
    return engine::text(times.notYetEntered.count() > 0 ? share(times.notYetEntered) + " not yet entered, " : "",
                        share(times.noCommunication), idleMeansWaiting(run) ? " waiting, " : " no communication, ",
                        share(times.finishedEarly), " finished early");
}

}  // namespace app::analysis
