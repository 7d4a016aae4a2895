// SPDX-License-Identifier: BSD-3-Clause
// Minimum-delay fit as difference constraints. A message says: offset of the receiver - offset of the sender is at
// least sendBegin - receiveEnd. A collective is a meeting: everyone it depends on entered before it, everyone who
// depends on it left after it. Offsets that respect all of this are the potentials of a graph; the smallest and the
// largest of them seen from rank 0 come from longest paths, and half way between them shortest delays are alike both
// ways.
#include "traces/clocks/clock_evidence.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/index/index_location.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace traces {
namespace {

using reading::Growing;
using reading::Storage;
using reading::Values;

/// offset[to] - offset[from] >= weight.
struct Edge {
    std::uint32_t from;
    std::uint32_t to;
    std::int64_t weight;
};

/// Sums of many times overflow 64 bits.
using Potential = __int128;
constexpr Potential unreached = -(Potential{1} << 120);
using Potentials = Values<Potential>;  // by node

template <class T>
Values<T> filled(std::size_t count, T value, Storage& storage) {
    Values<T> values{count, &storage};
    std::fill(values.begin(), values.end(), value);
    return values;
}

class Graph {
public:
    /// The first `ranks` nodes are ranks, the others meetings.
    Graph(std::size_t nodes, std::size_t ranks, const Growing<Edge>& edges, Storage& storage)
        : ranks_{ranks},
          start_{filled<std::size_t>(nodes + 2, 0, storage)},
          back_{filled<std::size_t>(nodes + 2, 0, storage)},
          out_{edges.size(), &storage},
          in_{edges.size(), &storage},
          queue_{nodes, &storage},
          queued_(nodes) {
        for (const Edge& edge : edges) ++start_[edge.from + 2], ++back_[edge.to + 2];
        for (std::size_t i = 2; i < start_.size(); ++i) start_[i] += start_[i - 1], back_[i] += back_[i - 1];
        for (const Edge& edge : edges) {
            out_[start_[edge.from + 1]++] = {edge.to, edge.weight};
            in_[back_[edge.to + 1]++] = {edge.from, edge.weight};
        }
    }

    [[nodiscard]] std::size_t size() const { return queue_.size(); }

    /// Raises potentials until every edge out of a reached node is respected; false when they rise for ever.
    [[nodiscard]] bool raise(Potentials& potential) { return settle(potential, start_, out_); }
    /// The same against the direction of the edges: potentials are then minus the largest that respect them.
    [[nodiscard]] bool raiseBackwards(Potentials& potential) { return settle(potential, back_, in_); }

private:
    struct Half {
        std::uint32_t node;
        std::int64_t weight;
    };

    bool settle(Potentials& potential, const Values<std::size_t>& start, const Values<Half>& edges) {
        // A ring: no node is in it twice.
        std::size_t first = 0, count = 0;
        const auto push = [&](std::uint32_t node) {
            if (queued_[node]) return;
            queued_[node] = true;
            queue_[(first + count++) % size()] = node;
        };
        std::fill(queued_.begin(), queued_.end(), false);
        for (std::uint32_t node = 0; node < size(); ++node)
            if (potential[node] > unreached) push(node);
        // Every pass over the queue fixes the nodes one step further away from where paths start. A path meets every
        // rank once, and meetings lie between ranks.
        for (std::size_t pass = 0; pass <= 2 * ranks_ + 1 && count > 0; ++pass)
            for (std::size_t left = count; left > 0; --left) {
                const std::uint32_t node = queue_[first];
                first = (first + 1) % size();
                --count;
                queued_[node] = false;
                for (std::size_t e = start[node]; e < start[node + 1]; ++e) {
                    const auto [to, weight] = edges[e];
                    if (potential[node] + weight <= potential[to]) continue;
                    potential[to] = potential[node] + weight;
                    push(to);
                }
            }
        return count == 0;
    }

    std::size_t ranks_;
    Values<std::size_t> start_, back_;  ///< of the edges of a node, and behind the last one
    Values<Half> out_, in_;
    Values<std::uint32_t> queue_;
    std::vector<bool> queued_;
};

/// What holds in [begin, end) of the senders' (the entering ranks') time.
Growing<Edge> constraintsOf(const Recording& recording, const std::vector<ClockLine>& lines, Picoseconds begin,
                            Picoseconds end, std::size_t& nodes, Storage& storage) {
    const auto at = [&](Rank rank, Picoseconds time) { return lines[rank.index()](time).count(); };
    const auto node = [](Rank rank) { return static_cast<std::uint32_t>(rank.value); };
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::int64_t> pairs;
    const auto add = [&](const Messages& messages) {
        for (std::size_t i = 0; i < messages.size(); ++i) {
            if ((messages.flags[i] & flag::receiveInferred) != 0 || messages.from[i] == messages.to[i] ||
                messages.sendBegin[i] < begin || messages.sendBegin[i] >= end)
                continue;
            const std::int64_t weight =
                at(messages.from[i], messages.sendBegin[i]) - at(messages.to[i], messages.receiveEnd[i]);
            const auto [entry, isNew] = pairs.try_emplace({node(messages.from[i]), node(messages.to[i])}, weight);
            if (!isNew) entry->second = std::max(entry->second, weight);
        }
    };
    add(recording.messages);
    add(recording.library.messages);
    Growing<Edge> edges{&storage};
    for (const auto& [pair, weight] : pairs) edges.push_back({pair.first, pair.second, weight});
    nodes = engine::asSize(recording.ranks);
    for (const Collective& instance : recording.collectives.instances) {
        const auto parts = recording.collectives.of(instance);
        if (!tellsOfClocks(recording, instance) || parts.front().begin < begin || parts.front().begin >= end) continue;
        const auto meeting = static_cast<std::uint32_t>(nodes++);
        for (const Participant& part : parts) {
            const Dependence its = dependenceOf(instance, part);
            if (its.source) edges.push_back({node(part.rank), meeting, at(part.rank, part.begin)});
            if (its.sink) edges.push_back({meeting, node(part.rank), -at(part.rank, part.end)});
        }
    }
    return edges;
}

struct Offsets {
    std::vector<std::int64_t> byRank;
    std::vector<bool> tied;
    std::vector<std::int64_t> slack;
    bool consistent = true;
};

/// Potentials half way between the smallest and the largest. Ranks that are bound to rank 0 in one direction alone, or
/// not at all, take the bound nearest to their own clock.
Offsets solve(std::size_t nodes, std::size_t ranks, const Growing<Edge>& edges, Storage& storage) {
    Offsets result{std::vector<std::int64_t>(ranks), std::vector<bool>(ranks), std::vector<std::int64_t>(ranks), true};
    if (ranks == 0) return result;
    Graph graph{nodes, ranks, edges, storage};
    Potentials low = filled(nodes, unreached, storage), high = filled(nodes, unreached, storage);
    low[0] = high[0] = 0;
    result.consistent = graph.raise(low) && graph.raiseBackwards(high);
    if (!result.consistent) return result;
    // Both bounds at once: these nodes stay where they are, the others go round them.
    Potentials potential = filled(nodes, unreached, storage), below = filled(nodes, unreached, storage);
    std::vector<bool> tied(nodes);
    for (std::size_t i = 0; i < nodes; ++i) {
        tied[i] = low[i] > unreached && high[i] > unreached;
        if (tied[i]) {
            const Potential sum = low[i] - high[i];
            potential[i] = sum >= 0 ? sum / 2 : -((1 - sum) / 2);
            below[i] = -potential[i];
        }
    }
    result.consistent = graph.raiseBackwards(below);
    for (std::size_t i = 0; i < nodes; ++i)
        if (!tied[i] && below[i] > unreached) potential[i] = i < ranks ? std::min<Potential>(-below[i], 0) : -below[i];
    for (std::size_t i = 0; i < ranks; ++i)
        if (potential[i] == unreached) potential[i] = 0;
    result.consistent = graph.raise(potential) && result.consistent;
    constexpr Potential most = Potential{1} << 60;
    for (std::size_t i = 0; i < ranks; ++i) {
        if (potential[i] > most || potential[i] < -most) result.consistent = false;
        else result.byRank[i] = static_cast<std::int64_t>(potential[i]);
        result.tied[i] = tied[i];
        // Half of what lies between the smallest and the largest.
        if (tied[i])
            result.slack[i] = static_cast<std::int64_t>(std::min<Potential>((-high[i] - low[i] + 1) / 2, most));
    }
    return result;
}

std::optional<Offsets> offsetsWithin(const Recording& recording, const std::vector<ClockLine>& lines, Picoseconds begin,
                                     Picoseconds end, Storage& storage, std::size_t* count = nullptr) {
    std::size_t nodes = 0;
    const Growing<Edge> edges = constraintsOf(recording, lines, begin, end, nodes, storage);
    if (count != nullptr) *count = edges.size();
    Offsets offsets = solve(nodes, lines.size(), edges, storage);
    if (!offsets.consistent) return std::nullopt;
    return offsets;
}

/// Straight lines through the offsets of equal windows of time, as least squares; nothing where there are too few.
std::vector<double> driftsOf(const Recording& recording, Storage& storage) {
    constexpr std::int64_t windows = 16;
    constexpr double most = 0.01;
    const std::size_t ranks = engine::asSize(recording.ranks);
    const std::vector<ClockLine> none(ranks);
    struct Sums {
        double n = 0, t = 0, o = 0, tt = 0, to = 0;
    };
    std::vector<Sums> sums(ranks);
    for (std::int64_t w = 0; w < windows; ++w) {
        const Picoseconds begin = recording.duration / windows * w, end = recording.duration / windows * (w + 1);
        const auto offsets = offsetsWithin(recording, none, begin, end, storage);
        if (!offsets) continue;
        const double middle = static_cast<double>((begin + end).count()) / 2;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (!offsets->tied[rank]) continue;
            const auto offset = static_cast<double>(offsets->byRank[rank]);
            Sums& s = sums[rank];
            s.n += 1, s.t += middle, s.o += offset, s.tt += middle * middle, s.to += middle * offset;
        }
    }
    std::vector<double> drifts(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const Sums& s = sums[rank];
        const double spread = s.n * s.tt - s.t * s.t;
        if (s.n >= 2 && spread > 0) drifts[rank] = std::clamp((s.n * s.to - s.t * s.o) / spread, -most, most);
    }
    return drifts;
}

}  // namespace

ClockFit fitClocks(const Recording& recording, const MemoryBudget& memory) {
    Storage storage = roomBeside(recording, memory);
    const auto ranks = engine::asSize(recording.ranks);
    ClockFit fit{std::vector<ClockLine>(ranks), std::vector<bool>(ranks), std::vector<Picoseconds>(ranks), 0, true};
    std::size_t constraints = 0;
    auto offsets = offsetsWithin(recording, fit.byRank, Picoseconds::min(), Picoseconds::max(), storage, &constraints);
    fit.constraints = static_cast<std::int64_t>(constraints);
    if (!offsets) {
        const std::vector<double> drifts = driftsOf(recording, storage);
        for (std::size_t rank = 0; rank < ranks; ++rank) fit.byRank[rank].drift = drifts[rank];
        offsets = offsetsWithin(recording, fit.byRank, Picoseconds::min(), Picoseconds::max(), storage);
    }
    if (!offsets) {
        fit.consistent = false;
        return fit;
    }
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        fit.byRank[rank].offset = Picoseconds{offsets->byRank[rank]};
        fit.tied[rank] = offsets->tied[rank];
        fit.slack[rank] = Picoseconds{offsets->slack[rank]};
    }
    return fit;
}

}  // namespace traces
