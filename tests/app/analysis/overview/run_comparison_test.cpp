// SPDX-License-Identifier: BSD-3-Clause
// Who is faster and why: what is said adds up to the difference.
#include "app/analysis/overview/run_comparison.hpp"

#include "tests/support/problems.hpp"
#include "tests/support/traced.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::analysis {
namespace {

using samples::ran;

TEST(Winner, saysWhatTheFasterDoesLessOf) {
    const Report streams = ran("halfduplex-allgather/ring-streams", support::halfduplex(4, 6, 65536)).report;
    const Report belts = ran("halfduplex-allgather/ring-belts", support::halfduplex(4, 6, 65536)).report;
    EXPECT_EQ(
        winInWords(winnerOf(streams, belts), "streams", "belts"),
        "belts is 1.17x faster than streams: 163 us instead of 191 us. It has 64 KiB fewer serialized bytes (saves 26.2 us), 1 fewer round "
        "(saves 1 us), 30 instead of 37 messages, 6 instead of 12 messages within group A and 0 instead of 1 block received "
        "twice.");
    EXPECT_TRUE(winnerOf(streams, belts).second);
    EXPECT_FALSE(winnerOf(belts, streams).second);
    EXPECT_EQ(winnerOf(belts, streams).because, winnerOf(streams, belts).because) << "whoever is named first";
}

TEST(Winner, saysWhatTheFasterPaysForIt) {
    const Winner winner = winnerOf(ran("bcast/chain", support::bcast(8, 0, 65536)).report,
                                   ran("bcast/scatter-ring-allgather", support::bcast(8, 0, 65536)).report);
    ASSERT_FALSE(winner.because.empty());
    const bool though = std::any_of(winner.because.begin(), winner.because.end(),
                                    [](const std::string& why) { return why.starts_with("though "); });
    EXPECT_TRUE(though) << "it has more messages";
}

Report ranOn(const std::string& algorithm, const char* network) {
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed(algorithm), support::halfduplex(4, 6, 65536), {});
    const auto made = emulation::makeNetwork(network, plan.schedule->facts().ranks);
    return reportOn(std::make_shared<const engine::Run>(emulation::emulate(plan, *made, {}).run));
}

/// Algorithms have networks of their own: faster on another one is another thing.
TEST(Winner, saysWhereTheNetworksDiffer) {
    const Report ring = ranOn("halfduplex-allgather/ring-streams", "ring");
    const Report torus = ranOn("halfduplex-allgather/torus-belts", "torus:5x2");
    EXPECT_TRUE(
        winInWords(winnerOf(ring, torus), "ring", "torus").ends_with(". Their networks differ: ring and torus:5x2."));
    EXPECT_TRUE(winnerOf(ring, ranOn("halfduplex-allgather/torus-belts", "ring")).networks.empty());
}

TEST(Winner, hasNoReasonWhereNobodyWins) {
    const Report report = ran("bcast/binomial-tree", support::bcast(8)).report;
    const Winner winner = winnerOf(report, report);
    EXPECT_EQ(winner.by.count(), 0);
    EXPECT_TRUE(winner.because.empty());
    EXPECT_EQ(winInWords(winner, "a", "b"), "a and b take the same time.");
}

}  // namespace
}  // namespace app::analysis
