// SPDX-License-Identifier: BSD-3-Clause
// Programs whose times can be told by hand, and thousands of random ones that a slow replay judges.
#include "emulation/replay/replay.hpp"
#include "engine/base/error.hpp"
#include "tests/support/programs/replay_programs.hpp"
#include "tests/support/reference/slow_processors.hpp"
#include "tests/support/reference/slow_replay.hpp"

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
using support::Making;

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

/// As a recording of it does: a call that does not block lasts until it is completed, however early its messages were
/// there.
TEST(Replay, timesACollectiveUntilTheCallThatCompletesIt) {
    Making making{2};
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}, Rank{1}}), .schedule = nullptr});
    making.add(0, Does::starts, 0).add(0, Does::computes, 100).add(0, Does::ends, 0);
    making.add(1, Does::computes, 10).add(1, Does::starts, 0).add(1, Does::ends, 0);
    EXPECT_EQ(run(making.made, plain()).collectives[0], (Lasting{ps{0}, ps{100}}));
}

/// Collectives on a stream: the second one begins when the first one ends, though it was started before, and ranks wait
/// only for what is left of both.
TEST(Replay, collectivesOnAStreamFollowEachOtherBesideThePrograms) {
    for (const int delay : {0, 100}) {
        Making making{2};
        const auto both = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}, Rank{1}});
        for (int k = 0; k < 2; ++k) making.made.collectives.push_back({.members = both, .schedule = nullptr});
        making.made.streams.resize(2);
        for (const int rank : {0, 1}) {
            making.made.streams[Rank{rank}] = {{.lingers = ps{150}},
                                               {.after = 0, .delay = ps{rank == 0 ? delay : 0}, .lingers = ps{20}}};
            making.add(rank, Does::computes, rank == 1 ? 30 : 0).add(rank, Does::starts, 0);
            making.add(rank, Does::computes, 100).add(rank, Does::starts, 1);
            making.add(rank, Does::ends, 0).add(rank, Does::ends, 1);
        }
        const Replayed replayed = run(making.made, plain());
        // Rank 1 enters the first one at 30. With the delay rank 0 enters the second one at 200, not at 180.
        const int second = delay == 0 ? 180 : 200;
        EXPECT_EQ(replayed.collectives[0], (Lasting{ps{0}, ps{180}}));
        EXPECT_EQ(replayed.collectives[1], (Lasting{ps{180}, ps{second + 20}}));
        EXPECT_EQ(replayed.ranks[Rank{0}].inCollectives, ps{second + 20 - 100});
        EXPECT_EQ(replayed.ranks[Rank{1}].inCollectives, ps{second + 20 - 130});
        EXPECT_EQ(replayed.duration, ps{second + 20});
    }
}

/// Rank 1 comes to the broadcast of rank 0 after another collective, which rank 0 comes to after it.
TEST(Replay, ranksThatLeaveACollectiveBeforeTheLastComesDoNotWaitForIt) {
    Making making{2};
    const auto both = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}, Rank{1}});
    for (int k = 0; k < 2; ++k) making.made.collectives.push_back({.members = both, .schedule = nullptr});
    making.made.streams.resize(2);
    making.made.streams[Rank{0}] = {{.lingers = ps{10}, .waits = false}, {.lingers = ps{3}}};
    making.made.streams[Rank{1}] = {{.lingers = ps{3}}, {.lingers = ps{5}}};
    making.add(0, Does::starts, 0).add(0, Does::ends, 0).add(0, Does::starts, 1).add(0, Does::ends, 1);
    making.add(1, Does::starts, 1).add(1, Does::ends, 1).add(1, Does::computes, 20);
    making.add(1, Does::starts, 0).add(1, Does::ends, 0);
    const Replayed replayed = run(making.made, plain());
    EXPECT_TRUE(replayed.stuck.empty());
    EXPECT_EQ(replayed.ranks[Rank{0}].end, ps{13});
    EXPECT_EQ(replayed.collectives[1], (Lasting{ps{0}, ps{13}}));
    EXPECT_EQ(replayed.collectives[0], (Lasting{ps{0}, ps{38}}));
}

/// With schedules, too: ranks that do nothing else go through them at once, others round by round; both take as long.
TEST(Replay, collectivesOnAStreamTakeAsLongAsBlockingOnes) {
    const auto time = [](bool onStream, bool meetsOthers) {
        Making making{4};
        const auto all = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}, Rank{1}, Rank{2}, Rank{3}});
        engine::Problem problem;
        problem.collective = engine::Collective::allreduce;
        problem.groupA = 4;
        problem.layout = engine::Layout::regular(4, 4000);
        const engine::Plan plan = engine::makePlan(engine::algorithmNamed("allreduce/ring"), problem, {}, {});
        for (int k = 0; k < 3; ++k) making.made.collectives.push_back({.members = all, .schedule = plan.schedule});
        if (onStream) making.made.streams.resize(4);
        for (int rank = 0; rank < 4; ++rank)
            for (int k = 0; k < 3; ++k) {
                if (!onStream) {
                    making.add(rank, Does::enters, k);
                    continue;
                }
                making.made.streams[Rank{rank}].push_back(
                    {.after = k == 0 || meetsOthers ? emulation::OnStream::none : k - 1});
                making.add(rank, Does::starts, k).add(rank, Does::ends, k);
            }
        return run(making.made, plain()).duration;
    };
    EXPECT_EQ(time(true, false), time(false, false));
    EXPECT_EQ(time(true, true), time(false, false));
}

TEST(Replay, refusesWhatItDoesNotKnow) {
    const Making making{2};
    Conditions conditions = plain();
    conditions.sharing = Sharing::fair;
    conditions.model.eagerLimit = 4;
    EXPECT_THROW(run(making.made, conditions), engine::Error);
    conditions = plain();
    conditions.model.logGP.emplace();
    EXPECT_THROW(replay(making.made, *makeNetwork("full", 2), conditions, {}, nullptr, InPorts::byByte), engine::Error);
    conditions.sharing = Sharing::fair;
    EXPECT_THROW(run(making.made, conditions), engine::Error);
    EXPECT_THROW(replay(making.made, *makeNetwork("full", 3), plain()), engine::Error);
}

/// `messages` are those of `replayed`.
template <class Judge>
void expectSame(const Program& program, const Replayed& replayed, std::vector<MessageRecord> messages,
                const Judge& slow) {
    ASSERT_EQ(replayed.stuck, slow.stuck());
    auto expected = slow.messages();
    const auto inOrder = [](const MessageRecord& m) {
        return std::tuple{m.receiveBegin, m.from, m.to, m.round, m.bytes, m.sendBegin, m.receiveEnd};
    };
    std::ranges::sort(expected, {}, inOrder);
    std::ranges::sort(messages, {}, inOrder);
    ASSERT_EQ(messages, expected);
    if (!replayed.stuck.empty()) return;
    for (const Rank rank : program.ranks.ids()) {
        ASSERT_EQ(replayed.ranks[rank].end, slow.end(rank)) << "rank " << rank.value;
        const TimeSpent& spent = replayed.ranks[rank];
        ASSERT_EQ(spent.computing + spent.waiting + spent.moving + spent.inCollectives, spent.end);
    }
}

TEST(Replay, takesForRandomProgramsWhatEveryPicosecondSays) {
    std::mt19937 random{20261123};
    int waitForever = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        Conditions conditions = plain(trial % 3);
        if (trial % 4 == 3) conditions.model.eagerLimit = static_cast<Bytes>(random() % 9);
        const Program program = support::randomProgram(random, ranks, {.beside = conditions.ports == 0});
        Heard heard;
        const Replayed replayed = run(program, conditions, &heard);
        const slow::SlowReplay slow{program, conditions};
        waitForever += replayed.stuck.empty() ? 0 : 1;
        expectSame(program, replayed, std::move(heard.all), slow);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(waitForever, 100);
    EXPECT_LT(waitForever, 5000);
}

TEST(Replay, takesFairlyOnAloneLinksWhatRendezvousTake) {
    std::mt19937 random{20261125};
    for (int trial = 0; trial < 2000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        const Program program = support::randomProgram(random, ranks, {});
        Conditions conditions = plain();
        conditions.sharing = Sharing::fair;
        Heard heard;
        const Replayed replayed = run(program, conditions, &heard);
        conditions.sharing = Sharing::none;
        conditions.model.eagerLimit = -1;
        expectSame(program, replayed, std::move(heard.all), slow::SlowReplay{program, conditions});
        if (HasFatalFailure()) return;
    }
}

TEST(Replay, sharesLinksFairlyWhateverTheirMessagesAreOf) {
    // On a ring of 5, 0 -> 2 and 1 -> 2 meet on the link 1 -> 2: after 10 ps, which is the startup, both at half speed.
    Making making{5};
    const auto large = making.message(0, 2, 60);
    const auto small = making.message(1, 2, 40);
    making.send(0, large);
    making.send(1, small);
    making.add(2, Does::receives, large).add(2, Does::receives, small);
    making.add(2, Does::awaitsReceive, small).add(2, Does::awaitsReceive, large);
    Conditions conditions = plain();
    conditions.sharing = Sharing::fair;
    const Replayed replayed = replay(making.made, *makeNetwork("ring", 5), conditions);
    EXPECT_EQ(replayed.ranks[Rank{1}].end, ps{90});   // 10 + 2 * 40
    EXPECT_EQ(replayed.ranks[Rank{0}].end, ps{110});  // the other 20 alone
    EXPECT_EQ(replayed.duration, ps{110});
}

TEST(Replay, letsBytesOfSeveralSendersShareAPort) {
    Making making{3};
    const auto large = making.message(0, 2, 90);
    const auto small = making.message(1, 2, 30);
    making.send(0, large);
    making.send(1, small);
    making.receive(2, small);
    making.add(2, Does::computes, 1000);
    making.receive(2, large);
    const NetworkPtr full = makeNetwork("full", 3);
    const auto ended = [&](InPorts inPorts) {
        Heard heard;
        replay(making.made, *full, plain(1), {}, &heard, inPorts);
        std::ranges::sort(heard.all, {}, &MessageRecord::bytes);
        return std::pair{heard.all.at(0).receiveEnd, heard.all.at(1).receiveEnd};
    };
    // One message after the other, each when it is waited for: 40 ps, and 100 ps behind 1040 ps.
    EXPECT_EQ(ended(InPorts::byMessage), std::pair(ps{40}, ps{1140}));
    // For 40 ps two come at once: behind the short one as much waits as has come of the long one. That is there before
    // it is waited for.
    EXPECT_EQ(ended(InPorts::byByte), std::pair(ps{80}, ps{1080}));
}

TEST(Replay, letsBytesOfARendezvousComeOnlyWhenItIsWaitedFor) {
    Making making{3};
    const auto large = making.message(0, 2, 90);
    const auto small = making.message(1, 2, 30);
    making.send(0, large);
    making.send(1, small);
    making.receive(2, small);
    making.add(2, Does::computes, 1000);
    making.receive(2, large);
    Conditions conditions = plain(1);
    conditions.model.eagerLimit = 40;
    const Replayed replayed = replay(making.made, *makeNetwork("full", 3), conditions, {}, nullptr, InPorts::byByte);
    // The short one comes alone, until 40 ps; the long one leaves 1000 ps later.
    EXPECT_EQ(replayed.ranks[Rank{0}], (TimeSpent{.waiting = ps{1040}, .moving = ps{100}, .end = ps{1140}}));
    EXPECT_EQ(replayed.ranks[Rank{2}].end, ps{1140});
}

TEST(Replay, takesByteByByteWhatEveryPicosecondSays) {
    std::mt19937 random{20261124};
    for (int trial = 0; trial < 3000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(random() % 5);
        Conditions conditions = plain(trial % 3);
        if (trial % 4 == 3) conditions.model.eagerLimit = static_cast<Bytes>(random() % 9);
        const Program program = support::randomProgram(random, ranks, {.beside = conditions.ports == 0});
        const NetworkPtr full = makeNetwork("full", ranks);
        Heard heard;
        const Replayed replayed = replay(program, *full, conditions, {}, &heard, InPorts::byByte);
        const slow::SlowReplay slow{program, conditions, InPorts::byByte};
        expectSame(program, replayed, std::move(heard.all), slow);
        if (HasFatalFailure()) return;
    }
}

/// A message of m bytes works 5 ps at both ends, keeps ports for 7 + 2 (m - 1) ps, and is under way for 20.
Conditions byLogGP() {
    Conditions conditions;
    conditions.model.logGP =
        engine::LogGP{.latency = ps{20}, .overhead = ps{5}, .gap = ps{7}, .gapPerByte = Rate{2000}};
    return conditions;
}

TEST(ReplayUnderLogGP, letsProcessorsSendAndReceive) {
    Making making{2};
    const auto first = making.message(0, 1, 4);
    const auto second = making.message(0, 1, 1);
    making.send(0, first);
    making.send(0, second);
    making.add(0, Does::computes, 9);
    making.add(1, Does::receives, first).add(1, Does::receives, second);
    making.add(1, Does::computes, 40);
    making.add(1, Does::awaitsReceive, second).add(1, Does::awaitsReceive, first);
    const Replayed replayed = run(making.made, byLogGP());
    // The first message is sent until 5, and keeps the port until 13; the second one is sent from then until 18.
    EXPECT_EQ(replayed.ranks[Rank{0}],
              (TimeSpent{.computing = ps{9}, .waiting = ps{8}, .moving = ps{10}, .end = ps{27}}));
    // They are there at 31 and 38, while the processor computes; then it works for one after the other.
    EXPECT_EQ(replayed.ranks[Rank{1}], (TimeSpent{.computing = ps{40}, .moving = ps{10}, .end = ps{50}}));
}

TEST(ReplayUnderLogGP, keepsCollectivesBesideToWhatComputingLeaves) {
    // A broadcast in two steps, 0 -> 1 -> 2; rank 1 is at it when its processor is free: at 100, not when it is there.
    Making making{3};
    making.made.collectives.push_back(
        {.members = std::make_shared<const std::vector<Rank>>(std::vector{Rank{0}, Rank{1}, Rank{2}}),
         .schedule = support::hops(3, {{{0, 1, 1}}, {{1, 2, 1}}})});
    making.add(0, Does::enters, 0);
    making.add(1, Does::starts, 0).add(1, Does::computes, 100).add(1, Does::ends, 0);
    making.add(2, Does::enters, 0);
    const Replayed replayed = run(making.made, byLogGP());
    EXPECT_EQ(replayed.ranks[Rank{0}].end, ps{5});
    EXPECT_EQ(replayed.ranks[Rank{1}].end, ps{110});  // receives, sends
    EXPECT_EQ(replayed.ranks[Rank{2}].end, ps{135});
}

TEST(ReplayUnderLogGP, takesForRandomProgramsWhatEveryPicosecondSays) {
    std::mt19937 random{20261126};
    const auto below = [&](unsigned n) { return static_cast<std::int64_t>(random() % n); };
    int waitForever = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const int ranks = 1 + static_cast<int>(below(5));
        Conditions conditions;
        conditions.model.logGP = engine::LogGP{.latency = ps{1 + below(20)},
                                               .overhead = ps{1 + below(6)},
                                               .gap = ps{below(9)},
                                               .gapPerByte = Rate{below(3) * 700},
                                               .overheadPerByte = Rate{below(2) * 1300}};
        if (trial % 4 == 3) conditions.model.eagerLimit = below(9);
        if (trial % 5 == 4) conditions.perturbation.slowRanks = {{Rank{0}, {2500}}};
        Program program = support::randomProgram(random, ranks, {});
        for (CollectiveDone& collective : program.collectives) collective.gamma = Rate{below(3) * 900};
        Heard heard;
        const Replayed replayed = run(program, conditions, &heard);
        const slow::SlowProcessors slow{program, conditions};
        waitForever += replayed.stuck.empty() ? 0 : 1;
        expectSame(program, replayed, std::move(heard.all), slow);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(waitForever, 50);
    EXPECT_LT(waitForever, 3000);
}

}  // namespace
}  // namespace emulation
