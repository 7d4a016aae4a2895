// SPDX-License-Identifier: BSD-3-Clause
#include "traces/clocks/clock_ends.hpp"

#include "engine/base/median.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
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
    std::int64_t time = 0;     ///< on the first rank
    std::int64_t ahead = 0;    ///< of it the other one
    std::int64_t shorter = 0;  ///< duration on the rank that entered later
};

/// The time of the rank that has this edge by that of `to`.
struct Edge {
    std::size_t to = 0;
    Line line;
    std::int64_t unsure = 0;  ///< ps: the line is right within so much, as long as the recording lasts
};

struct Slope {
    double value = 0;   ///< of the clocks against each other
    double unsure = 0;  ///< with it, or without if it counts as 0
};

std::int64_t spreadOf(std::vector<std::int64_t> all) {
    std::sort(all.begin(), all.end());
    const std::size_t n = all.size();
    return (all[(3 * n) / 4 < n ? (3 * n) / 4 : n - 1] - all[n / 4] + 1) / 2;
}

/// What intervals of four standard deviations are widened by if these are known from few values, as Student's
/// distribution asks.
double widened(double values) { return 1 + std::pow(11 / values, 3); }

/// How far the median of many such values may lie from that of these: four standard deviations of the rank of the
/// median among them.
double medianWithin(std::vector<std::int64_t> all) {
    std::sort(all.begin(), all.end());
    const auto n = static_cast<double>(all.size());
    const auto first = static_cast<std::size_t>(std::max(0.0, n / 2 - 2 * std::sqrt(n)));
    const auto median = static_cast<double>(engine::median(all));
    const double width =
        std::max(static_cast<double>(all[all.size() - 1 - first]) - median, median - static_cast<double>(all[first]));
    return width * (first == 0 ? widened(n) : 1);
}

/// The median slope between ends of the first and of the second half. It counts as 0 if there are few ends, if it does
/// not halve the spread, or if the drift over the time of the ends may be noise.
Slope slopeOf(const std::vector<EndOfTwo>& ends, std::int64_t pivot) {
    constexpr std::size_t few = 8;
    constexpr double most = 2e-4;  // crystals are right within 1e-4
    constexpr double beyondNoise = 12;
    if (ends.size() < few) return {};
    std::vector<double> slopes;
    for (std::size_t i = 0, half = ends.size() / 2; i + half < ends.size(); ++i)
        if (const std::int64_t apart = ends[i + half].time - ends[i].time; apart > 0)
            slopes.push_back(static_cast<double>(ends[i + half].ahead - ends[i].ahead) / static_cast<double>(apart));
    if (slopes.empty()) return {};
    const double slope = std::clamp(engine::median(slopes), -most, most);
    std::vector<std::int64_t> without, with;
    for (const EndOfTwo& one : ends) {
        without.push_back(one.ahead);
        with.push_back(one.ahead - std::llround(slope * static_cast<double>(one.time - pivot)));
    }
    const std::int64_t spread = spreadOf(std::move(with));
    // A standard deviation of the slope is 5 of the ends, which are 1.5 spreads, over the time and the root of their
    // number.
    const auto n = static_cast<double>(ends.size());
    const auto time = static_cast<double>(ends.back().time - ends.front().time);
    const double unsure = std::min(most, 4 * 5 * 1.5 * static_cast<double>(spread) / std::sqrt(n) * widened(n) / time);
    const bool counts =
        2 * spread < spreadOf(std::move(without)) && std::abs(slope) * time > beyondNoise * static_cast<double>(spread);
    return counts ? Slope{slope, unsure} : Slope{0, std::min(most, std::abs(slope) + unsure)};
}

/// `resolution`: of the times, ps.
Edge edgeOf(std::size_t to, std::vector<EndOfTwo> ends, Picoseconds duration, std::int64_t resolution) {
    std::sort(ends.begin(), ends.end(), [](const EndOfTwo& a, const EndOfTwo& b) { return a.time < b.time; });
    const std::int64_t pivot = ends[ends.size() / 2].time;
    const Slope slope = slopeOf(ends, pivot);
    std::vector<std::int64_t> ahead;
    std::int64_t shortest = std::numeric_limits<std::int64_t>::max();
    for (const EndOfTwo& one : ends) {
        ahead.push_back(one.ahead - std::llround(slope.value * static_cast<double>(one.time - pivot)));
        shortest = std::min(shortest, one.shorter);
    }
    const Line line{static_cast<long double>(engine::median(ahead)), slope.value, static_cast<long double>(pivot)};
    const double reach = static_cast<double>(std::max(pivot, duration.count() - pivot));
    // Begin and duration are rounded on both ranks. Both ranks are inside of a collective until it ends.
    const double unsure = ends.size() == 1 ? static_cast<double>(shortest)
                                           : std::min(static_cast<double>(shortest), medianWithin(std::move(ahead))) +
                                                 slope.unsure * reach + 2 * static_cast<double>(resolution);
    return {to, line.inverse(), std::llround(unsure)};
}

}  // namespace

ClockFit fitClocksByEnds(const Recording& recording) {
    const auto ranks = engine::asSize(recording.ranks);
    ClockFit fit{std::vector<ClockLine>(ranks), std::vector<bool>(ranks), std::vector<Picoseconds>(ranks), 0, true};
    std::map<std::pair<std::size_t, std::size_t>, std::vector<EndOfTwo>> differences;
    std::int64_t resolution = 0;
    for (const Collective& instance : recording.collectives.instances) {
        const auto parts = recording.collectives.of(instance);
        if (!joinsAll(instance.operation) || parts.size() < 2) continue;
        for (std::size_t k = 1; k < parts.size(); ++k)
            differences[{parts[0].rank.index(), parts[k].rank.index()}].push_back(
                {parts[0].end.count(), (parts[k].end - parts[0].end).count(),
                 std::min(parts[0].end - parts[0].begin, parts[k].end - parts[k].begin).count()});
        for (const Participant& part : parts) resolution = std::gcd(resolution, part.end.count());
    }
    std::vector<std::vector<Edge>> edges(ranks);
    for (auto& [pair, its] : differences) {
        fit.constraints += static_cast<std::int64_t>(its.size());
        const Edge edge = edgeOf(pair.second, std::move(its), recording.duration, resolution);
        edges[pair.first].push_back(edge);
        edges[pair.second].push_back({pair.first, edge.line.inverse(), edge.unsure});
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
                if (slack + edge.unsure + 1 < sure[edge.to]) {
                    sure[edge.to] = slack + edge.unsure + 1;
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

std::string noteClocksByEnds(Recording& recording) {
    const ClockFit fit = fitClocksByEnds(recording);
    recording.fittedClocks = fittedClocksOf(fit);
    return describe(fit, recording);
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
        if (off > std::max(little, fit.slack[rank])) most = std::max(most, off);
    }
    if (most.count() == 0) return {};
    return engine::text("clocks of ranks do not agree: collectives end up to ", engine::showTime(most), " apart");
}

}  // namespace traces
