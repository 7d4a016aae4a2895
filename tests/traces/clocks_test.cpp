// SPDX-License-Identifier: BSD-3-Clause
// Clocks that disagree are found and fitted; those that agree are left in peace.
#include "traces/clocks/clocks.hpp"
#include "traces/recording/recording_builder.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace {

using traces::ClockCheck;
using traces::Operation;
using traces::Picoseconds;
using traces::Rank;
using traces::Recording;
using traces::RecordingBuilder;

constexpr std::int64_t us = 1'000'000;

/// What a rank's clock shows at a true time [ps].
using Clocks = std::function<std::int64_t(int rank, std::int64_t time)>;

/// `rounds` rounds of a ring of 4 ranks, every message a microsecond long; a barrier at the end when asked for.
Recording ring(int rounds, bool barrier, const Clocks& shown, bool bothWays = true) {
    constexpr int ranks = 4;
    RecordingBuilder b{ranks};
    const auto at = [&](int rank, std::int64_t time) { return Picoseconds{shown(rank, time)}; };
    const auto message = [&](int from, int to, std::int64_t time) {
        b.message({.from = Rank{from},
                   .to = Rank{to},
                   .bytes = 8,
                   .sendBegin = at(from, time),
                   .sendEnd = at(from, time + us / 2),
                   .receiveBegin = at(to, time - us),
                   .receiveEnd = at(to, time + us)});
    };
    for (int k = 0; k < rounds; ++k)
        for (int rank = 0; rank < ranks; ++rank) {
            b.enter(rank, at(rank, (10 * k + 1) * us), "round");
            message(rank, (rank + 1) % ranks, (10 * k + 3) * us);
            if (bothWays) message((rank + 1) % ranks, rank, (10 * k + 6) * us);
            b.leave(rank, at(rank, (10 * k + 9) * us));
        }
    if (barrier) {
        std::vector<traces::Participant> parts;
        for (int rank = 0; rank < ranks; ++rank)
            parts.push_back({Rank{rank}, at(rank, 10 * rounds * us + rank * us), at(rank, 10 * rounds * us + 5 * us)});
        b.collective(Operation::barrier, 0, traces::noRank, parts);
    }
    Recording recording = b.finish();
    for (traces::Location& location : recording.locations) location.events = 1;
    return recording;
}

std::int64_t agree(int, std::int64_t time) { return time; }
/// Every rank began to count at another moment: as under EZTrace.
std::int64_t apart(int rank, std::int64_t time) { return time + 143'000 * us - 40'000 * us * rank; }

TEST(Clocks, thatAgreeBreakNothing) {
    const ClockCheck check = traces::checkClocks(ring(5, true, agree));
    EXPECT_EQ(check.violations(), 0);
    EXPECT_EQ(check.messages, 40);
    EXPECT_EQ(check.collectives, 1);
    EXPECT_EQ(traces::describe(check), "");
}

TEST(Clocks, areSetToTheMiddleOfWhatMessagesAllow) {
    // Both ways take equally long, so the middle is the truth.
    const traces::ClockFit fit = traces::fitClocks(ring(5, false, apart));
    ASSERT_TRUE(fit.consistent);
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_EQ(fit.byRank[static_cast<std::size_t>(rank)].offset, Picoseconds{40'000 * us * rank}) << rank;
}

TEST(Clocks, sayHowFarTheyMayBeOff) {
    // A message takes a microsecond each way: so much a neighbour's clock may be wrong, and twice that beyond it.
    const Recording recorded = ring(5, false, apart);
    const traces::ClockFit fit = traces::fitClocks(recorded);
    EXPECT_EQ(fit.slack,
              (std::vector<Picoseconds>{Picoseconds{0}, Picoseconds{us}, Picoseconds{2 * us}, Picoseconds{us}}));
    EXPECT_EQ(traces::ClockUncertainty{recorded}.most(), Picoseconds{0}) << "its times are its own";
    const Recording fitted = traces::corrected(recorded, fit);
    const traces::ClockUncertainty clocks{fitted};
    EXPECT_EQ(clocks.most(), Picoseconds{3 * us}) << "ranks 1 and 2, or 3 and 2";
    EXPECT_EQ(clocks.between(Rank{0}, Rank{2}), Picoseconds{2 * us});
    EXPECT_EQ(clocks.between(Rank{2}, Rank{2}), Picoseconds{0});
    EXPECT_FALSE(clocks.shows(Rank{1}, Rank{2}, Picoseconds{3 * us}));
    EXPECT_TRUE(clocks.shows(Rank{1}, Rank{2}, Picoseconds{3 * us + 1}));
    EXPECT_NE(traces::fittedWords(fitted).find("right within 3 us from rank to rank"), std::string::npos);
}

TEST(Clocks, thatStayAsRecordedAreOffByWhatTheFitWouldAdd) {
    Recording recorded = ring(5, false, agree);
    recorded.fittedClocks.assign(4, {});
    for (std::size_t rank = 0; rank < 3; ++rank) recorded.fittedClocks[rank].tied = true;
    recorded.fittedClocks[1] = {.added = {.offset = Picoseconds{-3 * us}}, .slack = Picoseconds{2 * us}, .tied = true};
    const traces::ClockUncertainty clocks{recorded};
    EXPECT_EQ(clocks.between(Rank{0}, Rank{1}), Picoseconds{5 * us});
    EXPECT_EQ(clocks.most(), Picoseconds{5 * us});
    EXPECT_EQ(clocks.between(Rank{0}, Rank{3}), traces::ClockUncertainty::unknown) << "nothing connects rank 3";
    EXPECT_FALSE(clocks.shows(Rank{0}, Rank{3}, Picoseconds{1000 * us}));
    EXPECT_TRUE(clocks.shows(Rank{0}, Rank{2}, Picoseconds{0})) << "at once";
}

TEST(Clocks, thatBeganApartAreFitted) {
    const Recording recorded = ring(5, true, apart);
    const Recording before = recorded;
    const ClockCheck check = traces::checkClocks(recorded);
    EXPECT_GT(check.received, 0);
    EXPECT_EQ(check.left, 1);
    EXPECT_GT(check.byRank[0], 0);
    EXPECT_NE(traces::describe(check).find("clocks of ranks do not agree"), std::string::npos);

    const traces::ClockFit fit = traces::fitClocks(recorded);
    EXPECT_TRUE(fit.consistent);
    const Recording fitted = traces::corrected(recorded, fit);
    EXPECT_EQ(traces::checkClocks(fitted).violations(), 0);
    EXPECT_TRUE(fitted.corrected);
    EXPECT_EQ(recorded, before) << "times as recorded stay";
    // Shortest delays are alike both ways, and a microsecond long: the offsets are the true ones.
    for (int rank = 0; rank < 4; ++rank)
        EXPECT_EQ((fit.byRank[static_cast<std::size_t>(rank)].offset - fit.byRank[0].offset).count(),
                  40'000 * us * rank);
    EXPECT_EQ(fitted.locations[0].first, Picoseconds{0}) << "time begins at the first event again";
}

TEST(Clocks, areFittedByABarrierAlone) {
    const Recording recorded = ring(0, true, apart);
    const Recording fitted = traces::corrected(recorded, traces::fitClocks(recorded));
    EXPECT_EQ(traces::checkClocks(recorded).left, 1);
    EXPECT_EQ(traces::checkClocks(fitted).violations(), 0);
}

TEST(Clocks, areFittedByMessagesInOneDirection) {
    const Recording recorded = ring(3, false, apart, false);
    const Recording fitted = traces::corrected(recorded, traces::fitClocks(recorded));
    EXPECT_GT(traces::checkClocks(recorded).received, 0);
    EXPECT_EQ(traces::checkClocks(fitted).violations(), 0);
}

TEST(Clocks, thatRunAtOtherSpeedsAreFittedByDrift) {
    const auto drifting = [](int rank, std::int64_t time) { return time + time / 1000 * rank + us * rank; };
    const Recording recorded = ring(400, false, drifting);
    const traces::ClockFit fit = traces::fitClocks(recorded);
    EXPECT_TRUE(fit.consistent);
    EXPECT_NEAR(fit.byRank[3].drift - fit.byRank[0].drift, -0.003, 0.0005);
    EXPECT_EQ(traces::checkClocks(traces::corrected(recorded, fit)).violations(), 0);
}

TEST(Clocks, thatNoLineFitsAreLeftAsTheyAre) {
    RecordingBuilder b{2};
    b.message({.from = Rank{0}, .to = Rank{1}, .sendBegin = Picoseconds{10 * us}, .receiveEnd = Picoseconds{5 * us}});
    b.message({.from = Rank{1}, .to = Rank{0}, .sendBegin = Picoseconds{10 * us}, .receiveEnd = Picoseconds{5 * us}});
    const Recording recorded = b.finish();
    EXPECT_FALSE(traces::fitClocks(recorded).consistent);
    EXPECT_EQ(traces::checkClocks(recorded).received, 2);
}

TEST(Clocks, takeInferredReceivesForNoEvidence) {
    RecordingBuilder b{2};
    b.message({.from = Rank{0},
               .to = Rank{1},
               .sendBegin = Picoseconds{10 * us},
               .receiveEnd = Picoseconds{5 * us},
               .flags = traces::flag::receiveInferred});
    EXPECT_EQ(traces::checkClocks(b.finish()).messages, 0);
}

}  // namespace
