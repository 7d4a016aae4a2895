// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/spreading.hpp"

#include "engine/synthesis/counting_bounds.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <random>
#include <tuple>

namespace engine::synthesis {
namespace {

/// What is still free in one round.
class RoundOfLanes {
public:
    explicit RoundOfLanes(const Fabric& fabric)
        : fabric_{fabric}, sends_(asSize(fabric.ranks)), receives_(asSize(fabric.ranks)) {}

    void begin() {
        lanes_ = fabric_.lanes;
        std::fill(sends_.begin(), sends_.end(), 0);
        std::fill(receives_.begin(), receives_.end(), 0);
        used_.assign(fabric_.channels.size(), false);
    }
    [[nodiscard]] bool isFree(std::size_t at) const {
        const Channel& channel = fabric_.channels[at];
        if (fabric_.ports > 0 && !used_[at] &&
            (sends_[asSize(channel.from)] == fabric_.ports || receives_[asSize(channel.to)] == fabric_.ports))
            return false;
        return std::all_of(channel.links.begin(), channel.links.end(),
                           [&](std::int32_t link) { return lanes_[asSize(link)] > 0; });
    }
    void take(std::size_t at) {
        const Channel& channel = fabric_.channels[at];
        for (const std::int32_t link : channel.links) --lanes_[asSize(link)];
        if (used_[at]) return;
        used_[at] = true;
        ++sends_[asSize(channel.from)];
        ++receives_[asSize(channel.to)];
    }

private:
    const Fabric& fabric_;
    std::vector<std::int32_t> lanes_;
    std::vector<int> sends_;
    std::vector<int> receives_;
    std::vector<bool> used_;
};

Found foundOf(std::vector<Send> sends, std::int32_t rounds) {
    std::sort(sends.begin(), sends.end());
    return {.rounds = rounds, .inStep = std::vector<std::int32_t>(asSize(rounds), 1), .sends = std::move(sends)};
}

}  // namespace

LaneGraph directOf(const Fabric& fabric) {
    LaneGraph direct{.ranks = fabric.ranks, .nodes = fabric.ranks};
    for (const Channel& channel : fabric.channels) {
        std::int32_t width = std::numeric_limits<std::int32_t>::max();
        for (const std::int32_t link : channel.links) width = std::min(width, fabric.lanes[asSize(link)]);
        direct.edges.push_back({channel.from, channel.to, width});
    }
    return direct;
}

std::optional<Found> alongTrees(const Fabric& fabric, const std::vector<Chunk>& chunks, const std::vector<Tree>& trees,
                                const Poll& poll) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> channels;
    for (std::size_t i = 0; i < fabric.channels.size(); ++i)
        channels[{fabric.channels[i].from, fabric.channels[i].to}] = i;
    std::map<std::int32_t, std::vector<const Tree*>> ofRoot;
    for (const Tree& tree : trees)
        for (std::int64_t i = 0; i < tree.count; ++i) ofRoot[tree.root].push_back(&tree);
    /// One chunk through one channel, and how many channels follow one another after it.
    struct Job {
        std::int32_t height = 0;
        std::int32_t chunk = 0;
        std::size_t channel = 0;
    };
    const auto later = [](const Job& a, const Job& b) {
        return std::tuple{-a.height, a.chunk, a.channel} > std::tuple{-b.height, b.chunk, b.channel};
    };
    std::priority_queue<Job, std::vector<Job>, decltype(later)> ready{later};
    std::vector<std::map<std::int32_t, std::vector<Job>>> next(chunks.size());  // by the rank that they start from
    std::map<std::int32_t, std::size_t> taken;
    std::size_t left = 0;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        const std::int32_t owner = chunks[c].owner;
        const std::vector<const Tree*>& own = ofRoot[owner];
        if (poll) poll();
        const Tree& tree = *own.at(taken[owner]++ % own.size());
        std::map<std::int32_t, std::int32_t> heights;
        for (auto edge = tree.edges.rbegin(); edge != tree.edges.rend(); ++edge) {
            const std::int32_t height = heights[edge->second];
            heights[edge->first] = std::max(heights[edge->first], height + 1);
            const auto channel = channels.find(*edge);
            if (channel == channels.end()) return std::nullopt;
            next[c][edge->first].push_back({height, static_cast<std::int32_t>(c), channel->second});
            ++left;
        }
        for (const Job& job : next[c][owner]) ready.push(job);
    }
    std::vector<Send> sends;
    RoundOfLanes free{fabric};
    std::int32_t round = 0;
    for (; left > 0; ++round) {
        if (poll) poll();
        free.begin();
        std::vector<Job> wait;
        std::vector<Job> arrived;
        for (; !ready.empty(); ready.pop()) {
            if (poll) poll();
            const Job& job = ready.top();
            if (!free.isFree(job.channel)) {
                wait.push_back(job);
                continue;
            }
            free.take(job.channel);
            const Channel& channel = fabric.channels[job.channel];
            sends.push_back({round, channel.from, channel.to, job.chunk});
            arrived.push_back(job);
            --left;
        }
        for (const Job& job : wait) ready.push(job);
        for (const Job& job : arrived)
            for (const Job& each : next[asSize(job.chunk)][fabric.channels[job.channel].to]) ready.push(each);
    }
    return foundOf(std::move(sends), round);
}

std::optional<Found> greedily(const Fabric& fabric, const std::vector<Chunk>& chunks, std::uint32_t seed,
                              std::int32_t most, const Poll& poll) {
    const std::vector<std::vector<std::int32_t>> far = distances(fabric);
    const auto ranks = asSize(fabric.ranks);
    std::mt19937 random{seed};
    std::vector<std::vector<bool>> has(chunks.size(), std::vector<bool>(ranks));
    std::vector<std::int32_t> holders(chunks.size(), 1);
    std::vector<std::int64_t> lacking(ranks);
    std::vector<std::int64_t> width(ranks);
    std::int64_t left = 0;
    for (std::size_t c = 0; c < chunks.size(); ++c) {
        has[c][asSize(chunks[c].owner)] = true;
        for (std::size_t rank = 0; rank < ranks; ++rank)
            if (chunks[c].needed[rank] && !has[c][rank]) ++lacking[rank], ++left;
    }
    for (const Channel& channel : fabric.channels)
        width[asSize(channel.to)] += fabric.lanes[asSize(channel.links.back())];
    /// How far a chunk is from the nearest rank that still needs it.
    const auto missing = [&](std::size_t chunk, std::int32_t rank) {
        std::int32_t nearest = -1;
        for (std::size_t to = 0; to < ranks; ++to)
            if (const std::int32_t way = far[asSize(rank)][to];
                chunks[chunk].needed[to] && !has[chunk][to] && way >= 0 && (nearest < 0 || way < nearest))
                nearest = way;
        return nearest;
    };
    std::vector<std::size_t> order(fabric.channels.size());
    std::vector<std::int32_t> priority(chunks.size());
    RoundOfLanes free{fabric};
    std::vector<Send> sends;
    std::int32_t round = 0;
    for (; left > 0; ++round) {
        if (round == most) return std::nullopt;
        free.begin();
        const std::vector<std::vector<bool>> before = has;
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random);
        // Whoever lacks most for its links can wait least.
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const auto x = asSize(fabric.channels[a].to);
            const auto y = asSize(fabric.channels[b].to);
            return lacking[x] * width[y] > lacking[y] * width[x];
        });
        for (std::int32_t& each : priority) each = static_cast<std::int32_t>(random() >> 1U);
        bool sent = false;
        for (const std::size_t at : order)
            while (free.isFree(at)) {
                if (poll) poll();
                const Channel& channel = fabric.channels[at];
                const auto to = asSize(channel.to);
                std::optional<std::size_t> best;
                std::tuple<bool, std::int32_t, std::int32_t> bestKey;
                for (std::size_t c = 0; c < chunks.size(); ++c) {
                    if (!before[c][asSize(channel.from)] || has[c][to]) continue;
                    const bool relayed = !chunks[c].needed[to];
                    std::int32_t nearness = holders[c];
                    if (relayed) {
                        if (poll) poll();
                        nearness = missing(c, channel.to);
                        if (nearness < 0) continue;
                        bool nearer = true;
                        for (std::size_t rank = 0; rank < ranks && nearer; ++rank)
                            if (has[c][rank]) nearer = missing(c, static_cast<std::int32_t>(rank)) > nearness;
                        if (!nearer) continue;
                    }
                    const std::tuple key{relayed, nearness, priority[c]};
                    if (!best || key < bestKey) best = c, bestKey = key;
                }
                if (!best) break;
                free.take(at);
                has[*best][to] = true;
                ++holders[*best];
                if (chunks[*best].needed[to]) --lacking[to], --left;
                sends.push_back({round, channel.from, channel.to, static_cast<std::int32_t>(*best)});
                sent = true;
            }
        if (!sent) return std::nullopt;
    }
    return foundOf(std::move(sends), round);
}

}  // namespace engine::synthesis
