// SPDX-License-Identifier: BSD-3-Clause
// No run of any algorithm is below its bounds: startups, volume and time, on networks of all kinds, over neighbours or
// not, marching in step or not, on one port and two, whatever is dear.
#include "app/session/session.hpp"
#include "engine/base/text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <random>

namespace app {
namespace {

using engine::Picoseconds;
using engine::Rate;

constexpr std::int64_t ranks = 6;

std::vector<RunWish> wishes(const engine::Algorithm& algorithm, const std::string& topology, bool relayed) {
    std::vector<RunWish> all;
    const std::vector<std::array<std::int64_t, 2>> costs{{1000, 1}, {100, 4}, {1, 1000}};  // ps, ps/B
    for (const int ports : {1, 2})
        for (std::size_t i = 0; i < costs.size(); ++i) {
            const auto [alpha, beta] = costs[i];
            RunWish wish{.algorithm = algorithm.id, .network = {.topology = topology, .neighboursOnly = relayed}};
            if (isIntergroup(algorithm.collective)) wish.problem.groupA = 2, wish.problem.groupB = 4;
            else wish.problem.ranks = ranks;
            wish.problem.size = 48;
            wish.problem.ports = ports;
            wish.model.alpha = Picoseconds{alpha};
            wish.model.beta = Rate{beta * 1000};
            // In turn, another one for each port: all would take long.
            const std::size_t how = (i + static_cast<std::size_t>(ports)) % costs.size();
            if (how == 1) wish.stepping = emulation::Stepping::lockstep;
            if (how == 2) wish.sharing = emulation::Sharing::fair;
            all.push_back(wish);
        }
    return all;
}

/// Each bound that is met is met by some run: raised by one, it would be false.
struct Met {
    bool startups = false;
    bool volume = false;
    bool time = false;
};

/// The algorithm's own, one of every kind, and a line.
std::vector<std::string> networks() {
    std::vector<std::string> all{"", "mesh:6"};
    for (const emulation::Topology& kind : emulation::topologies())
        if (std::string name = kind.forRanks != nullptr ? kind.forRanks(ranks) : ""; !name.empty())
            all.push_back(std::move(name));
    return all;
}

TEST(BoundsHold, forEveryAlgorithmOnEveryNetwork) {
    std::map<engine::Collective, Met> met;
    int runs = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const std::string& topology : networks())
            for (const bool relayed : {false, true})
                for (const RunWish& wish : wishes(*algorithm, topology, relayed)) {
                    Report report;
                    try {
                        report = execute(wish);
                    } catch (const engine::Error&) {
                        continue;  // not for these ranks, this network or these ports
                    }
                    ++runs;
                    const std::string where =
                        engine::text(algorithm->id, " on ", topology, relayed ? ", relayed" : "", ", ports ",
                                     wish.problem.ports, ", alpha ", wish.model.alpha.count());
                    ASSERT_TRUE(report.limits && report.timeBound()) << where;
                    ASSERT_GE(report.run->duration, *report.timeBound()) << where;
                    ASSERT_GE(report.startups(), report.limits->held().rounds.value) << where;
                    ASSERT_GE(report.busiestRank().value_or(0), report.limits->bounds.perRank) << where;
                    Met& of = met[algorithm->collective];
                    of.time = of.time || report.run->duration == *report.timeBound();
                    of.startups = of.startups || report.startups() == report.limits->held().rounds.value;
                    of.volume = of.volume || report.busiestRank() == report.limits->bounds.perRank;
                }
    EXPECT_GT(runs, 5000);
    for (const auto& [collective, of] : met) {
        if (isIntergroup(collective)) continue;  // not all of these are known to be attained
        EXPECT_TRUE(of.startups) << name(collective);
        EXPECT_TRUE(of.volume) << name(collective);
    }
    for (const engine::Collective collective :
         {engine::Collective::scatterv, engine::Collective::gatherv, engine::Collective::allgatherv,
          engine::Collective::reduceScatter, engine::Collective::alltoallv})
        EXPECT_TRUE(met[collective].time) << name(collective);
}

/// Times of messages are rounded one by one; what is lost so must not make a run faster than its bounds.
TEST(BoundsHold, whateverRoundingLoses) {
    std::mt19937 random{12};
    const auto oneOf = [&](const auto& values) { return values[random() % std::size(values)]; };
    constexpr std::array<std::int64_t, 7> rates{1, 333, 499, 123'457, 142'857, 333'333, 900'900};
    constexpr std::array<std::int64_t, 6> startups{0, 1, 7, 100, 1'000, 1'000'000};
    constexpr std::array<engine::Bytes, 7> sizes{8, 24, 64, 96, 1000, 4096, 65'536};
    int runs = 0, met = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (int trial = 0; trial < 30; ++trial) {
            RunWish wish{.algorithm = algorithm->id};
            if (isIntergroup(algorithm->collective)) {
                wish.problem.groupA = 1 + static_cast<std::int64_t>(random() % 5);
                wish.problem.groupB = 1 + static_cast<std::int64_t>(random() % 5);
            } else {
                wish.problem.ranks = 1 + static_cast<std::int64_t>(random() % 13);
            }
            if (algorithm->collective != engine::Collective::barrier) wish.problem.size = oneOf(sizes);
            if (isUneven(algorithm->collective) && trial % 3 == 1) wish.problem.sizes = "linear";
            wish.problem.ports = trial % 4 == 3 ? 2 : 1;
            wish.model.alpha = Picoseconds{oneOf(startups)};
            wish.model.beta = Rate{oneOf(rates)};
            if (trial % 2 == 1) wish.model.gamma = Rate{oneOf(rates)};
            if (trial % 5 == 4)
                wish.model.logGP = engine::LogGP{.latency = Picoseconds{oneOf(startups)},
                                                 .overhead = Picoseconds{oneOf(startups)},
                                                 .gap = Picoseconds{oneOf(startups)},
                                                 .gapPerByte = Rate{oneOf(rates)},
                                                 .overheadPerByte = Rate{oneOf(rates)}};
            else if (trial % 7 == 2) wish.sharing = emulation::Sharing::fair;
            if (trial % 6 == 3) wish.stepping = emulation::Stepping::lockstep;
            Report report;
            try {
                report = execute(wish);
            } catch (const engine::Error&) {
                continue;
            }
            ++runs;
            const std::string where =
                engine::text(algorithm->id, ' ', report.run->setting.problem, ' ', report.run->setting.model, ' ',
                             report.run->setting.sharing, ' ', report.run->setting.progress);
            if (!report.limits) continue;
            if (report.limits->anyMessages.time) {
                ASSERT_GE(report.run->duration, *report.limits->anyMessages.time) << where;
            }
            if (!report.timeBound()) continue;
            ASSERT_GE(report.run->duration, *report.timeBound()) << where;
            if (report.run->duration == *report.timeBound()) ++met;
            if (!report.gap) continue;
            Picoseconds sum{};
            for (const analysis::GapCause& cause : analysis::gapCauses) sum += (*report.gap).*cause.time;
            ASSERT_EQ(sum, report.run->duration - *report.timeBound()) << where;
        }
    EXPECT_GT(runs, 1500);
    EXPECT_GT(met, 100) << "blocks that follow each other are rounded as the run rounds them";
}

}  // namespace
}  // namespace app
