// SPDX-License-Identifier: BSD-3-Clause
// A schedule that is repeated over pieces: as early as its ports allow, and refused where it is too large.
#include "engine/base/error.hpp"
#include "engine/schedule_files/stored_schedule.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace engine::schedules {
namespace {

constexpr Bytes vector = 1 << 20;

/// A bcast whose messages carry everything; who holds it is not looked at.
Stored broadcast(std::int32_t ranks, std::int64_t rounds, const std::vector<StoredMessage>& messages) {
    Stored stored{.problem = {.collective = Collective::bcast, .groupA = ranks},
                  .facts = {.ranks = ranks, .rounds = rounds},
                  .messages = messages,
                  .ranges = {{0, vector}}};
    stored.problem.layout = Layout::regular(1, vector);
    for (StoredMessage& one : stored.messages) one.bytes = vector, one.rangeCount = 1;
    return stored;
}

/// The most messages that a rank sends, or receives, in one round.
int portsOf(const Stored& stored) {
    std::map<std::tuple<Rank, bool, std::int64_t>, int> load;
    int most = 0;
    for (const StoredMessage& one : stored.messages) {
        most = std::max(most, ++load[{one.from, true, one.round.value}]);
        most = std::max(most, ++load[{one.to, false, one.round.value}]);
    }
    return most;
}

TEST(Pieces, beginAsEarlyAsPortsAllow) {
    std::mt19937 random{5};
    const auto number = [&](int low, int high) { return std::uniform_int_distribution{low, high}(random); };
    for (int i = 0; i < 200; ++i) {
        const int rounds = number(2, 12);
        std::vector<StoredMessage> messages;
        for (int m = number(1, 12); m > 0; --m) {
            const int from = number(0, 3);
            messages.push_back({.round = Round{number(0, rounds - 1)}, .from = Rank{from}, .to = Rank{(from + 1) % 4}});
        }
        Stored stored = broadcast(4, rounds, messages);
        stored.facts.ports = portsOf(stored);
        // So many pieces that all of them overlap, one every `stride` rounds.
        constexpr int pieces = 32;
        int stride = 1;
        for (; stride < rounds; ++stride) {
            Stored folded = stored;
            for (int k = 1; k < pieces; ++k)
                for (StoredMessage one : stored.messages) {
                    one.round.value += std::int64_t{k} * stride;
                    folded.messages.push_back(one);
                }
            if (portsOf(folded) <= stored.facts.ports) break;
        }
        EXPECT_EQ(inPieces(stored, pieces)->facts().rounds, rounds + std::int64_t{stride} * (pieces - 1)) << i;
    }
}

// Only what a turn has is worked out, so that many pieces are made at once.
TEST(Pieces, takeNoMemoryEach) {
    Stored stored = broadcast(2, 1, {{.from = Rank{0}, .to = Rank{1}}});
    stored.problem.layout = Layout::regular(1, Bytes{1} << 40);
    stored.ranges = {{0, Bytes{1} << 40}};
    stored.messages.front().rangeCount = 1;
    stored.messages.front().bytes = Bytes{1} << 40;
    constexpr std::int64_t pieces = std::int64_t{1} << 26;
    const SchedulePtr schedule = inPieces(stored, pieces);
    EXPECT_EQ(schedule->facts().rounds, pieces);
    Turn turn;
    schedule->turn(Rank{0}, Round{pieces - 1}, turn);
    ASSERT_EQ(turn.sends().size(), 1U);
    EXPECT_EQ(turn.ranges(turn.sends().front()).front(), (Range{(Bytes{1} << 40) - (Bytes{1} << 14), Bytes{1} << 40}));
    EXPECT_THROW(inPieces(stored, pieces * 8), Error) << "too many rounds";
}

TEST(Pieces, areNoMoreThanBytes) {
    Stored stored = broadcast(2, 1, {{.from = Rank{0}, .to = Rank{1}}});
    stored.ranges = {{0, 3}};
    const SchedulePtr made = inPieces(stored, 8);
    EXPECT_EQ(made->facts().rounds, 3);
    Turn turn;
    for (Round round{0}; round.value < 3; ++round) {
        made->turn(Rank{0}, round, turn);
        ASSERT_EQ(turn.sends().size(), 1U);
        EXPECT_EQ(turn.sends().front().bytes, 1);
    }
    ASSERT_FALSE(made->facts().remarks.empty());
    EXPECT_NE(made->facts().remarks.back().find("8 pieces were requested"), std::string::npos);
}

}  // namespace
}  // namespace engine::schedules
