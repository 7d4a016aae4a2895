// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/networks/link_counters.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "tests/support/patterns.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace emulation {
namespace {

using engine::Bytes;
using engine::Round;

struct Load {
    Bytes bytes = 0;
    std::int64_t messages = 0;

    friend bool operator==(const Load&, const Load&) = default;
};
using Loads = std::map<std::pair<Round, LinkId>, Load>;

/// As it is meant: every message, on every link of its route.
Loads slowLoads(const engine::Run& run, const Network& network) {
    Loads loads;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        std::vector<LinkId> route;
        network.route(run.messages.from()[i], run.messages.to()[i], route);
        for (const LinkId link : route) {
            Load& load = loads[{run.messages.round()[i], link}];
            load.bytes += run.messages.bytes()[i];
            ++load.messages;
        }
    }
    return loads;
}

Congestion slowCongestion(const engine::Run& run, const Network& network, const Loads& loads) {
    Congestion found;
    found.perLink.resize(static_cast<std::size_t>(network.links()));
    found.perRound.resize(static_cast<std::size_t>(run.rounds));
    for (const auto& [where, load] : loads) {
        const auto& [round, link] = where;
        found.perLink[link.index()] += load.bytes;
        LinkPeak& peak = found.perRound[round.index()];
        if (load.bytes > peak.bytes) peak = {link, load.bytes};
    }
    for (Round round{0}; round.value < run.rounds; ++round)
        if (found.perRound[round.index()].bytes > found.perRound[found.peakRound.index()].bytes)
            found.peakRound = round;
    return found;
}

TEST(LinkCounters, countEveryMessageOnEveryLinkOfItsRoute) {
    std::mt19937 random{21};
    for (int trial = 0; trial < 120; ++trial) {
        const std::string topology = std::vector<std::string>{"ring",         "torus:3x3",         "mesh:3x3",
                                                              "fat-tree:3x3", "cluster:3,ports=2", "full"}[trial % 6U];
        const NetworkPtr network = makeNetwork(topology, 9);
        const engine::Plan plan = support::planOf(support::randomSchedule(random, 9, 5, 1 + trial % 3, trial % 4));
        const Sharing sharing = trial % 5 == 0 ? Sharing::fair : Sharing::bottleneck;
        const bool fits = sharing == Sharing::bottleneck || topology != "cluster:3,ports=2";
        const Emulated ran = emulate(plan, *network, {.sharing = fits ? sharing : Sharing::bottleneck});
        const Loads loads = slowLoads(ran.run, *network);
        Loads counted;
        eachRound(ran.run, *network, [&](Round round, const LinkCounters& counters) {
            for (const LinkId link : counters.used())
                counted[{round, link}] = {counters[link].bytes, counters[link].messages};
        });
        ASSERT_EQ(counted, loads) << "trial " << trial << " on " << network->name();
        const Congestion slow = slowCongestion(ran.run, *network, loads);
        ASSERT_EQ(ran.congestion, slow) << "streamed, trial " << trial << " on " << network->name();
        ASSERT_EQ(congestion(ran.run, *network), slow) << "trial " << trial << " on " << network->name();
        for (Round round{0}; round.value < ran.run.rounds; ++round) {
            const std::vector<Bytes> dense = loadsInRound(ran.run, *network, round);
            for (LinkId link{0}; link.value < network->links(); ++link) {
                const auto found = loads.find({round, link});
                ASSERT_EQ(dense[link.index()], found == loads.end() ? 0 : found->second.bytes);
            }
        }
    }
}

}  // namespace
}  // namespace emulation
