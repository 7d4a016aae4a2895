// SPDX-License-Identifier: BSD-3-Clause
// The algorithms for a ring: proved by the verifier, compared with golden vectors, and followed block by block by a
// second, independent check.
#include "engine/base/text.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/proofs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace engine {
namespace {

using support::halfduplex;
using Settings = std::map<std::string, std::string>;

/// What goes wrong when blocks are moved one by one as the turns say; empty when nothing does. Knows nothing of the
/// verifier: every message must be one block, held by its sender, between neighbours, one per port.
std::string followBlocks(const Plan& plan, std::int32_t blocks) {
    const Facts& facts = plan.schedule->facts();
    const std::int32_t n = facts.ranks;
    const Bytes each = plan.problem.layout.total() / blocks;
    std::vector<std::set<Bytes>> held(static_cast<std::size_t>(n));
    const Bytes perSender = blocks / plan.problem.groupA;
    for (Bytes b = 0; b < blocks; ++b) held[static_cast<std::size_t>(b / perSender)].insert(b);
    for (Round round{0}; round.value < facts.rounds; ++round) {
        std::map<std::pair<std::int32_t, std::int32_t>, Bytes> sent;
        std::map<std::pair<std::int32_t, std::int32_t>, Bytes> received;
        std::set<std::int32_t> targets;
        for (Rank rank{0}; rank.value < n; ++rank) {
            Turn turn;
            plan.schedule->turn(rank, round, turn);
            if (turn.sends().size() > 1 || turn.receives().size() > 1) return text(round, ": ports of ", rank);
            for (const Message& message : turn.sends()) {
                const Range range = turn.ranges(message)[0];
                const std::int32_t apart = std::abs(message.peer.value - rank.value);
                if (apart != 1 && apart != n - 1) return text(round, ": ", rank, " sends past a neighbour");
                if (range.size() != each || range.begin % each != 0) return text(round, ": no whole block");
                if (held[rank.index()].count(range.begin / each) == 0)
                    return text(round, ": ", rank, " lacks ", range.begin / each);
                if (!targets.insert(message.peer.value).second) return text(round, ": two come to ", message.peer);
                sent[{rank.value, message.peer.value}] = range.begin / each;
            }
            for (const Message& message : turn.receives())
                received[{message.peer.value, rank.value}] = turn.ranges(message)[0].begin / each;
        }
        if (sent != received) return text(round, ": ends disagree");
        for (const auto& [ends, block] : sent) held[static_cast<std::size_t>(ends.second)].insert(block);
    }
    for (std::int32_t r = plan.problem.groupA; r < plan.problem.ranks(); ++r)
        if (held[static_cast<std::size_t>(r)].size() != static_cast<std::size_t>(blocks)) return text(r, " lacks some");
    return {};
}

TEST(RingStreams, AreProvedAndAsLongAsStated) {
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= 24; ++q) {
            const Verdict verdict = support::proved(support::planOf("ring-streams", halfduplex(p, q)));
            EXPECT_EQ(verdict.rounds, (p + 1) / 2 * 2 + (q + 1) / 2) << p << ' ' << q;
        }
    for (const auto& [p, q] : {std::pair{58, 58}, {58, 62}, {40, 62}, {62, 58}, {62, 4}, {4, 62}, {57, 61}, {61, 40}})
        support::proved(support::planOf("ring-streams", halfduplex(p, q, 1)));
}

TEST(RingStreams, HaveOneDummyPerOddGroup) {
    EXPECT_EQ(support::planOf("ring-streams", halfduplex(4, 6)).schedule->facts().ranks, 10);
    EXPECT_EQ(support::planOf("ring-streams", halfduplex(3, 6)).schedule->facts().ranks, 10);
    EXPECT_EQ(support::planOf("ring-streams", halfduplex(3, 5)).schedule->facts().ranks, 10);
}

TEST(RingStreams, AgreeWithGoldenVectors) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "s1_ring/corrected")) {
        const Verdict verdict = support::proved(
            support::planOf("ring-streams", halfduplex(golden["params"]["p"], golden["params"]["q"], 1)));
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << golden["params"];
        EXPECT_EQ(verdict.messages, golden["volume"]) << golden["params"];
    }
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "s1_ring_dummy/end")) {
        const Verdict verdict = support::proved(
            support::planOf("ring-streams", halfduplex(golden["params"]["p"], golden["params"]["q"], 1)));
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << golden["params"];
    }
}

TEST(RingStreams, MoveBlocksAsTheyShould) {
    for (std::int32_t p = 1; p <= 14; ++p)
        for (std::int32_t q = 1; q <= 20; ++q)
            EXPECT_EQ(followBlocks(support::planOf("ring-streams", halfduplex(p, q)), p), "") << p << ' ' << q;
}

TEST(RingBelts, AreProvedAndMeetTheBound) {
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= 24; ++q) {
            const Verdict verdict = support::proved(support::planOf("ring-belts", halfduplex(p, q)));
            EXPECT_EQ(verdict.rounds, p + (q + 1) / 2 - 1 + (p == 1 && q % 2 == 0 ? 1 : 0)) << p << ' ' << q;
        }
    for (const auto& [p, q] : {std::pair{58, 61}, {61, 58}, {3, 96}, {5, 90}, {1, 62}, {2, 99}})
        support::proved(support::planOf("ring-belts", halfduplex(p, q, 1)));
}

TEST(RingBelts, AreProvedWithSegments) {
    for (const std::int32_t g : {2, 3, 4, 7, 12})
        for (std::int32_t p = 1; p <= 9; ++p)
            for (std::int32_t q = 1; q <= 17; ++q)
                for (const Bytes each : {12, 5}) {
                    const Verdict verdict =
                        support::proved(support::planOf("ring-belts", halfduplex(p, q, each), {{"segments", text(g)}}));
                    const bool oneWay = p == 1 && q % 2 == 0;  // the only sender can start one way only
                    const std::int32_t rounds = p * g + (q + 1) / 2 - 1 + (oneWay ? 1 : 0);
                    EXPECT_EQ(verdict.rounds, oneWay && 2 * g > q ? std::min(2 * g + 1, g + q - 1) : rounds)
                        << p << ' ' << q << ' ' << g;
                }
}

TEST(RingBelts, AgreeWithGoldenVectors) {
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "ring_belts")) {
        const Bytes g = golden["g"];
        const Verdict verdict = support::proved(support::planOf(
            "ring-belts", halfduplex(golden["params"]["p"], golden["params"]["q"], g), {{"segments", text(g)}}));
        EXPECT_EQ(verdict.rounds, golden["rounds"]) << golden["params"];
        EXPECT_EQ(verdict.messages, golden["volume"]) << golden["params"];
        EXPECT_EQ(verdict.lockstep.volume, golden["tw_sync"]) << golden["params"];
    }
}

TEST(RingBelts, MoveBlocksAsTheyShould) {
    for (std::int32_t p = 1; p <= 14; ++p)
        for (std::int32_t q = 1; q <= 20; ++q)
            for (const std::int32_t g : {1, 3, 6})
                EXPECT_EQ(followBlocks(support::planOf("ring-belts", halfduplex(p, q), {{"segments", text(g)}}), p * g),
                          "")
                    << p << ' ' << q << ' ' << g;
}

TEST(RingIntragroup, IsProvedAndAgreesWithGoldenVectors) {
    for (std::int32_t p = 1; p <= 24; ++p)
        for (std::int32_t q = 1; q <= 24; ++q) support::proved(support::planOf("ring-intragroup", halfduplex(p, q)));
    for (const auto& golden : support::goldenCases("golden-intergroup.json", "s1_ring_allgather"))
        EXPECT_EQ(support::proved(
                      support::planOf("ring-intragroup", halfduplex(golden["params"]["p"], golden["params"]["q"])))
                      .rounds,
                  golden["rounds"]);
}

}  // namespace
}  // namespace engine
