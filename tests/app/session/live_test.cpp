// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/run/live.hpp"
#include "app/session/options/run_options.hpp"
#include "app/session/run/calibration.hpp"
#include "app/session/run/split_phase.hpp"
#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using engine::Picoseconds;

TEST(LiveOrders, areReadBackAsTheyWere) {
    LiveOrder order{.repeats = 20, .warmUps = 2, .check = false, .neighbours = "torus:4x4"};
    order.entries = {
        {"bcast/flat", "groups=2", "bcast p=4 sizes=1x12", ""},
        {"bcast/native", "groups=2", "bcast p=4 sizes=1x12", "ring"},
        {"allreduce/bruck", "", "allreduce p=4 sizes=4x12", "",
         engine::splitphase::Settings{
             .by = engine::splitphase::By::twoSided, .compute = std::chrono::milliseconds{2}, .tests = 7}}};
    EXPECT_EQ(orderFromText(toText(order)), order);
    order.entries.back().split->tests = 0;
    order.entries.back().split->at = {std::chrono::microseconds{5}, std::chrono::microseconds{9}};
    order.entries.back().split->timeout = std::chrono::microseconds{3};
    EXPECT_EQ(orderFromText(toText(order)), order);
    order.entries.front().file = "function rounds()\n\treturn \"\\n\"\nend\\";
    EXPECT_EQ(orderFromText(toText(order)), order);
    order.exchanges = {1024, 65536};
    EXPECT_EQ(orderFromText(toText(order)), order);
}

TEST(LiveOrders, areRefusedWhereTheyMeanNothing) {
    EXPECT_THROW(orderFromText("dance\t3\n"), engine::Error);
    EXPECT_THROW(orderFromText("repeats\tmany\n"), engine::Error);
    EXPECT_THROW(orderFromText("words\n"), engine::Error);
    EXPECT_THROW(orderFromText("entry\tallreduce/bruck\t\tallreduce p=4 sizes=4x12\t\tby-pigeon 5 1\n"), engine::Error);
}

/// What processes would be told; none is started.
bool isGranted(const Specification& wish) {
    bool granted = false;
    const auto launch = [&](const LiveOrder& order, const std::filesystem::path&, std::int32_t,
                            const engine::Progress&) -> Launched {
        granted = order.granted;
        throw engine::Error{"nothing is started here"};
    };
    EXPECT_THROW((void)executeLive(wish, launch), engine::Error);
    return granted;
}

TEST(Grants, areGivenBetweenNeighboursOnHostsWhereTheyAddLittle) {
    Specification wish{.run = {.algorithm = "halfduplex-allgather/ring-streams",
                               .problem = {.groupA = 4, .groupB = 4, .size = 256 << 10},
                               .on = "mpi"},
                       .launcher = {.lab = true}};
    wish.run.network = {.topology = "ring", .neighboursOnly = true};
    EXPECT_TRUE(isGranted(wish));
    Specification other = wish;
    other.launcher = {.hostfile = "hosts"};
    EXPECT_TRUE(isGranted(other));
    other.launcher = {};
    EXPECT_FALSE(isGranted(other)) << "on one host no port is a bottleneck";
    other.grants = Grants::always;
    EXPECT_TRUE(isGranted(other));
    other = wish;
    other.grants = Grants::never;
    EXPECT_FALSE(isGranted(other));
    other = wish;
    other.run.network.neighboursOnly = false;
    EXPECT_FALSE(isGranted(other));
    // At 0.4 ns/B 50,000 bytes take 20 us, of which a startup of 1 us is 5%.
    other = wish;
    other.run.problem.size = 50'000;
    EXPECT_TRUE(isGranted(other));
    other.run.problem.size = 49'900;
    EXPECT_FALSE(isGranted(other));
    other = wish;
    other.run.model.alpha = Picoseconds{std::chrono::microseconds{6}};
    EXPECT_FALSE(isGranted(other));
}

TEST(Grants, addAStartupPerRoundToTheBytes) {
    Specification wish{.run = {.algorithm = "halfduplex-allgather/ring-streams",
                               .problem = {.groupA = 4, .groupB = 4, .size = 50'000},
                               .on = "mpi"},
                       .launcher = {.hostfile = "hosts"}};
    wish.run.network = {.topology = "ring", .neighboursOnly = true};
    EXPECT_EQ(addedByGrants(wish), littleAdded);
    wish.run.problem.size = 25'000;
    EXPECT_EQ(addedByGrants(wish), 2 * littleAdded);
    wish.grants = Grants::never;
    EXPECT_FALSE(addedByGrants(wish)) << "the user has decided";
    wish.grants = Grants::wherePaying;
    wish.launcher = {};
    EXPECT_FALSE(addedByGrants(wish)) << "on one host they are not considered";
}

TEST(Grants, areAskedForAndRefusedInEitherOrder) {
    for (const auto& [first, second] : {std::pair{"granted", "no-grants"}, std::pair{"no-grants", "granted"}}) {
        Specification wish;
        fields::find(first)->take(wish, "", first);
        EXPECT_NO_THROW(fields::find(first)->take(wish, "", first));
        try {
            fields::find(second)->take(wish, "", second);
            ADD_FAILURE() << first << " and " << second << " were taken";
        } catch (const engine::Error& error) {
            EXPECT_EQ(std::string{error.what()},
                      std::string{second} + ": " + first + " requests the opposite; leave one of them out");
        }
    }
}

TEST(SplitPhase, saysHowMuchOfTheCommunicationWasHidden) {
    using std::chrono::milliseconds;
    const Overlap none{.settings = {}, .alone = Picoseconds{milliseconds{4}}};
    EXPECT_FALSE(none.hidden());
    const auto share = [](milliseconds together) {
        return *Overlap{.settings = {.compute = milliseconds{10}},
                        .alone = Picoseconds{milliseconds{4}},
                        .together = Picoseconds{together},
                        .computation = Picoseconds{milliseconds{10}}}
                    .hidden();
    };
    EXPECT_DOUBLE_EQ(share(milliseconds{10}), 1);
    EXPECT_DOUBLE_EQ(share(milliseconds{13}), 0.25);
    EXPECT_DOUBLE_EQ(share(milliseconds{20}), 0) << "it cannot be less than nothing";
}

TEST(SplitPhase, runsOnThreads) {
    Specification wish{.run = {.algorithm = "allreduce/bruck", .problem = {.ranks = 4, .size = 1024}, .on = "threads"},
                       .repeats = 3,
                       .split = engine::splitphase::Settings{.compute = std::chrono::milliseconds{1}}};
    const LiveReport report = executeLive(wish, {});
    EXPECT_TRUE(report.report.correct) << report.report.fault;
    EXPECT_EQ(report.report.run->setting.on, "threads");
    EXPECT_EQ(report.measurement.methods.size(), 3U);
    EXPECT_EQ(report.measurement.hosts.size(), 4U);
    ASSERT_TRUE(report.overlap && report.overlap->together);
    EXPECT_GE(*report.overlap->together, Picoseconds{std::chrono::milliseconds{1}});
    ASSERT_FALSE(report.report.run->remarks.empty());
    EXPECT_EQ(report.report.run->remarks.front(),
              "split-phase, one-sided, 1 ms of computation on every rank between start "
              "and wait, with 16 tests");
    wish.run.algorithm = "bcast/flat";
    EXPECT_THROW((void)executeLive(wish, {}), engine::Error);
}

Specification inVirtualTime(const std::string& algorithm, std::int64_t ranks, std::chrono::nanoseconds compute,
                            std::int32_t tests) {
    Specification wish{.run = {.algorithm = algorithm, .problem = {.ranks = ranks, .size = 8}},
                       .split = engine::splitphase::Settings{.compute = compute, .tests = tests}};
    wish.run.model = {.alpha = Picoseconds{1'000'000}, .beta = {}};
    return wish;
}

TEST(SplitPhase, runsInVirtualTime) {
    using std::chrono::microseconds;
    // 16 ranks, four rounds of 1 us: each look moves one of them.
    const SplitReport looking = executeInHalves(inVirtualTime("allreduce/bruck", 16, microseconds{10}, 2));
    EXPECT_EQ(looking.overlap.alone, Picoseconds{4'000'000});
    EXPECT_EQ(looking.overlap.computation, Picoseconds{10'000'000});
    EXPECT_EQ(*looking.overlap.together, Picoseconds{12'000'000}) << "rounds three and four are left";
    EXPECT_DOUBLE_EQ(*looking.overlap.hidden(), 0.5);
    EXPECT_EQ(looking.overlap.calls->most, 4);
    EXPECT_FALSE(looking.report.timeBound());
    EXPECT_EQ(looking.report.run->remarks.front(),
              "split-phase, one-sided, 10 us of computation on every rank between start and wait, with 2 tests");
    ASSERT_EQ(looking.report.run->stages.size(), 3U);
    EXPECT_EQ(looking.report.run->stages[1].name, "compute");
    EXPECT_TRUE(looking.report.verdict && looking.report.verdict->proved);

    Specification alone = inVirtualTime("barrier/dissemination", 16, {}, 2);
    EXPECT_FALSE(executeInHalves(alone).overlap.hidden());
    alone.run.algorithm = "bcast/flat";
    EXPECT_THROW((void)executeInHalves(alone), engine::Error);
}

TEST(SplitPhase, needsFewerCallsInFewerRounds) {
    const auto calls = [](const std::string& algorithm, const std::map<std::string, std::string>& options) {
        Specification wish = inVirtualTime(algorithm, 96, std::chrono::milliseconds{1}, 100);
        wish.run.options = options;
        return executeInHalves(wish).overlap.calls->most;
    };
    EXPECT_EQ(calls("allreduce/bruck", {{"n", "5"}}), 4) << "start, and a look for each of three rounds";
    EXPECT_EQ(calls("allreduce/bruck", {}), 8);
    EXPECT_GT(calls("allreduce/binomial-tree", {}), 8);
}

TEST(Calibration, findsTheLineThatTimesLieOn) {
    std::vector<engine::Bytes> sizes;
    std::vector<Picoseconds> times;
    for (engine::Bytes size = 1024; size <= 1 << 20; size *= 4) {
        sizes.push_back(size);
        times.emplace_back(50'000'000 + size * 80'000);
    }
    const engine::Model model = fitted(sizes, times);
    EXPECT_NEAR(static_cast<double>(model.alpha.count()), 50e6, 1e3);
    EXPECT_NEAR(static_cast<double>(model.beta.femtosecondsPerByte), 80e6, 1e3);
}

TEST(Calibration, neverGoesBelowZero) {
    const engine::Model model = fitted({1000, 2000}, {Picoseconds{1'000}, Picoseconds{3'000}});
    EXPECT_EQ(model.alpha.count(), 0);
    EXPECT_GT(model.beta.femtosecondsPerByte, 0);
    EXPECT_EQ(fitted({1000, 2000}, {Picoseconds{5'000}, Picoseconds{5'000}}).beta.femtosecondsPerByte, 0);
    EXPECT_THROW(fitted({1000}, {Picoseconds{1}}), engine::Error);
}

TEST(Load, isAShare) {
    const Load load = lookAtLoad();
    EXPECT_GE(load.busy, 0);
    EXPECT_LE(load.busy, 1);
    EXPECT_GE(load.processors, 1);
}

}  // namespace
}  // namespace app
