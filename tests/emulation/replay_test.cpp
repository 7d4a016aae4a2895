// SPDX-License-Identifier: BSD-3-Clause
// Programs whose times can be told by hand, and thousands of random ones that a slow replay judges.
#include "emulation/replay/replay.hpp"
#include "engine/error.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/slow_replay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

namespace emulation {
namespace {

using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;
using engine::Rate;

using ps = Picoseconds;

class Heard : public ReplayObserver {
public:
    void message(const MessageRecord& message, std::int64_t) override { all.push_back(message); }
    void did(Rank rank, std::size_t at, Picoseconds begin, Picoseconds end) override {
        EXPECT_LE(begin, end);
        EXPECT_EQ(at, next[rank]++);
    }
    std::vector<MessageRecord> all;
    std::map<Rank, std::size_t> next;
};

/// Makes programs line by line.
class Making {
public:
    explicit Making(std::int32_t ranks) { made.ranks.resize(ranks); }

    std::int64_t message(int from, int to, Bytes bytes) {
        made.messages.from.emplace_back(from);
        made.messages.to.emplace_back(to);
        made.messages.bytes.push_back(bytes);
        return static_cast<std::int64_t>(made.messages.size()) - 1;
    }
    Making& add(int rank, Does what, std::int64_t number) {
        made.ranks[Rank{rank}].add(what, number);
        return *this;
    }
    void send(int rank, std::int64_t message) { add(rank, Does::sends, message).add(rank, Does::awaitsSend, message); }
    void receive(int rank, std::int64_t message) {
        add(rank, Does::receives, message).add(rank, Does::awaitsReceive, message);
    }

    Program made;
};

/// A message of m bytes takes 10 + m ps.
Conditions plain(int ports = 0) { return {.model = {.alpha = ps{10}, .beta = Rate{1000}}, .ports = ports}; }

Replayed run(const Program& program, const Conditions& conditions, ReplayObserver* observer = nullptr) {
    const NetworkPtr full = makeNetwork("full", static_cast<std::int32_t>(program.ranks.size()));
    return replay(program, *full, conditions, {}, observer);
}

TEST(Replay, partsComputingWaitingAndMoving) {
    Making making{2};
    making.add(0, Does::computes, 100);
    const auto m = making.message(0, 1, 5);
    making.send(0, m);
    making.add(1, Does::computes, 30);
    making.receive(1, m);
    making.add(1, Does::computes, 7);
    const Replayed replayed = run(making.made, plain());
    EXPECT_EQ(replayed.ranks[Rank{0}], (TimeSpent{.computing = ps{100}, .moving = ps{15}, .end = ps{115}}));
    EXPECT_EQ(replayed.ranks[Rank{1}],
              (TimeSpent{.computing = ps{37}, .waiting = ps{70}, .moving = ps{15}, .end = ps{122}}));
    EXPECT_EQ(replayed.duration, ps{122});
    EXPECT_EQ(replayed.messages, 1);
    EXPECT_EQ(replayed.bytes, 5);
}

TEST(Replay, letsMessagesMoveBesideComputing) {
    Making making{2};
    const auto m = making.message(0, 1, 5);
    for (const int rank : {0, 1}) {
        making.add(rank, rank == 0 ? Does::sends : Does::receives, m);
        making.add(rank, Does::computes, 40);
        making.add(rank, rank == 0 ? Does::awaitsSend : Does::awaitsReceive, m);
    }
    EXPECT_EQ(run(making.made, plain()).duration, ps{40});
}

TEST(Replay, sendsOneAfterTheOtherThroughOnePort) {
    Making making{3};
    const auto first = making.message(0, 1, 0);
    const auto second = making.message(0, 2, 0);
    making.add(0, Does::sends, first).add(0, Does::sends, second);
    making.add(0, Does::awaitsSend, first).add(0, Does::awaitsSend, second);
    making.receive(1, first);
    making.receive(2, second);
    EXPECT_EQ(run(making.made, plain(0)).duration, ps{10});
    EXPECT_EQ(run(making.made, plain(1)).duration, ps{20});
}

TEST(Replay, namesThoseWhoWaitForever) {
    Making making{3};
    const auto there = making.message(0, 1, 5);
    const auto back = making.message(1, 0, 5);
    making.send(0, there);
    making.receive(0, back);
    making.send(1, back);
    making.receive(1, there);
    EXPECT_TRUE(run(making.made, plain()).stuck.empty());
    Conditions rendezvous = plain();
    rendezvous.model.eagerLimit = 4;
    EXPECT_EQ(run(making.made, rendezvous).stuck, (std::vector<Stuck>{{Rank{0}, 1}, {Rank{1}, 1}}));
}

TEST(Replay, keepsRanksUntilAllHaveComeWhereNothingElseIsKnown) {
    Making making{3};
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{2}, Rank{0}}), .schedule = nullptr});
    making.add(0, Does::enters, 0).add(0, Does::lingers, 4);
    making.add(2, Does::computes, 20).add(2, Does::enters, 0).add(2, Does::lingers, 1);
    const Replayed replayed = run(making.made, plain());
    EXPECT_EQ(replayed.ranks[Rank{0}], (TimeSpent{.inCollectives = ps{24}, .end = ps{24}}));
    EXPECT_EQ(replayed.ranks[Rank{2}].end, ps{21});
    EXPECT_EQ(replayed.collectives[0], (Lasting{ps{0}, ps{20}}));
}

TEST(Replay, refusesWhatItDoesNotKnow) {
    const Making making{2};
    Conditions conditions = plain();
    conditions.sharing = Sharing::fair;
    EXPECT_THROW(run(making.made, conditions), engine::Error);
    conditions = plain();
    conditions.model.logGP.emplace();
    EXPECT_THROW(run(making.made, conditions), engine::Error);
    conditions = plain();
    conditions.stepping = Stepping::lockstep;
    EXPECT_THROW(run(making.made, conditions), engine::Error);
    EXPECT_THROW(replay(making.made, *makeNetwork("full", 3), plain()), engine::Error);
}

/// Blocking and non-blocking messages, and collectives among some ranks, of which some are ended late. With few ports
/// no rank does two things at once.
Program randomProgram(std::mt19937& random, int ranks, bool beside) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    Making making{ranks};
    std::vector<std::tuple<int, Does, std::int64_t>> open;
    const auto close = [&](std::size_t i) {
        making.add(std::get<0>(open[i]), std::get<1>(open[i]), std::get<2>(open[i]));
        open.erase(open.begin() + static_cast<std::ptrdiff_t>(i));
    };
    const auto end = [&](int rank, Does posted, Does awaits, std::int64_t number) {
        making.add(rank, posted, number);
        if (below(2) == 0) making.add(rank, awaits, number);
        else open.emplace_back(rank, awaits, number);
    };
    for (int k = 2 + below(14); k > 0; --k) {
        if (below(2) == 0) making.add(below(ranks), Does::computes, below(25));
        if (!open.empty() && below(3) == 0) close(static_cast<std::size_t>(below(static_cast<int>(open.size()))));
        if (below(5) > 0) {
            const int from = below(ranks);
            const int to = (from + below(ranks)) % ranks;
            const auto message = making.message(from, to, below(12));
            const bool sendFirst = from == to || below(4) > 0;
            if (sendFirst) end(from, Does::sends, Does::awaitsSend, message);
            end(to, Does::receives, Does::awaitsReceive, message);
            if (!sendFirst) end(from, Does::sends, Does::awaitsSend, message);
            continue;
        }
        std::vector<Rank> members;
        for (int rank = 0; rank < ranks; ++rank)
            if (below(3) > 0) members.emplace_back(rank);
        if (members.empty()) members.emplace_back(0);
        std::shuffle(members.begin(), members.end(), random);
        const auto number = static_cast<std::int64_t>(making.made.collectives.size());
        const auto size = static_cast<int>(members.size());
        making.made.collectives.push_back(
            {.members = std::make_shared<const std::vector<Rank>>(members),
             .schedule =
                 below(4) == 0 ? nullptr : support::randomSchedule(random, size, 1 + below(3), 1 + below(2), 9)});
        for (const Rank rank : members) {
            if (below(3) == 0) making.add(rank.value, Does::computes, below(15));
            if (!beside || below(2) == 0) making.add(rank.value, Does::enters, number);
            else end(rank.value, Does::starts, Does::ends, number);
        }
    }
    while (!open.empty()) close(0);
    return making.made;
}

TEST(Replay, takesForRandomProgramsWhatEveryPicosecondSays) {
    std::mt19937 random{20261123};
    int waitForever = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        Conditions conditions = plain(trial % 3);
        if (trial % 4 == 3) conditions.model.eagerLimit = static_cast<Bytes>(random() % 9);
        const Program program = randomProgram(random, ranks, conditions.ports == 0);
        Heard heard;
        const Replayed replayed = run(program, conditions, &heard);
        const slow::SlowReplay slow{program, conditions};
        ASSERT_EQ(replayed.stuck, slow.stuck());
        waitForever += replayed.stuck.empty() ? 0 : 1;
        auto expected = slow.messages();
        const auto inOrder = [](const MessageRecord& m) {
            return std::tuple{m.receiveBegin, m.from, m.to, m.round, m.bytes, m.sendBegin, m.receiveEnd};
        };
        std::ranges::sort(expected, {}, inOrder);
        std::ranges::sort(heard.all, {}, inOrder);
        ASSERT_EQ(heard.all, expected);
        if (!replayed.stuck.empty()) continue;
        for (const Rank rank : program.ranks.ids()) {
            ASSERT_EQ(replayed.ranks[rank].end, slow.end(rank)) << "rank " << rank;
            const TimeSpent& spent = replayed.ranks[rank];
            ASSERT_EQ(spent.computing + spent.waiting + spent.moving + spent.inCollectives, spent.end);
        }
    }
    EXPECT_GT(waitForever, 100);
    EXPECT_LT(waitForever, 5000);
}

}  // namespace
}  // namespace emulation
