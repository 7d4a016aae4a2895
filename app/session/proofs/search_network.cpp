// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/search_network.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace app {
namespace {

using engine::asSize;
using engine::LinkId;
using engine::Rank;
using engine::Rate;

/// Links side by side, in one direction.
struct Bundle {
    std::vector<LinkId> links;
    std::int32_t number = 0;
};

using Ends = std::pair<std::int32_t, std::int32_t>;

/// The slowest link that says its speed.
std::optional<Rate> slowestOf(const emulation::Network& network) {
    std::optional<Rate> slowest;
    for (std::int32_t link = 0; link < network.links(); ++link)
        if (const auto quality = network.quality(LinkId{link}); quality && (!slowest || *slowest < quality->beta))
            slowest = quality->beta;
    return slowest;
}

std::int32_t lanesOf(const emulation::Network& network, const Bundle& bundle, std::optional<Rate> slowest) {
    constexpr std::int64_t most = 1 << 10;
    std::int64_t lanes = 0;
    for (const LinkId link : bundle.links) {
        const auto quality = network.quality(link);
        const std::int64_t own = quality ? quality->beta.femtosecondsPerByte : 0;
        const std::int64_t slow = slowest ? slowest->femtosecondsPerByte : 0;
        lanes += own == 0 ? 1 : std::clamp<std::int64_t>((slow + own / 2) / own, 1, most);
    }
    return static_cast<std::int32_t>(std::min(lanes, most));
}

/// Whether one message can use all lanes, and they are as fast as the slowest link each.
bool isExact(const emulation::Network& network, const Bundle& bundle, std::int32_t lanes, std::optional<Rate> slowest) {
    const auto quality = network.quality(bundle.links.front());
    return bundle.links.size() == 1 &&
           (quality ? quality->beta.femtosecondsPerByte * lanes == slowest->femtosecondsPerByte : !slowest);
}

}  // namespace

NetworkFabric fabricOf(const emulation::Network& network, int ports, std::int32_t most) {
    const std::int32_t ranks = network.ranks();
    if (ranks > most)
        throw engine::Error{
            engine::text(engine::field::ranks, ": a search takes at most ", most, " ranks, but there are ", ranks)};
    NetworkFabric made;
    engine::synthesis::Fabric& fabric = made.fabric;
    fabric.ranks = ranks;
    fabric.ports = ports == 0 && network.links() == 0 ? 1 : ports;
    made.lane = slowestOf(network);
    engine::synthesis::LaneGraph& graph = made.graph;
    graph.ranks = graph.nodes = ranks;
    std::map<Ends, Bundle> bundles;
    for (std::int32_t link = 0; link < network.links(); ++link) {
        const emulation::LinkEnds ends = network.ends(LinkId{link});
        bundles[{ends.from, ends.to}].links.emplace_back(link);
    }
    for (auto& [ends, bundle] : bundles) {
        bundle.number = static_cast<std::int32_t>(fabric.lanes.size());
        fabric.lanes.push_back(lanesOf(network, bundle, made.lane));
        graph.edges.push_back({ends.first, ends.second, fabric.lanes.back()});
        graph.nodes = std::max({graph.nodes, ends.first + 1, ends.second + 1});
        made.exact = made.exact && isExact(network, bundle, fabric.lanes.back(), made.lane);
    }
    std::vector<LinkId> way;
    for (std::int32_t from = 0; from < ranks; ++from)
        for (std::int32_t to = 0; to < ranks; ++to) {
            if (from == to) continue;
            way.clear();
            network.route(Rank{from}, Rank{to}, way);
            engine::synthesis::Channel channel{from, to, {}};
            bool direct = true;
            for (const LinkId link : way) {
                const emulation::LinkEnds ends = network.ends(link);
                channel.links.push_back(bundles.at({ends.from, ends.to}).number);
                direct = direct && (ends.to == to || ends.to >= ranks);
            }
            made.neighboursOnly = made.neighboursOnly || !direct;
            if (!direct) continue;
            if (way.empty()) {  // nobody else is on this way
                channel.links.push_back(static_cast<std::int32_t>(fabric.lanes.size()));
                fabric.lanes.push_back(1);
                if (network.links() > 0) {
                    graph.edges.push_back({from, to, 1});
                    made.exact = made.exact && !made.lane;
                }
            }
            made.apart = made.apart && channel.links.size() == 1;
            fabric.channels.push_back(std::move(channel));
        }
    if (network.links() == 0 && fabric.ports > 1) {
        // A pair of ranks has one lane. Circulants with jump 1 have as many disjoint ways between ranks as jumps, which
        // are powers here, so that trees stay flat.
        std::int32_t last = 0;
        for (int port = 0; port < fabric.ports && last + 1 < ranks; ++port) {
            const auto power = static_cast<std::int32_t>(std::pow(ranks, static_cast<double>(port) / fabric.ports));
            last = std::max(last + 1, power);
            for (std::int32_t rank = 0; rank < ranks; ++rank) graph.edges.push_back({rank, (rank + last) % ranks, 1});
        }
    } else if (network.links() == 0) {  // all through one switch
        for (std::int32_t rank = 0; rank < ranks; ++rank) {
            graph.edges.push_back({rank, ranks, 1});
            graph.edges.push_back({ranks, rank, 1});
        }
        ++graph.nodes;
    }
    return made;
}

engine::synthesis::Fabric serialized(engine::synthesis::Fabric fabric) {
    fabric.lanes.assign(fabric.channels.size(), 1);
    for (std::size_t i = 0; i < fabric.channels.size(); ++i) fabric.channels[i].links = {static_cast<std::int32_t>(i)};
    return fabric;
}

}  // namespace app
