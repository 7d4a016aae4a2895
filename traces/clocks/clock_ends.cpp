// SPDX-License-Identifier: BSD-3-Clause
#include "traces/clocks/clock_ends.hpp"

#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>

namespace traces {

namespace {

/// What the clock of `to` is ahead of that of the rank that has this edge.
struct Ahead {
    std::size_t to = 0;
    std::int64_t by = 0;      ///< ps
    std::int64_t spread = 0;  ///< ps: half the interquartile range
};

Ahead aheadOf(std::size_t to, std::vector<std::int64_t> differences) {
    std::sort(differences.begin(), differences.end());
    const std::size_t n = differences.size();
    const std::int64_t middle = n % 2 == 1 ? differences[n / 2] : (differences[n / 2 - 1] + differences[n / 2]) / 2;
    return {to, middle, (differences[(3 * n) / 4 < n ? (3 * n) / 4 : n - 1] - differences[n / 4] + 1) / 2};
}

}  // namespace

ClockFit fitClocksByEnds(const Recording& recording) {
    const auto ranks = engine::asSize(recording.ranks);
    ClockFit fit{std::vector<ClockLine>(ranks), std::vector<bool>(ranks), std::vector<Picoseconds>(ranks), 0, true};
    std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> differences;
    for (const Collective& instance : recording.collectives.instances) {
        const auto parts = recording.collectives.of(instance);
        if (!joinsAll(instance.operation) || parts.size() < 2) continue;
        for (std::size_t k = 1; k < parts.size(); ++k)
            differences[{parts[0].rank.index(), parts[k].rank.index()}].push_back(
                (parts[k].end - parts[0].end).count());
    }
    std::vector<std::vector<Ahead>> edges(ranks);
    for (auto& [pair, its] : differences) {
        fit.constraints += static_cast<std::int64_t>(its.size());
        const Ahead ahead = aheadOf(pair.second, std::move(its));
        edges[pair.first].push_back(ahead);
        edges[pair.second].push_back({pair.first, -ahead.by, ahead.spread});
    }
    // The surest ways from the first rank of each part that is connected.
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> sure(ranks, far), ahead(ranks);
    for (std::size_t first = 0; first < ranks; ++first) {
        if (sure[first] != far || edges[first].empty()) continue;
        using Reached = std::pair<std::int64_t, std::size_t>;
        std::priority_queue<Reached, std::vector<Reached>, std::greater<>> next;
        sure[first] = 0;
        next.emplace(0, first);
        while (!next.empty()) {
            const auto [slack, rank] = next.top();
            next.pop();
            if (slack > sure[rank]) continue;
            fit.tied[rank] = true;
            fit.byRank[rank].offset = Picoseconds{-ahead[rank]};
            fit.slack[rank] = Picoseconds{slack};
            for (const Ahead& edge : edges[rank])
                // One more picosecond each: of two ways that are as sure the shorter one.
                if (slack + edge.spread + 1 < sure[edge.to]) {
                    sure[edge.to] = slack + edge.spread + 1;
                    ahead[edge.to] = ahead[rank] + edge.by;
                    next.emplace(sure[edge.to], edge.to);
                }
        }
    }
    return fit;
}

ClockFit fitClocksOf(const Recording& recording, const MemoryBudget& memory) {
    return isTraining(recording) ? fitClocksByEnds(recording) : fitClocks(recording, memory);
}

std::string describe(const ClockFit& fit) {
    constexpr Picoseconds little{20'000'000};
    Picoseconds most{};
    for (std::size_t rank = 0; rank < fit.byRank.size(); ++rank) {
        const Picoseconds off = std::max(fit.byRank[rank].offset, -fit.byRank[rank].offset);
        if (off > std::max(little, 4 * fit.slack[rank])) most = std::max(most, off);
    }
    if (most.count() == 0) return {};
    return engine::text("clocks of ranks do not agree: collectives end up to ", engine::showTime(most), " apart");
}

}  // namespace traces
