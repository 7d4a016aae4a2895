// SPDX-License-Identifier: BSD-3-Clause
// What of a wrong schedule can run, and where its counterexample is.
#include "engine/proof/runnable_part.hpp"

#include "engine/proof/sent_too_early.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>

namespace engine {
namespace {

using namespace support;

/// A ring allgather of four blocks of 5 bytes; `change` says what a rank does instead, or returns false.
template <class Change>
SchedulePtr ringOf4(Change change) {
    return schedule(Facts{.ranks = 4, .rounds = 3, .stages = {{"first", Round{0}, 1}, {"rest", Round{1}, 2}}},
                    [=](Rank rank, Round round, auto& out) {
                        if (change(rank, round, out)) return;
                        const auto block = [&](std::int64_t at) {
                            const Bytes index = ((at % 4) + 4) % 4;
                            return Range{5 * index, 5 * index + 5};
                        };
                        out.send(Rank{(rank.value + 1) % 4}, block(rank.value - round.value));
                        out.receive(Rank{(rank.value + 3) % 4}, block(rank.value - 1 - round.value));
                    });
}

const Problem problem = allgatherv({5, 5, 5, 5});

TEST(AsFarAsPaired, leavesWhatIsAgreedAsItIs) {
    const SchedulePtr right = ringOf4([](Rank, Round, auto&) { return false; });
    EXPECT_EQ(asFarAsPaired(right), right);
}

TEST(AsFarAsPaired, endsInTheRoundOfTheFirstMessageThatOneEndKnows) {
    const SchedulePtr deaf = ringOf4([](Rank rank, Round round, auto& out) {
        if (rank.value != 2 || round.value != 1) return false;
        out.send(Rank{3}, Range{5, 10});
        return true;
    });
    const SchedulePtr cut = asFarAsPaired(deaf);
    EXPECT_EQ(cut->facts().rounds, 2);
    EXPECT_EQ(cut->facts().stages.back(), (Stage{"rest", Round{1}, 1}));
    const Verdict verdict = verify(*cut, problem);
    EXPECT_EQ(verdict.counterExample, "round 2: rank 1 sends to rank 2, which does not receive it");
    EXPECT_EQ(verdict.counterExample, verify(*deaf, problem).counterExample);
    EXPECT_EQ(verdict.place, (Place{.round = Round{1}, .rank = Rank{1}, .from = Rank{1}, .to = Rank{2}}));
    // Both views: four messages in the first round, all but that one in the second.
    Batch batch;
    Turn turn;
    for (const auto& [round, messages] : {std::pair{Round{0}, 4U}, {Round{1}, 3U}}) {
        batch.reset(0);
        cut->batch(round, Rank{0}, Rank{4}, batch);
        EXPECT_EQ(batch.size(), messages);
        std::size_t sends = 0;
        std::size_t receives = 0;
        for (Rank rank{0}; rank.value < 4; ++rank) {
            cut->turn(rank, round, turn);
            sends += turn.sends().size();
            receives += turn.receives().size();
        }
        EXPECT_EQ(sends, messages);
        EXPECT_EQ(receives, messages);
    }
}

TEST(AsFarAsPaired, saysWhatIsWrongBefore) {
    const SchedulePtr twice = ringOf4([](Rank rank, Round round, auto& out) {
        if (round.value == 0 && rank.value == 3) out.send(Rank{0}, Range{0, 5});
        else if (round.value == 0 && rank.value == 0) {
            out.send(Rank{1}, Range{0, 5});
            out.receive(Rank{3}, Range{0, 5});
            return true;
        } else if (round.value == 2 && rank.value == 0) return true;
        else return false;
        out.receive(Rank{2}, Range{10, 15});
        return true;
    });
    EXPECT_EQ(verify(*asFarAsPaired(twice), problem).counterExample,
              "round 1: rank 3 sends block 0 to rank 0 before it has it");
}

TEST(Verdicts, sayWhatTheyAreAbout) {
    const SchedulePtr hasty = ringOf4([](Rank rank, Round round, auto& out) {
        if (round.value != 1) return false;
        if (rank.value == 2) out.send(Rank{3}, Range{0, 5});
        if (rank.value == 3) out.receive(Rank{2}, Range{0, 5});
        return rank.value >= 2;
    });
    Verdict verdict = verify(*hasty, problem);
    EXPECT_EQ(verdict.place, (Place{.round = Round{1}, .rank = Rank{2}, .from = Rank{2}, .to = Rank{3}, .byte = 0}));
    const std::optional<TooEarly> early = tooEarly(*hasty, problem, verdict);
    ASSERT_TRUE(early);
    EXPECT_EQ(inWords(*early), "Rank 2 sends block 0 to rank 3 in round 2, but never gets it.");

    verdict = verify(*ringOf4([](Rank, Round round, auto&) { return round.value == 2; }), problem);
    EXPECT_EQ(verdict.counterExample, "after the last round rank 0 lacks block 1");
    EXPECT_EQ(verdict.place, (Place{.rank = Rank{0}, .byte = 5}));
    EXPECT_FALSE(tooEarly(*hasty, problem, verdict));
}

}  // namespace
}  // namespace engine
