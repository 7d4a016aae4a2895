// SPDX-License-Identifier: BSD-3-Clause
// A program of one collective takes in a replay what its own run in virtual time takes, message by message.
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/replay/replay.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <tuple>

namespace emulation {
namespace {

using namespace engine;

/// Keeps the messages of collectives as a run does.
class Kept : public ReplayObserver {
public:
    void message(const MessageRecord& message, std::int64_t) override { all.push_back(message); }
    void did(Rank, std::size_t, Picoseconds, Picoseconds) override {}

    std::vector<MessageRecord> all;
};

auto inOrder(const MessageRecord& m) {
    return std::tuple{m.round, m.from, m.to, m.sendBegin, m.receiveBegin, m.bytes, m.sendEnd, m.receiveEnd};
}

void sort(std::vector<MessageRecord>& records) { std::ranges::sort(records, {}, inOrder); }

/// `beside`: it does not block, and is awaited at once.
Program collectiveAlone(const SchedulePtr& schedule, Rate gamma, bool beside) {
    Program program;
    const std::int32_t ranks = schedule->facts().ranks;
    std::vector<Rank> members;
    for (const Rank rank : Ids<Rank>{ranks}) members.push_back(rank);
    program.ranks.resize(ranks);
    program.collectives.push_back({std::make_shared<const std::vector<Rank>>(std::move(members)), schedule, gamma});
    for (const Rank rank : program.ranks.ids()) {
        program.ranks[rank].add(beside ? Does::starts : Does::enters, 0);
        if (beside) program.ranks[rank].add(Does::ends, 0);
    }
    return program;
}

/// As many conditions as there are trials.
Conditions conditionsOf(int trial, std::int32_t ranks) {
    Conditions conditions{.model = {.alpha = Picoseconds{1000}, .beta = Rate{70'000}, .gamma = Rate{3'170}}};
    conditions.ports = trial % 3;
    if (trial % 2 == 1)
        conditions.perturbation.arrival = {.pattern = Arrival::Pattern::random, .most = Picoseconds{5000}, .seed = 3};
    if (trial % 4 >= 2) conditions.model.eagerLimit = 8;
    if (trial % 5 == 4 && ranks > 1) conditions.perturbation.slowRanks = {{Rank{1}, {2500}}};
    if (trial % 7 == 6) conditions.sharing = Sharing::none;
    if (trial % 8 >= 5) conditions.stepping = Stepping::lockstep;
    return conditions;
}

/// The same where links are shared fairly.
Conditions fairConditionsOf(int trial, std::int32_t ranks) {
    Conditions conditions = conditionsOf(trial, ranks);
    conditions.model.eagerLimit.reset();
    conditions.perturbation.slowRanks.clear();
    conditions.sharing = trial % 4 == 3 ? Sharing::fairWeighted : Sharing::fair;
    if (trial / 3 % 2 == 0) conditions.protocol = {.header = 2, .detached = 6};
    return conditions;
}

/// The same under LogGP.
Conditions logGPConditionsOf(int trial, std::int32_t ranks) {
    Conditions conditions = conditionsOf(trial, ranks);
    conditions.model.eagerLimit.reset();
    if (trial % 4 >= 2) conditions.model.eagerLimit = trial % 3 * 8;
    conditions.model.logGP = LogGP{.latency = Picoseconds{trial % 3 * 900},
                                   .overhead = Picoseconds{1 + trial % 4 * 130},
                                   .gap = Picoseconds{trial % 5 * 190},
                                   .gapPerByte = Rate{trial % 2 * 70'300},
                                   .overheadPerByte = Rate{trial % 7 * 9'100}};
    return conditions;
}

void expectSame(const Plan& plan, const Network& network, const Conditions& conditions, bool beside = false) {
    const Emulated run = emulate(plan, network, conditions);
    Kept kept;
    const Program program = collectiveAlone(plan.schedule, conditions.model.gamma, beside);
    const Replayed replayed = replay(program, network, conditions, {}, &kept);
    ASSERT_TRUE(replayed.stuck.empty());
    std::vector<MessageRecord> expected;
    for (std::size_t i = 0; i < run.run.messages.size(); ++i) expected.push_back(run.run.messages[i]);
    sort(expected);
    sort(kept.all);
    ASSERT_EQ(kept.all, expected);
    EXPECT_EQ(replayed.duration, run.run.duration);
    EXPECT_EQ(replayed.messages, run.run.messageCount);
    EXPECT_EQ(replayed.bytes, run.run.byteCount);
}

class EveryAlgorithmReplayed : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithmReplayed, takesWhatItsOwnRunTakes) {
    const Algorithm& algorithm = *GetParam();
    int trial = 0;
    for (const Problem& problem : support::problemsFor(algorithm.collective, 6)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, Options{"", algorithm.options, {}})) continue;
        const Plan plan = makePlan(algorithm, problem, {});
        const std::int32_t ranks = plan.schedule->facts().ranks;
        for (const char* const network : {"full", "ring"}) {
            SCOPED_TRACE(testing::Message()
                         << algorithm.id << " on " << toText(problem) << ", " << network << ", trial " << trial);
            expectSame(plan, *makeNetwork(network, ranks), conditionsOf(trial, ranks));
            expectSame(plan, *makeNetwork(network, ranks), fairConditionsOf(trial, ranks));
            for (const bool beside : {false, true})
                expectSame(plan, *makeNetwork(network, ranks), logGPConditionsOf(trial, ranks), beside);
            if (HasFailure()) return;
            ++trial;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithmReplayed, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

TEST(ReplayedCollective, isLikeItsRunForAnySchedule) {
    std::mt19937 random{20261123};
    for (int trial = 0; trial < 2000; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 9);
        const Plan plan =
            support::planOf(support::randomSchedule(random, ranks, 1 + static_cast<int>(random() % 6), 1 + trial % 3));
        SCOPED_TRACE(testing::Message() << "trial " << trial);
        const NetworkPtr network = makeNetwork(trial % 2 == 0 ? "full" : "ring", ranks);
        expectSame(plan, *network, conditionsOf(trial, ranks));
        expectSame(plan, *network, fairConditionsOf(trial, ranks));
        expectSame(plan, *network, logGPConditionsOf(trial, ranks), trial % 5 == 0);
        if (HasFailure()) return;
    }
}

}  // namespace
}  // namespace emulation
