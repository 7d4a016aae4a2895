// SPDX-License-Identifier: BSD-3-Clause
// Strands that do not join. The judge: a schedule whose strands join only at its end is one of twice as many ranks, of
// which one half only sends and the other only receives.
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/patterns.hpp"
#include "tests/support/reference/slow_clock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace emulation {
namespace {

using namespace engine;
using support::planOf;

using Sizes = std::vector<Bytes>;

/// The same messages, with strands that join at the end.
SchedulePtr uncoupled(const SchedulePtr& schedule) {
    Facts facts = schedule->facts();
    facts.uncoupled = {Round{0}, facts.rounds};
    return engine::schedule(std::move(facts), Borrowed{schedule});
}

/// Rank r sends, rank n + r receives what r would.
SchedulePtr tornInTwo(const SchedulePtr& whole) {
    Facts facts = whole->facts();
    const std::int32_t n = facts.ranks;
    facts.ranks = 2 * n;
    return schedule(std::move(facts), [whole, n](Rank rank, Round round, auto& out) {
        Turn turn;
        whole->turn(Rank{rank.value % n}, round, turn);
        if (rank.value < n)
            for (const Message& send : turn.sends()) out.send(send.peer + n, turn.ranges(send));
        else
            for (const Message& receive : turn.receives()) out.receive(receive.peer, turn.ranges(receive));
    });
}

Conditions conditionsOf(int trial) {
    Conditions conditions{.model = {.alpha = Picoseconds{trial % 4 * 100}, .beta = Rate{1000}}};
    switch (trial % 5) {
        case 1: conditions.model.eagerLimit = 150; break;
        case 2: conditions.sharing = Sharing::fair; break;
        case 3: conditions.sharing = Sharing::fair, conditions.protocol = {.header = 16, .detached = 200}; break;
        default: break;
    }
    return conditions;
}

TEST(Strands, areLikeTwiceAsManyRanks) {
    std::mt19937 random{20261122};
    for (int trial = 0; trial < 1000; ++trial) {
        const int ranks = 1 + static_cast<int>(random() % 8);
        const SchedulePtr schedule =
            support::randomSchedule(random, ranks, 1 + static_cast<int>(random() % 7), 1 + trial % 3);
        const Conditions conditions = conditionsOf(trial);
        const engine::Run strands = emulate(planOf(uncoupled(schedule)), *makeNetwork("full", ranks), conditions).run;
        const engine::Run torn = emulate(planOf(tornInTwo(schedule)), *makeNetwork("full", 2 * ranks), conditions).run;
        ASSERT_EQ(strands.duration, torn.duration) << "trial " << trial;
        ASSERT_EQ(strands.duration, makespan(planOf(uncoupled(schedule)), *makeNetwork("full", ranks), conditions));
        ASSERT_TRUE(std::ranges::equal(strands.messages.sendBegin(), torn.messages.sendBegin())) << "trial " << trial;
        ASSERT_TRUE(std::ranges::equal(strands.messages.receiveEnd(), torn.messages.receiveEnd())) << "trial " << trial;
        for (std::size_t r = 0; r < strands.perRank.size(); ++r) {
            const RankTimes& times = strands.perRank[r];
            const Picoseconds sends = torn.perRank[r].busy;
            const Picoseconds receives = torn.perRank[r + strands.perRank.size()].busy;
            ASSERT_GE(times.busy, std::max(sends, receives)) << "trial " << trial;
            ASSERT_LE(times.busy, sends + receives) << "trial " << trial;
            ASSERT_EQ(times.busy + times.noCommunication + times.finishedEarly, strands.duration) << "trial " << trial;
        }
    }
}

TEST(Strands, joinBeforeTheNextRoundBegins) {
    // Rank 0 sends 900 B and receives 100 B; what it then tells rank 2 leaves when both are done.
    const auto kernel = [](Rank rank, Round round, auto& out) {
        const auto hop = [&](std::int64_t when, int from, int to, Bytes bytes) {
            if (round.value != when) return;
            if (rank.value == from) out.send(Rank{to}, Range{0, bytes});
            if (rank.value == to) out.receive(Rank{from}, Range{0, bytes});
        };
        hop(0, 0, 1, 900), hop(1, 1, 0, 100), hop(2, 0, 2, 10);
    };
    for (const Sharing sharing : {Sharing::none, Sharing::fair}) {
        const Conditions conditions{.model = {.alpha = Picoseconds{0}, .beta = Rate{1000}}, .sharing = sharing};
        const auto timeOf = [&](Rounds rounds) {
            const Facts facts{.ranks = 3, .rounds = 3, .uncoupled = rounds};
            return makespan(planOf(schedule(facts, kernel)), *makeNetwork("full", 3), conditions).count();
        };
        EXPECT_EQ(timeOf({}), 1010);
        EXPECT_EQ(timeOf({Round{0}, 2}), 910);
        EXPECT_EQ(timeOf({Round{1}, 2}), 1000) << "the last send does not wait for the receive";
    }
}

TEST(Strands, areOneInLockstep) {
    std::mt19937 random{5};
    for (int trial = 0; trial < 50; ++trial) {
        const SchedulePtr schedule = support::randomSchedule(random, 6, 5, 1);
        for (const Sharing sharing : {Sharing::none, Sharing::fair}) {
            const Conditions step{.stepping = Stepping::lockstep, .sharing = sharing};
            ASSERT_EQ(makespan(planOf(uncoupled(schedule)), *makeNetwork("full", 6), step),
                      makespan(planOf(schedule), *makeNetwork("full", 6), step));
        }
    }
}

Plan balanced(const Sizes& kA, const Sizes& kB) {
    Sizes sizes = kA;
    sizes.insert(sizes.end(), kB.begin(), kB.end());
    return makePlan(algorithmNamed("intergroup-allgatherv/balanced"),
                    {.collective = Collective::intergroupAllgatherv,
                     .groupA = static_cast<std::int32_t>(kA.size()),
                     .groupB = static_cast<std::int32_t>(kB.size()),
                     .layout = Layout::irregular(sizes)},
                    {});
}

/// Picoseconds of the whole operation at 1 ps/B without startups: each rank has a port out and a port in, which know
/// nothing of each other until the exchange is over. `exchange`: when its last port is done.
std::int64_t withTwoPorts(const Plan& plan, std::int64_t& exchange) {
    const Facts& facts = plan.schedule->facts();
    const auto ranks = static_cast<std::size_t>(facts.ranks);
    std::vector<std::int64_t> out(ranks);
    std::vector<std::int64_t> in(ranks);
    exchange = 0;
    Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        const bool gathers = facts.stages[static_cast<std::size_t>(plan.schedule->stageOf(round))].name == "gather";
        for (std::size_t r = 0; r < ranks && gathers; ++r) out[r] = in[r] = std::max(out[r], in[r]);
        std::vector<std::int64_t> outThen = out;
        std::vector<std::int64_t> inThen = in;
        for (std::size_t r = 0; r < ranks; ++r) {
            plan.schedule->turn(Rank{static_cast<std::int32_t>(r)}, round, turn);
            for (const Message& send : turn.sends()) {
                const auto to = send.peer.index();
                outThen[r] = out[r] + send.bytes;
                inThen[to] = std::max(out[r], in[to]) + send.bytes;
            }
        }
        out = outThen;
        in = inThen;
        for (std::size_t r = 0; r < ranks && !gathers; ++r) exchange = std::max({exchange, out[r], in[r]});
    }
    return std::max(*std::max_element(out.begin(), out.end()), *std::max_element(in.begin(), in.end()));
}

/// The least time of one direction: the longest contribution must leave, and every receiver must get its range.
std::int64_t leastTime(const Sizes& sizes, std::size_t receivers) {
    const Bytes total = std::accumulate(sizes.begin(), sizes.end(), Bytes{0});
    const auto ranges = static_cast<Bytes>(receivers);
    return std::max(*std::max_element(sizes.begin(), sizes.end()), (total + ranges - 1) / ranges);
}

void expectTwoPorts(const Sizes& kA, const Sizes& kB) {
    const Plan plan = balanced(kA, kB);
    std::int64_t exchange = 0;
    const std::int64_t all = withTwoPorts(plan, exchange);
    EXPECT_EQ(exchange, std::max(leastTime(kA, kB.size()), leastTime(kB, kA.size()))) << toText(plan.problem);
    const Conditions conditions{.model = {.alpha = Picoseconds{0}, .beta = Rate{1000}}};
    const NetworkPtr full = makeNetwork("full", plan.schedule->facts().ranks);
    EXPECT_EQ(makespan(plan, *full, conditions).count(), all) << toText(plan.problem);
    const engine::Run run = emulate(plan, *full, conditions).run;
    EXPECT_EQ(run.duration.count(), all);
    std::int64_t end = 0;
    for (const StageSpan& span : run.spans)
        if (span.stage == 0) end = std::max(end, span.end.count());
    EXPECT_EQ(end, exchange) << toText(plan.problem);
    Conditions fair = conditions;
    fair.sharing = Sharing::fair;
    EXPECT_GE(makespan(plan, *full, fair).count(), exchange);
}

TEST(Strands, letTheBalancedExchangeTakeTheTimeOfItsSlowerDirection) {
    expectTwoPorts(Sizes(50, 700), Sizes(14, 700));
    expectTwoPorts(Sizes(14, 700), Sizes(50, 700));
    std::mt19937 random{3};
    for (int trial = 0; trial < 300; ++trial) {
        const auto sizes = [&](std::size_t most) {
            Sizes drawn(1 + random() % 24);
            for (Bytes& size : drawn) size = random() % 4 == 0 ? 0 : static_cast<Bytes>(random() % most);
            return drawn;
        };
        expectTwoPorts(sizes(600), sizes(trial % 2 == 0 ? 600 : 9));
    }
}

}  // namespace
}  // namespace emulation
