// SPDX-License-Identifier: BSD-3-Clause
// read(write(run)) == run.
#include "traces/recording/archive.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/threads/threads.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/traces/samples.hpp"

#include <limits>

namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Range;
using engine::Rank;
using engine::Round;
using engine::RunBuilder;
using traces::samples::message;
using traces::samples::Scratch;
using traces::samples::tokenRing;

engine::Run thereAndBack(const engine::Run& run) {
    const Scratch scratch;
    traces::write(run, scratch / "archive");
    return traces::read(scratch / "archive");
}

engine::Plan halfduplex(const std::string& id, int p, int q) {
    return engine::makePlan(engine::algorithmNamed(id), support::halfduplex(p, q, 100), {});
}

engine::Run onNetwork(const engine::Plan& plan, const char* topology, std::int64_t budget = RunBuilder::defaultBudget) {
    const auto network = emulation::makeNetwork(topology, plan.schedule->facts().ranks);
    emulation::Conditions conditions;
    conditions.model = {.alpha = Picoseconds{1'000'000}, .beta = engine::Rate{400'000}, .gamma = engine::Rate{100'000}};
    conditions.budget = budget;
    engine::Run run = emulation::emulate(plan, *network, conditions).run;
    run.setting.topology = network->name();
    return run;
}

TEST(RoundTrip, keepsATokenRing) { EXPECT_EQ(thereAndBack(tokenRing()), tokenRing()); }

TEST(RoundTrip, keepsWhatRanksOfASplitPhaseRunDo) {
    engine::Run run = tokenRing();
    run.stages = {{"start", Round{0}, 0}, {"compute", Round{0}, 0}, {"wait", Round{0}, 0}};
    run.spans.clear();
    for (Rank rank{0}; rank.value < run.ranks; ++rank)
        for (std::int32_t stage = 0; stage < 3; ++stage)
            run.spans.push_back({rank, stage, run.duration * stage / 3, run.duration * (stage + 1) / 3});
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsEverythingSaidAboutARun) {
    engine::Run run = tokenRing();
    run.setting = {"virtual",
                   "halfduplex-allgather/ring-intragroup",
                   "segments=4 way=back",
                   "halfduplex-allgather p=1 q=2",
                   "torus:3x1",
                   "alpha=1us beta=0.4ns/B gamma=0ns/B",
                   "lockstep",
                   "bottleneck",
                   "neighbours-only",
                   "arrival=ramp:5ps slow-links=0-1:1.5"};
    run.groupA = 1;
    run.groupB = 1;
    run.entered = {Picoseconds{0}, Picoseconds{7}, Picoseconds{1'000'000'000'000}};
    run.remarks = {"one; two = [three]", "  blanks around  ", "two\nlines", "caf\xc3\xa9 % # \\"};
    run.stages.front().name = "there, \"quoted\"\nand far";
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, refusesTimesThatARankCannotHave) {
    engine::Run run = tokenRing();
    for (const Picoseconds impossible : {Picoseconds{-1}, Picoseconds::max()}) {
        run.entered = {Picoseconds{0}, impossible, Picoseconds{0}};
        EXPECT_THROW(thereAndBack(run), engine::Error);
    }
}

TEST(RoundTrip, keepsNetworksWithOptionsAndPlacements) {
    engine::Run run = tokenRing();
    for (const char* topology : {"torus:3x1,ties=simgrid", "torus:3,link=1us+1ns/B placement=random:4", "mesh:3x1"}) {
        run.setting.topology = topology;
        EXPECT_EQ(thereAndBack(run), run);
    }
}

TEST(RoundTrip, keepsLongWords) {
    engine::Run run = tokenRing();
    run.setting.problem = std::string(1'000'000, 'x');
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsARunThatDidNothing) {
    EXPECT_EQ(thereAndBack(engine::Run{}), engine::Run{});
    engine::Run run = RunBuilder{4, 5, {{"waiting", Round{0}, 5}}}.finish();
    run.duration = Picoseconds{77};
    run.perRank.assign(4, {Picoseconds{1}, Picoseconds{2}, Picoseconds{74}});
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsContentsOfEveryShape) {
    RunBuilder builder{4, 2, {}};
    const std::vector<std::vector<Range>> contents{
        {}, {{0, 5}}, {{7, 9}, {0, 5}}, {{1, 2}, {3, 4}, {5, 6}}, {{3, 3}}, {{Bytes{1} << 40, (Bytes{1} << 40) + 3}}};
    for (std::size_t i = 0; i < contents.size(); ++i)
        builder.message(
            message(static_cast<int>(i % 4), static_cast<int>((i + 1) % 4), static_cast<int>(i / 4), 5, 10, 20),
            contents[i]);
    const engine::Run run = builder.finish();
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsMessagesWithoutBytesAndWithoutTime) {
    RunBuilder builder{2, 2, {}};
    builder.message(message(0, 1, 0, 0, 0, 0), {});
    builder.message(message(1, 0, 1, 0, 0, 0), {});
    builder.message(message(1, 1, 1, 0, 0, 0), {});
    const engine::Run run = builder.finish();
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsTheOrderOfAMultiportTurn) {
    // Sends of one turn, latest first, two of them to one rank; their receives end in a third order.
    RunBuilder builder{3, 1, {}};
    const std::vector<Range> a{{0, 1}}, b{{1, 2}}, c{{2, 3}};
    builder.message({Rank{0}, Rank{1}, Round{0}, 1, Picoseconds{30}, Picoseconds{40}, Picoseconds{50}, Picoseconds{90}},
                    a);
    builder.message({Rank{0}, Rank{1}, Round{0}, 1, Picoseconds{20}, Picoseconds{45}, Picoseconds{50}, Picoseconds{80}},
                    b);
    builder.message({Rank{0}, Rank{2}, Round{0}, 1, Picoseconds{10}, Picoseconds{15}, Picoseconds{50}, Picoseconds{60}},
                    c);
    const engine::Run run = builder.finish();
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsSizesAndTimesOfEveryMagnitude) {
    RunBuilder builder{2, 1, {{"long", Round{0}, 1}}};
    const Picoseconds late{std::int64_t{1} << 61};
    const std::vector<Range> what{{0, Bytes{1} << 62}};
    builder.message({Rank{0}, Rank{1}, Round{0}, Bytes{1} << 62, Picoseconds{0}, late, Picoseconds{1}, late}, what);
    builder.turn({Rank{0}, Round{0}, Picoseconds{0}, late});
    const engine::Run run = builder.finish();
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsManyEventsOfOneRank) {
    // More than one of OTF2's chunks.
    RunBuilder builder{2, 30'000, {{"ping", Round{0}, 30'000}}};
    for (int k = 0; k < 30'000; ++k) builder.message(message(k % 2, 1 - k % 2, k, 8, 10 * k, 10 * k + 9), {});
    const engine::Run run = builder.finish();
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsVirtualRunsOfEveryAlgorithm) {
    for (const engine::Algorithm* algorithm : engine::catalogue())
        for (const engine::Problem& problem : support::problemsFor(algorithm->collective, 4)) {
            if (algorithm->objects != nullptr &&
                algorithm->objects(problem, engine::Options{algorithm->id, algorithm->options, {}}))
                continue;
            const engine::Run run = onNetwork(engine::makePlan(*algorithm, problem, {}), "ring");
            EXPECT_EQ(thereAndBack(run), run) << algorithm->id << ", " << engine::toText(problem);
        }
}

TEST(RoundTrip, keepsRunsOnThreads) {
    const engine::Plan plan = halfduplex("halfduplex-allgather/ring-intragroup", 3, 4);
    const engine::Run run = engine::runOnThreads(plan).run;
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, keepsASecondTime) {
    const engine::Run run = onNetwork(halfduplex("halfduplex-allgather/ring-intragroup", 2, 3), "ring");
    EXPECT_EQ(thereAndBack(thereAndBack(run)), run);
}

TEST(RoundTrip, saysHowManyMessagesAreMissing) {
    const engine::Plan plan = halfduplex("halfduplex-allgather/ring-intragroup", 3, 4);
    engine::Run run = onNetwork(plan, "ring", 5);
    ASSERT_GT(run.droppedMessages, 0);
    const engine::Run back = thereAndBack(run);
    run.remarks.push_back(engine::text(run.droppedMessages, " of ", run.messageCount,
                                       " messages are missing: they were counted, not kept"));
    EXPECT_EQ(back, run);
    EXPECT_EQ(thereAndBack(back), run);
}

TEST(RoundTrip, keepsTwoThousandRanks) {
    constexpr int ranks = 2048;
    RunBuilder builder{ranks, 4, {{"shift", Round{0}, 4}}};
    for (int k = 0; k < 4; ++k)
        for (int r = 0; r < ranks; ++r) {
            const std::vector<Range> what{{r, r + 1}};
            builder.message(message(r, (r + 1) % ranks, k, 1, 10 * k, 10 * k + 9), what);
            builder.turn({Rank{r}, Round{k}, Picoseconds{10 * k}, Picoseconds{10 * k + 9}});
        }
    engine::Run run = builder.finish();
    run.setting.topology = "torus:64x32";
    EXPECT_EQ(thereAndBack(run), run);
}

TEST(RoundTrip, reportsHowFarItIs) {
    const Scratch scratch;
    std::vector<double> shares;
    engine::Progress progress;
    progress.report = [&](double share) { shares.push_back(share); };
    traces::write(tokenRing(), scratch / "archive", traces::Overwrite::refuse, progress);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    ASSERT_FALSE(shares.empty());
    EXPECT_EQ(shares.back(), 1.0);
    shares.clear();
    traces::read(scratch / "archive", progress);
    EXPECT_FALSE(shares.empty());
    for (const double share : shares) EXPECT_TRUE(share >= 0 && share <= 1);
}

}  // namespace
