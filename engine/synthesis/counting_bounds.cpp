// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/counting_bounds.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace engine::synthesis {
namespace {

constexpr std::int32_t mostForAllSets = 14;  // ranks

/// Chunks that the network can carry into `set` in one round.
class Entrance {
public:
    explicit Entrance(const Fabric& fabric)
        : fabric_{fabric}, out_(asSize(fabric.ranks)), in_(out_.size()), seen_(fabric.lanes.size(), -1) {
        if (fabric.ports == 0) return;
        std::vector<std::vector<std::int64_t>> out(out_.size());
        std::vector<std::vector<std::int64_t>> in(in_.size());
        for (const Channel& channel : fabric.channels) {
            std::int64_t width = fabric.lanes[asSize(channel.links.front())];
            for (const std::int32_t link : channel.links)
                width = std::min<std::int64_t>(width, fabric.lanes[asSize(link)]);
            out[asSize(channel.from)].push_back(width);
            in[asSize(channel.to)].push_back(width);
        }
        for (std::size_t rank = 0; rank < out_.size(); ++rank)
            out_[rank] = widest(out[rank]), in_[rank] = widest(in[rank]);
    }

    std::int64_t into(const std::vector<bool>& set) {
        std::int64_t width = std::min(through(set, true), through(set, false));
        if (fabric_.ports == 0) return width;
        std::int64_t out = 0;
        std::int64_t in = 0;
        for (std::size_t rank = 0; rank < set.size(); ++rank)
            (set[rank] ? in : out) += set[rank] ? in_[rank] : out_[rank];
        return std::min({width, out, in});
    }

private:
    /// Through the ports of one rank.
    [[nodiscard]] std::int64_t widest(std::vector<std::int64_t>& widths) const {
        std::sort(widths.begin(), widths.end(), std::greater<>{});
        const std::size_t ports = std::min(widths.size(), asSize(fabric_.ports));
        return std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(ports), std::int64_t{0});
    }
    /// Lanes of the first, or last, links of all channels that lead into the set; each link counts once.
    std::int64_t through(const std::vector<bool>& set, bool first) {
        ++mark_;
        std::int64_t lanes = 0;
        for (const Channel& channel : fabric_.channels) {
            if (set[asSize(channel.from)] || !set[asSize(channel.to)]) continue;
            const auto link = asSize(first ? channel.links.front() : channel.links.back());
            if (seen_[link] == mark_) continue;
            seen_[link] = mark_;
            lanes += fabric_.lanes[link];
        }
        return lanes;
    }

    const Fabric& fabric_;
    std::vector<std::int64_t> out_;
    std::vector<std::int64_t> in_;
    std::vector<std::int64_t> seen_;
    std::int64_t mark_ = 0;
};

/// What the rank with the most ways out can reach.
struct Fan {
    std::int64_t lanes = 0;  ///< of its first links
    std::int64_t ranks = 0;  ///< through its ports
};

Fan widestFan(const Fabric& fabric) {
    std::vector<std::set<std::int32_t>> links(asSize(fabric.ranks));
    std::vector<std::int64_t> ways(links.size());
    for (const Channel& channel : fabric.channels) {
        links[asSize(channel.from)].insert(channel.links.front());
        ++ways[asSize(channel.from)];
    }
    Fan widest;
    for (std::size_t rank = 0; rank < links.size(); ++rank) {
        std::int64_t lanes = 0;
        for (const std::int32_t link : links[rank]) lanes += fabric.lanes[asSize(link)];
        widest.lanes = std::max(widest.lanes, lanes);
        widest.ranks = std::max(widest.ranks, ways[rank]);
    }
    if (fabric.ports > 0) widest.ranks = std::min<std::int64_t>(widest.ranks, fabric.ports);
    return widest;
}

/// Ranks that need a chunk which starts elsewhere: the most of all chunks.
std::int64_t mostReceivers(const std::vector<Chunk>& chunks) {
    std::int64_t most = 0;
    for (const Chunk& chunk : chunks) {
        const auto needed = std::count(chunk.needed.begin(), chunk.needed.end(), true);
        most = std::max<std::int64_t>(most, needed - (chunk.needed[asSize(chunk.owner)] ? 1 : 0));
    }
    return most;
}

}  // namespace

std::vector<std::vector<std::int32_t>> distances(const Fabric& fabric) {
    const auto ranks = asSize(fabric.ranks);
    std::vector<std::vector<std::int32_t>> next(ranks);
    for (const Channel& channel : fabric.channels) next[asSize(channel.from)].push_back(channel.to);
    std::vector<std::vector<std::int32_t>> all(ranks, std::vector<std::int32_t>(ranks, -1));
    for (std::size_t from = 0; from < ranks; ++from) {
        std::vector<std::int32_t> reached{static_cast<std::int32_t>(from)};
        all[from][from] = 0;
        for (std::size_t i = 0; i < reached.size(); ++i)
            for (const std::int32_t to : next[asSize(reached[i])])
                if (all[from][asSize(to)] < 0) {
                    all[from][asSize(to)] = all[from][asSize(reached[i])] + 1;
                    reached.push_back(to);
                }
    }
    return all;
}

std::int32_t fewestStepsTo(const std::vector<std::vector<std::int32_t>>& distances, const Chunk& chunk,
                           std::int32_t rank) {
    std::int32_t nearest = -1;
    for (std::size_t from = 0; from < distances.size(); ++from)
        if (const std::int32_t way = distances[from][asSize(rank)];
            chunk.isHeld(static_cast<std::int32_t>(from)) && way >= 0 && (nearest < 0 || way < nearest))
            nearest = way;
    return nearest;
}

std::optional<std::int32_t> fewestSteps(const Fabric& fabric, const std::vector<Chunk>& chunks) {
    const std::vector<std::vector<std::int32_t>> far = distances(fabric);
    std::int32_t steps = 0;
    for (const Chunk& chunk : chunks)
        for (std::int32_t rank = 0; rank < fabric.ranks; ++rank) {
            if (!chunk.needed[asSize(rank)]) continue;
            const std::int32_t way = fewestStepsTo(far, chunk, rank);
            if (way < 0) return std::nullopt;
            steps = std::max(steps, way);
        }
    const std::int64_t fan = widestFan(fabric).ranks;
    const std::int64_t receivers = mostReceivers(chunks);
    std::int32_t doublings = 0;
    for (std::int64_t know = 1; know <= receivers; know *= fan + 1) ++doublings;
    return std::max(steps, doublings);
}

std::int32_t fewestRounds(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps) {
    const Fan fan = widestFan(fabric);
    const std::int64_t receivers = mostReceivers(chunks);
    const auto most = static_cast<std::int32_t>(steps * std::max<std::int64_t>(fan.ranks, 1));
    for (std::int32_t rounds = steps; rounds < most; ++rounds) {
        // Most ranks hold the chunk where the rounds are shared evenly, since 1 + min(rounds lanes, ranks) is
        // logarithmically concave.
        std::int64_t know = 1;
        for (std::int32_t step = 0; step < steps && know <= receivers; ++step)
            know *= 1 + std::min((rounds + step) / steps * fan.lanes, fan.ranks);
        if (know > receivers) return rounds;
    }
    return most;
}

Load heaviestLoad(const Fabric& fabric, const std::vector<Chunk>& chunks) {
    const auto ranks = asSize(fabric.ranks);
    Entrance entrance{fabric};
    Load most;
    const auto consider = [&](const std::vector<bool>& set, std::int64_t enter) {
        if (enter == 0) return;
        const std::int64_t width = entrance.into(set);
        if (width > 0 && enter * most.width > most.chunks * width) most = {enter, width};
    };
    if (fabric.ranks <= mostForAllSets) {
        for (std::uint32_t bits = 1; bits + 1 < std::uint32_t{1} << fabric.ranks; ++bits) {
            std::vector<bool> set(ranks);
            for (std::size_t rank = 0; rank < ranks; ++rank) set[rank] = (bits >> rank & 1) != 0;
            consider(set, std::count_if(chunks.begin(), chunks.end(), [&](const Chunk& chunk) {
                         if (set[asSize(chunk.owner)]) return false;
                         for (std::size_t rank = 0; rank < ranks; ++rank)
                             if (set[rank] && chunk.needed[rank]) return true;
                         return false;
                     }));
        }
        return most;
    }
    std::vector<std::int64_t> into(ranks);
    std::vector<std::int64_t> outOf(ranks);
    for (const Chunk& chunk : chunks) {
        bool leaves = false;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (!chunk.needed[rank] || rank == asSize(chunk.owner)) continue;
            ++into[rank];
            leaves = true;
        }
        if (leaves) ++outOf[asSize(chunk.owner)];
    }
    for (std::size_t rank = 0; rank < ranks; ++rank)
        for (const bool alone : {true, false}) {
            std::vector<bool> set(ranks, !alone);
            set[rank] = alone;
            consider(set, alone ? into[rank] : outOf[rank]);
        }
    return most;
}

}  // namespace engine::synthesis
