// SPDX-License-Identifier: BSD-3-Clause
#include "traces/clocks/clock_ends.hpp"

#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>

namespace traces {

namespace {

/// The time of one clock by the time of another one: t + by + gain (t - pivot).
struct Line {
    long double by = 0;    ///< ps
    long double gain = 0;  ///< ps per ps
    long double pivot = 0;

    [[nodiscard]] long double operator()(long double time) const { return time + by + gain * (time - pivot); }
    [[nodiscard]] Line inverse() const { return {-by, -gain / (1 + gain), (*this)(pivot)}; }
    /// First `before`, then this.
    [[nodiscard]] Line after(const Line& before) const {
        const long double time = before.pivot;
        return {(*this)(before(time)) - time, (1 + gain) * (1 + before.gain) - 1, time};
    }
};

/// Of an end on two ranks.
struct EndOfTwo {
    std::int64_t time = 0;   ///< on the first rank
    std::int64_t ahead = 0;  ///< of it the other one
};

/// The time of the rank that has this edge by that of `to`.
struct Edge {
    std::size_t to = 0;
    Line line;
    std::int64_t spread = 0;  ///< ps: half the interquartile range of what the line does not explain
};

std::int64_t spreadOf(std::vector<std::int64_t> all) {
    std::sort(all.begin(), all.end());
    const std::size_t n = all.size();
    return (all[(3 * n) / 4 < n ? (3 * n) / 4 : n - 1] - all[n / 4] + 1) / 2;
}

/// The median slope between ends of the first and of the second half. 0 if there are few ends, if the slope does not
/// halve the spread, or if the drift over the time of the ends may be noise.
double gainOf(const std::vector<EndOfTwo>& ends, std::int64_t pivot) {
    constexpr std::size_t few = 8;
    constexpr double most = 2e-4;  // crystals are right within 1e-4
    constexpr double beyondNoise = 12;
    if (ends.size() < few) return 0;
    std::vector<double> slopes;
    for (std::size_t i = 0, half = ends.size() / 2; i + half < ends.size(); ++i)
        if (const std::int64_t apart = ends[i + half].time - ends[i].time; apart > 0)
            slopes.push_back(static_cast<double>(ends[i + half].ahead - ends[i].ahead) / static_cast<double>(apart));
    if (slopes.empty()) return 0;
    std::nth_element(slopes.begin(), slopes.begin() + static_cast<std::ptrdiff_t>(slopes.size() / 2), slopes.end());
    const double slope = std::clamp(slopes[slopes.size() / 2], -most, most);
    std::vector<std::int64_t> without, with;
    for (const EndOfTwo& one : ends) {
        without.push_back(one.ahead);
        with.push_back(one.ahead - std::llround(slope * static_cast<double>(one.time - pivot)));
    }
    const std::int64_t spread = spreadOf(std::move(with));
    const double drift = std::abs(slope) * static_cast<double>(ends.back().time - ends.front().time);
    return 2 * spread < spreadOf(std::move(without)) && drift > beyondNoise * static_cast<double>(spread) ? slope : 0;
}

Edge edgeOf(std::size_t to, std::vector<EndOfTwo> ends) {
    std::sort(ends.begin(), ends.end(), [](const EndOfTwo& a, const EndOfTwo& b) { return a.time < b.time; });
    const std::int64_t pivot = ends[ends.size() / 2].time;
    const double gain = gainOf(ends, pivot);
    std::vector<std::int64_t> ahead;
    for (const EndOfTwo& one : ends)
        ahead.push_back(one.ahead - std::llround(gain * static_cast<double>(one.time - pivot)));
    const Line line{static_cast<long double>(engine::median(ahead)), gain, static_cast<long double>(pivot)};
    return {to, line.inverse(), spreadOf(std::move(ahead))};
}

}  // namespace

ClockFit fitClocksByEnds(const Recording& recording) {
    const auto ranks = engine::asSize(recording.ranks);
    ClockFit fit{std::vector<ClockLine>(ranks), std::vector<bool>(ranks), std::vector<Picoseconds>(ranks), 0, true};
    std::map<std::pair<std::size_t, std::size_t>, std::vector<EndOfTwo>> differences;
    for (const Collective& instance : recording.collectives.instances) {
        const auto parts = recording.collectives.of(instance);
        if (!joinsAll(instance.operation) || parts.size() < 2) continue;
        for (std::size_t k = 1; k < parts.size(); ++k)
            differences[{parts[0].rank.index(), parts[k].rank.index()}].push_back(
                {parts[0].end.count(), (parts[k].end - parts[0].end).count()});
    }
    std::vector<std::vector<Edge>> edges(ranks);
    for (auto& [pair, its] : differences) {
        fit.constraints += static_cast<std::int64_t>(its.size());
        const Edge edge = edgeOf(pair.second, std::move(its));
        edges[pair.first].push_back(edge);
        edges[pair.second].push_back({pair.first, edge.line.inverse(), edge.spread});
    }
    // The surest ways from the first rank of each part that is connected.
    constexpr std::int64_t far = std::numeric_limits<std::int64_t>::max();
    std::vector<std::int64_t> sure(ranks, far);
    std::vector<Line> lines(ranks);  // the time of the first rank by that of a rank
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
            const Line& its = lines[rank];
            fit.byRank[rank] = {Picoseconds{std::llround(its(0))}, static_cast<double>(its.gain)};
            fit.slack[rank] = Picoseconds{slack};
            for (const Edge& edge : edges[rank])
                // One more picosecond each: of two ways that are as sure the shorter one.
                if (slack + edge.spread + 1 < sure[edge.to]) {
                    sure[edge.to] = slack + edge.spread + 1;
                    lines[edge.to] = lines[rank].after(edge.line);
                    next.emplace(sure[edge.to], edge.to);
                }
        }
    }
    return fit;
}

ClockFit fitClocksOf(const Recording& recording, const MemoryBudget& memory) {
    return isTraining(recording) ? fitClocksByEnds(recording) : fitClocks(recording, memory);
}

std::string describe(const ClockFit& fit, const Recording& recording) {
    constexpr Picoseconds little{20'000'000};
    const auto& parts = recording.collectives.participants;
    if (parts.empty()) return {};
    const auto [begin, end] = std::ranges::minmax(parts, {}, &Participant::end);
    Picoseconds most{};
    for (std::size_t rank = 0; rank < fit.byRank.size(); ++rank) {
        const Picoseconds first = fit.byRank[rank](begin.end) - begin.end, last = fit.byRank[rank](end.end) - end.end;
        const Picoseconds off = std::max({first, -first, last, -last});
        if (off > std::max(little, 4 * fit.slack[rank])) most = std::max(most, off);
    }
    if (most.count() == 0) return {};
    return engine::text("clocks of ranks do not agree: collectives end up to ", engine::showTime(most), " apart");
}

}  // namespace traces
