// SPDX-License-Identifier: BSD-3-Clause
// The verifier must refute: every test but the first plants one fault and reads the counterexample.
#include "engine/proof/verify.hpp"

#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

using namespace support;

/// The root's neighbours pass 12 bytes on along a line of `ranks`, with one turn changed by the test.
template <class Change>
Verdict lineOf(int ranks, Change change, Facts facts = {}) {
    facts.ranks = ranks;
    facts.rounds = ranks - 1;
    const SchedulePtr line = schedule(facts, [=](Rank rank, Round round, auto& out) {
        if (change(rank, round, out)) return;
        if (rank.value == round.value) out.send(rank + 1, Range{0, 12});
        if (rank.value == round.value + 1) out.receive(rank - 1, Range{0, 12});
    });
    return verify(*line, bcast(ranks));
}

TEST(Verify, provesACorrectSchedule) {
    const Verdict verdict = lineOf(4, [](Rank, Round, auto&) { return false; });
    EXPECT_TRUE(verdict.proved) << verdict.counterExample;
    EXPECT_EQ(verdict.rounds, 3);
    EXPECT_EQ(verdict.messages, 3);
    EXPECT_EQ(verdict.bytes, 36);
    EXPECT_EQ(verdict.lockstep, (Cost{.startups = 3, .volume = 36}));
}

TEST(Verify, namesABlockThatIsSentBeforeItIsHeld) {
    const Verdict verdict = lineOf(4, [](Rank rank, Round round, auto& out) {
        if (round.value != 0 || rank.value < 2) return false;
        if (rank.value == 2) out.send(Rank{3}, Range{0, 12});
        if (rank.value == 3) out.receive(Rank{2}, Range{0, 12});
        return true;
    });
    EXPECT_FALSE(verdict.proved);
    EXPECT_EQ(verdict.counterExample, "round 1: rank 2 sends the message to rank 3 before it has it");
}

TEST(Verify, namesASendThatWaitsForAReceiveWhereStrandsDoNotJoin) {
    const auto line = [](Rounds uncoupled) {
        return verify(*schedule(Facts{.ranks = 3, .rounds = 2, .uncoupled = uncoupled},
                                [](Rank rank, Round round, auto& out) {
                                    if (rank.value == round.value) out.send(rank + 1, Range{0, 12});
                                    if (rank.value == round.value + 1) out.receive(rank - 1, Range{0, 12});
                                }),
                      bcast(3));
    };
    EXPECT_TRUE(line({}).proved);
    EXPECT_TRUE(line({Round{1}, 1}).proved) << "the receive is in a round before";
    EXPECT_EQ(
        line({Round{0}, 2}).counterExample,
        "round 2: rank 1 sends the message to rank 2, which it does not have before round 1, from where on its sends "
        "do not wait for its receives");
}

TEST(Verify, namesAMissingReceive) {
    const Verdict verdict =
        lineOf(3, [](Rank rank, Round round, auto&) { return rank.value == 2 && round.value == 1; });
    EXPECT_EQ(verdict.counterExample, "round 2: rank 1 sends to rank 2, which does not receive it");
}

TEST(Verify, namesAMissingSend) {
    const Verdict verdict =
        lineOf(3, [](Rank rank, Round round, auto&) { return rank.value == 1 && round.value == 1; });
    EXPECT_EQ(verdict.counterExample,
              "round 2: rank 2 expects a message from rank 1 that is not sent; rank 1 sends nothing then");
}

TEST(Verify, namesWhereAMissingMessageWentInstead) {
    const Verdict verdict = lineOf(4, [](Rank rank, Round round, auto& out) {
        if (round.value != 1 || rank.value != 1) return false;
        out.send(Rank{3}, Range{0, 12});
        return true;
    });
    EXPECT_EQ(verdict.counterExample,
              "round 2: rank 2 expects a message from rank 1 that is not sent; rank 1 sends to rank 3 then");
}

TEST(Verify, namesAMessageToOneself) {
    const Verdict verdict = lineOf(3, [](Rank rank, Round round, auto& out) {
        if (round.value != 0 || rank.value != 0) return false;
        out.send(Rank{0}, Range{0, 12});
        return true;
    });
    EXPECT_EQ(verdict.counterExample, "round 1: rank 0 sends to itself");
}

TEST(Verify, namesEndsThatDisagreeAboutTheBytes) {
    const Verdict verdict = lineOf(3, [](Rank rank, Round round, auto& out) {
        if (rank.value != 2 || round.value != 1) return false;
        out.receive(Rank{1}, Range{0, 11});
        return true;
    });
    EXPECT_EQ(verdict.counterExample, "round 2: rank 1 sends 12 bytes to rank 2, which expects 11");
}

TEST(Verify, namesAPortUsedTwice) {
    const Verdict verdict = lineOf(3, [](Rank rank, Round round, auto& out) {
        if (round.value != 0) return false;
        if (rank.value == 0) out.send(Rank{1}, Range{0, 12}), out.send(Rank{2}, Range{0, 12});
        else out.receive(Rank{0}, Range{0, 12});
        return true;
    });
    EXPECT_EQ(verdict.counterExample, "round 1: rank 0 sends 2 messages in one round with 1 port");
}

TEST(Verify, namesAMessageThatLeavesTheWiring) {
    const Verdict verdict = lineOf(4,
                                   [](Rank rank, Round round, auto& out) {
                                       if (round.value != 0) return false;
                                       if (rank.value == 0) out.send(Rank{2}, Range{0, 12});
                                       if (rank.value == 2) out.receive(Rank{0}, Range{0, 12});
                                       return true;
                                   },
                                   {.wiring = Wiring::ring(4)});
    EXPECT_EQ(verdict.counterExample, "round 1: rank 0 sends to rank 2, which is no neighbour on ring");
}

TEST(Verify, namesADeliveryThatIsRepeatedUnlessDeclared) {
    const auto twice = [](Rank rank, Round round, auto& out) {
        if (round.value != 1) return false;
        if (rank.value == 0) out.send(Rank{1}, Range{0, 12});
        if (rank.value == 1) out.receive(Rank{0}, Range{0, 12}), out.send(Rank{2}, Range{0, 12});
        if (rank.value == 2) out.receive(Rank{1}, Range{0, 12});
        return true;
    };
    EXPECT_EQ(lineOf(3, twice).counterExample,
              "round 2: rank 1 receives the message from rank 0 although it already has it");
    EXPECT_TRUE(lineOf(3, twice, {.repeats = "the test says so"}).proved);
}

TEST(Verify, namesARankThatLacksABlockInTheEnd) {
    const Verdict verdict = lineOf(3, [](Rank, Round round, auto&) { return round.value == 1; });
    EXPECT_EQ(verdict.counterExample, "after the last round rank 2 lacks the message");
}

/// Everyone sends its result to everyone it is told to, `rounds` times, one slot.
SchedulePtr exchange(int ranks, int rounds, auto peerOf) {
    return schedule(Facts{.ranks = ranks, .rounds = rounds}, [=](Rank rank, Round round, auto& out) {
        out.sendPartial(peerOf(rank, round), 0, 12);
        out.receivePartial(peerOf(rank, round), 1, Action::append, 12);
    });
}

TEST(Verify, countsContributionsInsteadOfJoiningThem) {
    const auto flip = [](Rank rank, Round round) { return Rank{rank.value ^ (1 << round.value)}; };
    EXPECT_TRUE(verify(*exchange(4, 2, flip), allreduce(4)).proved);
    const auto sameTwice = [](Rank rank, Round) { return Rank{rank.value ^ 1}; };
    EXPECT_EQ(verify(*exchange(2, 2, sameTwice), allreduce(2)).counterExample,
              "after the last round rank 0 has contribution 0 twice");
    EXPECT_TRUE(verify(*exchange(2, 2, sameTwice), barrier(2)).proved) << "a barrier only needs to hear of everyone";
    EXPECT_EQ(verify(*exchange(4, 1, flip), barrier(4)).counterExample,
              "after the last round rank 0 lacks contribution 2");
}

TEST(Verify, chargesTheMostCombinedBytesOfEachRound) {
    const auto flip = [](Rank rank, Round round) { return Rank{rank.value ^ (1 << round.value)}; };
    EXPECT_EQ(verify(*exchange(4, 2, flip), allreduce(4)).lockstep,
              (Cost{.startups = 2, .volume = 24, .combined = 24}));
}

TEST(Verify, stopsWhenAsked) {
    std::stop_source stop;
    stop.request_stop();
    const auto flip = [](Rank rank, Round round) { return Rank{rank.value ^ (1 << round.value)}; };
    EXPECT_THROW(verify(*exchange(4, 2, flip), allreduce(4), {.report = {}, .stop = stop.get_token()}), Cancelled);
}

}  // namespace
}  // namespace engine
