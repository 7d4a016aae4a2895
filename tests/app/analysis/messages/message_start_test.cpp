// SPDX-License-Identifier: BSD-3-Clause
// Why messages begin when they do, against the waits that are found in another way.
#include "app/analysis/messages/message_start.hpp"

#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/trace/rank_time_breakdown.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/network.hpp"
#include "tests/support/patterns.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include <map>
#include <random>

namespace app::analysis {
namespace {

using engine::Picoseconds;
using engine::Rank;

/// Random patterns of messages in virtual time, in which some rank may come late.
engine::Run randomRun(std::mt19937& random) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const int ranks = 2 + below(6);
    const engine::Plan plan = support::planOf(support::randomSchedule(random, ranks, 1 + below(5), 1 + below(2), 40));
    emulation::Conditions conditions;
    conditions.model = {.alpha = Picoseconds{1 + below(4)}, .beta = engine::Rate{1000}};
    if (below(2) == 0)
        conditions.perturbation.arrival = {
            .pattern = emulation::Arrival::Pattern::late, .most = Picoseconds{below(200)}, .rank = Rank{below(ranks)}};
    return emulation::emulate(plan, *emulation::makeNetwork(below(2) == 0 ? "full" : "ring", ranks), conditions).run;
}

TEST(Start, namesWhoWasLateAsTheWaitsDo) {
    std::mt19937 random{7};
    std::size_t judged = 0;
    for (int turn = 0; turn < 400; ++turn) {
        const engine::Run run = randomRun(random);
        std::map<std::uint32_t, Wait> waited;
        const std::vector<Wait> all = waits(run);
        for (const Wait& wait : all) waited[wait.message] = wait;
        for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
            const Start start = startOf(run, i);
            const Picoseconds begin = std::min(run.messages.sendBegin()[i], run.messages.receiveBegin()[i]);
            const Picoseconds first = std::min(start.sender.since, start.receiver.since);
            const auto wait = waited.find(i);
            if (wait == waited.end()) {
                // What another message ended, too, is a wait for that one.
                const Rank early = start.sender.since <= start.receiver.since ? start.sender.rank : start.receiver.rank;
                EXPECT_TRUE(begin <= first || std::any_of(all.begin(), all.end(), [&](const Wait& one) {
                                return one.rank == early && one.begin == first && one.end() >= begin;
                            }));
                continue;
            }
            ++judged;
            EXPECT_EQ(start.later().rank, wait->second.late);
            EXPECT_EQ(first, wait->second.begin);
            for (const Ready* ready : {&start.sender, &start.receiver}) {
                if (!ready->after) continue;
                const engine::MessageRecord after = run.messages[*ready->after];
                EXPECT_TRUE((after.from == ready->rank && after.sendEnd == ready->since) ||
                            (after.to == ready->rank && after.receiveEnd == ready->since));
            }
        }
    }
    EXPECT_GT(judged, 500U);
}

TEST(Stills, fillWhatMessagesLeaveOfEveryRank) {
    std::mt19937 random{8};
    for (int turn = 0; turn < 200; ++turn) {
        const engine::Run run = randomRun(random);
        for (Rank rank{0}; rank.value < run.ranks; ++rank) {
            Picoseconds sum{};
            for (const IdleInterval& still : idleIntervals(run, rank)) {
                EXPECT_GT(still.time(), Picoseconds{});
                sum += still.time();
                if (still.notYetEntered) {
                    EXPECT_EQ(still.end, rankTimeBreakdownsOf(run)[rank.index()].notYetEntered);
                } else if (still.next) {
                    const bool sends = run.messages.from()[*still.next] == rank;
                    EXPECT_EQ(still.end,
                              sends ? run.messages.sendBegin()[*still.next] : run.messages.receiveBegin()[*still.next]);
                } else {
                    EXPECT_EQ(still.end, run.duration);
                }
            }
            const engine::RankTimes& times = run.perRank[rank.index()];
            EXPECT_EQ(sum, run.duration - times.busy);
        }
    }
}

TEST(Chain, endsWithItsMessageAndHasNoHoles) {
    std::mt19937 random{9};
    for (int turn = 0; turn < 200; ++turn) {
        const engine::Run run = randomRun(random);
        for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
            const std::vector<PathStep> path = criticalPath(run, i);
            if (run.messages.receiveEnd()[i] == Picoseconds{}) continue;
            ASSERT_FALSE(path.empty());
            EXPECT_EQ(path.front().begin, Picoseconds{});
            EXPECT_EQ(path.back().end, run.messages.receiveEnd()[i]);
            EXPECT_TRUE(path.back().isMessage);
            EXPECT_EQ(path.back().to, run.messages.to()[i]);
            for (std::size_t step = 1; step < path.size(); ++step) EXPECT_EQ(path[step].begin, path[step - 1].end);
        }
    }
}

TEST(Chains, areThoseOfEachMessageAskedForAlone) {
    std::mt19937 random{10};
    for (int turn = 0; turn < 100; ++turn) {
        const engine::Run run = randomRun(random);
        Chains chains{run};
        for (std::uint32_t i = 0; i < run.messages.size(); ++i) {
            const Chain chain = chains.to(i, run.messages.size());
            EXPECT_EQ(chain.steps, criticalPath(run, i));
            std::size_t met = 0;
            for (const PathStep& step : chain.steps) {
                if (!step.isMessage) continue;
                ASSERT_LT(met, chain.messages.size());
                EXPECT_EQ(run.messages.from()[chain.messages[met]], step.rank);
                EXPECT_EQ(run.messages.to()[chain.messages[met]], step.to);
                ++met;
            }
            EXPECT_EQ(met, chain.messages.size());
            // Of a long one the end.
            const Chain end = chains.to(i, 2);
            EXPECT_LE(end.messages.size(), 2U);
            EXPECT_TRUE(std::equal(end.messages.rbegin(), end.messages.rend(), chain.messages.rbegin()));
        }
        for (int k = 0; k < 20; ++k) {
            const Rank rank{static_cast<std::int32_t>(random() % static_cast<std::uint32_t>(run.ranks))};
            const Picoseconds time{static_cast<std::int64_t>(random() % 60)};
            std::optional<Picoseconds> first;
            for (std::uint32_t i = 0; i < run.messages.size(); ++i)
                for (const auto& [who, end] : {std::pair{run.messages.from()[i], run.messages.sendEnd()[i]},
                                               {run.messages.to()[i], run.messages.receiveEnd()[i]}})
                    if (who == rank && end > time) first = std::min(first.value_or(end), end);
            const auto found = chains.ofRank(rank, time);
            ASSERT_EQ(found.has_value(), first.has_value());
            if (!found) continue;
            const engine::MessageRecord message = run.messages[*found];
            EXPECT_TRUE((message.from == rank && message.sendEnd == *first) ||
                        (message.to == rank && message.receiveEnd == *first));
        }
    }
}

TEST(TakenOn, isWhatTheReceiverSendsOnLater) {
    engine::RunBuilder builder{3, 3, {}};
    const engine::Range both[]{{0, 8}};
    const engine::Range first[]{{0, 4}};
    const engine::Range other[]{{8, 12}};
    const auto tell = [&](int from, int to, int round, std::span<const engine::Range> what) {
        const Picoseconds begin{10 * round};
        const Picoseconds end{10 * round + 10};
        builder.message({Rank{from}, Rank{to}, engine::Round{round}, 4, begin, end, begin, end}, what);
    };
    tell(0, 1, 0, both);
    tell(1, 2, 1, first);
    tell(1, 2, 2, other);
    const engine::Run run = builder.finish();
    EXPECT_EQ(forwardedMessages(run, 0), std::vector<std::uint32_t>{1});
    EXPECT_TRUE(forwardedMessages(run, 1).empty());
    EXPECT_EQ(startOf(run, 1).brought, 0U);
    EXPECT_FALSE(startOf(run, 2).brought) << "nobody brought it these bytes";
}

}  // namespace
}  // namespace app::analysis
