// SPDX-License-Identifier: BSD-3-Clause
// Loads added up along lines, beside loads added up link by link.
#include "emulation/networks/grid_link_loads.hpp"

#include "emulation/networks/congestion.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace emulation {
namespace {

using engine::Bytes;
using engine::Round;

struct Sent {
    Rank from;
    Rank to;
    Bytes bytes;
};

std::vector<Sent> randomMessages(std::mt19937& random, std::int32_t ranks, int count) {
    std::vector<Sent> messages;
    const auto below = [&](std::int32_t n) { return static_cast<std::int32_t>(random() % static_cast<unsigned>(n)); };
    for (int i = 0; i < count; ++i) messages.push_back({Rank{below(ranks)}, Rank{below(ranks)}, below(4) * 100});
    return messages;
}

class EveryGrid : public testing::TestWithParam<std::pair<const char*, int>> {};

TEST_P(EveryGrid, addsUpAlongLinesAsLinkByLink) {
    const auto& [name, ranks] = GetParam();
    const NetworkPtr network = makeNetwork(name, ranks);
    ASSERT_NE(network->lines(), nullptr);
    constexpr int rounds = 20;
    LinkTally slow{*network, rounds};
    LinkTally fast{*network, rounds, LinkTally::Asked::routes};
    std::mt19937 random{20261122};
    for (Round round{0}; round.value < rounds; ++round) {
        const auto messages = randomMessages(random, ranks, static_cast<int>(round.value) * 7);
        for (const Sent& sent : messages) {
            slow.add(sent.from, sent.to, sent.bytes);
            fast.add(sent.from, sent.to, sent.bytes);
        }
        slow.settle();
        fast.settle();
        for (std::size_t i = 0; i < messages.size(); ++i)
            ASSERT_EQ(fast.busiest(i, messages[i].from, messages[i].to),
                      slow.busiest(i, messages[i].from, messages[i].to));
        slow.closeRound(round);
        fast.closeRound(round);
    }
    EXPECT_EQ(fast.finish(), slow.finish());
}

TEST_P(EveryGrid, crossesEachLinkOfARouteOnce) {
    const auto& [name, ranks] = GetParam();
    const NetworkPtr network = makeNetwork(name, ranks);
    const auto lines = network->lines();
    std::mt19937 random{7};
    for (const Sent& sent : randomMessages(random, ranks, 300)) {
        std::vector<LinkId> route;
        network->route(sent.from, sent.to, route);
        std::vector<LinkId> ofRuns;
        lines->eachRun(sent.from, sent.to, [&](const Lines::Run& run) {
            EXPECT_EQ(run.begin, lines->beginOf(run.line));
            for (std::int32_t hop = 0; hop < run.hops; ++hop)
                ofRuns.push_back(lines->linkAt(run.begin + (run.first + hop) % run.length));
        });
        std::sort(route.begin(), route.end());
        std::sort(ofRuns.begin(), ofRuns.end());
        ASSERT_EQ(ofRuns, route) << name << " from " << sent.from.value << " to " << sent.to.value;
    }
}

INSTANTIATE_TEST_SUITE_P(Lines, EveryGrid,
                         testing::Values(std::pair{"ring", 1}, std::pair{"ring", 2}, std::pair{"ring", 7},
                                         std::pair{"ring", 1500}, std::pair{"torus:4x4", 16},
                                         std::pair{"torus:2x3x5", 30}, std::pair{"torus:1x6", 6},
                                         std::pair{"torus:4x8x4,ties=simgrid", 128}, std::pair{"torus:2x700", 1400},
                                         std::pair{"mesh:5x4", 20}, std::pair{"mesh:2x3x4", 24},
                                         std::pair{"mesh:1x9", 9}, std::pair{"mesh:900x2", 1800}),
                         [](const auto& tested) {
                             std::string text = tested.param.first;
                             for (char& c : text)
                                 if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                             return text + "_on_" + std::to_string(tested.param.second);
                         });

TEST(Lines, areNotKnownWhereRoutesAreNoRuns) {
    EXPECT_EQ(makeNetwork("full", 8)->lines(), nullptr);
    EXPECT_EQ(makeNetwork("hypercube:3", 8)->lines(), nullptr);
    EXPECT_EQ(makeNetwork("ring placement=random:3", 8)->lines(), nullptr);
}

}  // namespace
}  // namespace emulation
