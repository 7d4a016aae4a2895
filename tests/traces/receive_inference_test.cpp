// SPDX-License-Identifier: BSD-3-Clause
// What requests received whose completion was not recorded.
#include "traces/reading/matching/receive_inference.hpp"
#include "tests/traces/partners.hpp"

#include <gtest/gtest.h>

namespace traces::in_inferring {
namespace {

using namespace reading;

/// Ranks, when they meet, and when they wait.
struct Program {
    explicit Program(std::size_t count) : ranks(count), meetings(count), waits(count) {}
    Program& send(std::size_t from, int to, std::int64_t time, std::uint32_t tag = 0) {
        ranks[from].sends.push_back(
            {.begin = time, .end = time, .bytes = 8, .peer = Rank{to}, .communicator = 0, .tag = tag});
        return *this;
    }
    Program& receive(std::size_t to, int from, std::int64_t time, std::uint32_t tag = 0) {
        ranks[to].receives.push_back(
            {.begin = time, .end = time + 1, .bytes = 8, .peer = Rank{from}, .communicator = 0, .tag = tag});
        return *this;
    }
    Program& request(std::size_t to, std::int64_t time) {
        ranks[to].receives.push_back({.begin = time, .end = time, .flags = End::nonBlocking | End::open});
        return *this;
    }
    Program& wait(std::size_t rank, std::int64_t begin, std::int64_t end) {
        waits[rank].push_back({begin, end});
        return *this;
    }
    Program& meet(std::int64_t time) {
        for (auto& its : meetings) its.push_back({time, time + 1});
        return *this;
    }
    samples::Plain matched() { return samples::plain(matchInferring(ranks, meetings, waits)); }

    std::vector<RankEnds> ranks;
    CallsOfRanks meetings;
    CallsOfRanks waits;
};

using Of = std::vector<std::uint32_t>;

TEST(Inferring, givesRequestsTheSendsOfTheOnlySender) {
    Program program{2};
    program.request(1, 0).request(1, 1).wait(1, 2, 30).send(0, 1, 10, 5).send(0, 1, 11, 6);
    EXPECT_EQ(program.matched()[0], (Of{0, 1}));
    const End& first = program.ranks[1].receives[0];
    EXPECT_EQ(first.tag, 5U);
    EXPECT_EQ(first.end, 30);
    EXPECT_NE(first.flags & End::inferred, 0);
}

TEST(Inferring, tellsBlockingReceivesFromRequestsByTheMeetingsBetween) {
    // All with one tag: a request, a meeting, a receive. Without the meeting nothing would say which was first.
    Program program{2};
    program.request(1, 0).wait(1, 1, 9).send(0, 1, 5).meet(10).send(0, 1, 20).receive(1, 0, 15);
    EXPECT_EQ(program.matched()[0], (Of{0, 1}));
    EXPECT_EQ(program.ranks[1].receives[1].flags & End::inferred, 0) << "it says itself what it got";
}

TEST(Inferring, servesEachNeighbourOfAnExchangeOnceATime) {
    // 1 asks both neighbours three times, one of which is far ahead.
    Program program{3};
    for (int k = 0; k < 3; ++k) {
        program.request(1, 100 * k).request(1, 100 * k + 1).wait(1, 100 * k + 2, 100 * k + 50);
        program.send(0, 1, k).send(2, 1, 100 * k + 40);
    }
    const samples::Plain partners = program.matched();
    EXPECT_EQ(partners[0], (Of{0, 2, 4}));
    EXPECT_EQ(partners[2], (Of{1, 3, 5}));
    EXPECT_EQ(program.ranks[1].receives[3].end, 150);
}

TEST(Inferring, saysNothingWhereSendersDiffer) {
    // Two requests at a time, for which 0 sent three and 2 one.
    Program program{3};
    for (int k = 0; k < 2; ++k) program.request(1, 100 * k).request(1, 100 * k + 1).wait(1, 100 * k + 2, 100 * k + 50);
    program.send(0, 1, 1).send(0, 1, 2).send(0, 1, 3).send(2, 1, 4);
    EXPECT_EQ(program.matched(), (samples::Plain{{alone, alone, alone}, {}, {alone}}));
    // Nor of a receive of the same tag: any of the four may have been left for it.
    program.send(0, 1, 5).receive(1, 0, 190);
    EXPECT_EQ(program.matched(), (samples::Plain{{alone, alone, alone, alone}, {}, {alone}}));
}

TEST(Inferring, believesReceivesThatNoRequestCanHaveBeen) {
    // The same, with receives of another tag between.
    Program program{3};
    for (int k = 0; k < 2; ++k) program.request(1, 100 * k).request(1, 100 * k + 1).wait(1, 100 * k + 2, 100 * k + 50);
    program.send(0, 1, 1).send(0, 1, 2).send(0, 1, 3).send(2, 1, 4).send(0, 1, 5, 7).receive(1, 0, 190, 7);
    EXPECT_EQ(program.matched()[0], (Of{alone, alone, alone, 4}));
}

TEST(Inferring, matchesWhatIsThereOfAProgramThatDied) {
    // The last request was never served, and the last send never received.
    Program program{3};
    program.request(1, 0).wait(1, 1, 9).send(0, 1, 5).meet(10).request(1, 20).receive(1, 0, 30, 3).send(0, 1, 25, 3);
    EXPECT_EQ(program.matched()[0], (Of{0, 2}));
    EXPECT_EQ(program.ranks[1].receives[1].flags & End::inferred, 0);
}

}  // namespace
}  // namespace traces::in_inferring
