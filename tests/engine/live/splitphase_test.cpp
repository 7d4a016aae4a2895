// SPDX-License-Identifier: BSD-3-Clause
// Split-phase allreduces on threads.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/records/record_merging.hpp"
#include "engine/live/splitphase/on_threads.hpp"
#include "engine/live/splitphase/shared_memory_transport.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/problems.hpp"
#include "tests/support/programs/calls.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace {

using namespace engine;
using namespace std::chrono_literals;
using splitphase::Allreduce;
using support::bytesOf;
using support::numbersIn;
using support::numbersOf;
using support::sumOf;

constexpr std::size_t count = 6;

Problem problemOf(int ranks) {
    Problem problem = support::allreduce(ranks, count * sizeof(std::int64_t));
    problem.element = Element::int64;
    return problem;
}

Plan planOf(const char* name, int ranks) {
    return makePlan(algorithmNamed(std::string{"allreduce/"} + name), problemOf(ranks), {});
}

template <class Call>
std::string complaintOf(Call call) {
    try {
        call();
        return "no complaint";
    } catch (const Error& error) {
        return error.what();
    }
}

/// All ranks of a plan in this very thread: every one is driven by hand.
struct ByHand {
    explicit ByHand(const Plan& plan) : board{plan} {
        for (std::int32_t rank = 0; rank < plan.schedule->facts().ranks; ++rank) {
            transports.push_back(board.transportOf(Rank{rank}));
            calls.push_back(std::make_unique<Allreduce>(plan, Rank{rank}, *transports.back()));
        }
    }
    void start(std::size_t rank, int call) {
        calls[rank]->start(bytesOf(numbersOf(static_cast<int>(rank), call, count)));
    }

    splitphase::Board board;
    std::vector<std::unique_ptr<splitphase::Transport>> transports;
    std::vector<std::unique_ptr<Allreduce>> calls;
};

TEST(SplitPhase, everyAllreduceBringsTheRightData) {
    for (const Algorithm* algorithm : algorithmsFor(Collective::allreduce))
        for (const int ranks : {1, 2, 3, 5, 8, 13}) {
            if (algorithm->objects != nullptr &&
                algorithm->objects(problemOf(ranks), Options{"", algorithm->options, {}}))
                continue;
            const Plan plan = makePlan(*algorithm, problemOf(ranks), {});
            const std::vector<splitphase::Settings> ways{
                {.compute = 100us, .tests = 3}, {}, {.compute = 100us, .communicate = false}};
            const auto records = splitphase::onThreads(plan, ways, 3, 1, true);
            ASSERT_EQ(records.size(), static_cast<std::size_t>(plan.schedule->facts().ranks));
            for (const live::Record& record : records) EXPECT_EQ(record.fault, "") << algorithm->id << " on " << ranks;
            for (std::int32_t way = 0; way < 3; ++way) {
                EXPECT_EQ(live::samplesOf(records, way).size(), 3U);
                const Execution execution = live::joined(records, way, 1, &plan, "");
                EXPECT_TRUE(execution.correct) << execution.fault;
                EXPECT_EQ(execution.run.messageCount > 0, way < 2 && ranks > 1) << algorithm->id << " on " << ranks;
            }
        }
}

TEST(SplitPhase, aBarrierLetsNobodyThroughBeforeAllHaveCome) {
    for (const Algorithm* algorithm : algorithmsFor(Collective::barrier))
        for (const int ranks : {2, 5, 8}) {
            const Plan plan = makePlan(*algorithm, support::barrier(ranks), {});
            ByHand byHand{plan};
            const auto turnAll = [&] {
                for (int round = 0; round < 40; ++round)
                    for (std::size_t rank = 1; rank < byHand.calls.size(); ++rank) byHand.calls[rank]->test();
            };
            for (int call = 0; call < 3; ++call) {
                for (std::size_t rank = 1; rank < byHand.calls.size(); ++rank) byHand.calls[rank]->start({});
                turnAll();
                for (std::size_t rank = 1; rank < byHand.calls.size(); ++rank)
                    EXPECT_FALSE(byHand.calls[rank]->test()) << algorithm->id << " on " << ranks << ", rank " << rank;
                byHand.calls[0]->start({});
                for (int round = 0; round < 40; ++round) {
                    byHand.calls[0]->test();
                    turnAll();
                }
                for (auto& each : byHand.calls) EXPECT_TRUE(each->test()) << algorithm->id << " on " << ranks;
            }
            for (const live::Record& record : splitphase::onThreads(plan, {{.compute = 50us, .tests = 2}}, 2, 0, true))
                EXPECT_EQ(record.fault, "") << algorithm->id << " on " << ranks;
        }
}

TEST(SplitPhase, looksWhereItIsTold) {
    using splitphase::looksOf;
    using splitphase::Nanoseconds;
    using splitphase::stretchesOf;
    EXPECT_EQ(stretchesOf({.compute = 9ns, .tests = 3}), (std::vector<Nanoseconds>{3ns, 3ns, 3ns, 0ns}));
    EXPECT_EQ(stretchesOf({.compute = 10ns, .tests = 4}), (std::vector<Nanoseconds>{2ns, 3ns, 2ns, 3ns, 0ns}));
    EXPECT_EQ(stretchesOf({.compute = 9ns, .tests = 0}), (std::vector<Nanoseconds>{9ns}));
    EXPECT_EQ(stretchesOf({.compute = 9ns, .at = {2ns, 5ns, 12ns}}), (std::vector<Nanoseconds>{2ns, 3ns, 4ns, 0ns}));
    EXPECT_EQ(looksOf({.compute = 9ns, .tests = 0}), "without progress calls");
    EXPECT_EQ(looksOf({.compute = 9ns, .tests = 1}), "with 1 test");
    EXPECT_EQ(looksOf({.compute = 9us, .at = {2us, 5us}, .timeout = 1us}), "with looks of 1 us after 2 us and 5 us");
    EXPECT_EQ(looksOf({.compute = 9us, .tests = 2, .timeout = 1us, .looking = 100ns}),
              "with 2 looks of 1 us, each of which costs 100 ns");
}

TEST(SplitPhase, recordsWhatRanksDo) {
    const Plan plan = planOf("pairwise-exchange", 4);
    const auto records = splitphase::onThreads(plan, {{.compute = 2ms}}, 1, 0, true);
    const engine::Run run = live::joined(records, 0, 0, &plan, "").run;
    EXPECT_EQ(run.messageCount, 8);
    ASSERT_EQ(run.stages.size(), 3U);
    EXPECT_EQ(run.stages[1].name, "compute");
    ASSERT_EQ(run.spans.size(), 12U);
    for (std::size_t i = 0; i < run.spans.size(); ++i) {
        const StageSpan& span = run.spans[i];
        EXPECT_EQ(span.stage, static_cast<std::int32_t>(i % 3));
        if (span.stage > 0) {
            EXPECT_EQ(span.begin, run.spans[i - 1].end) << "of rank " << span.rank.value;
        }
        if (span.stage == 1) {
            EXPECT_GE(span.end - span.begin, Picoseconds{2ms}) << "of rank " << span.rank.value;
        }
    }
}

TEST(SplitPhase, aFastRankDoesNotOverwriteWhatASlowOneHasNotRead) {
    const Plan plan = planOf("pairwise-exchange", 2);
    ByHand ranks{plan};
    ranks.start(0, 0);
    ranks.start(1, 0);
    ASSERT_TRUE(ranks.calls[0]->test());
    ranks.start(0, 1);  // writes into slots of rank 1, which has not looked at those of call 0
    ASSERT_TRUE(ranks.calls[1]->test());
    EXPECT_EQ(numbersIn(ranks.calls[1]->result()), sumOf(2, 0, count));
    EXPECT_FALSE(ranks.calls[0]->test());
    ranks.start(1, 1);
    ASSERT_TRUE(ranks.calls[0]->test() && ranks.calls[1]->test());
    EXPECT_EQ(numbersIn(ranks.calls[0]->result()), sumOf(2, 1, count));
}

TEST(SplitPhase, keepsItsPromiseOverAThousandCallsAtAnyPace) {
    for (const char* name : {"pairwise-exchange", "bruck", "adapted-dissemination"}) {
        constexpr int all = 5;
        constexpr int calls = 1000;
        const Plan plan = planOf(name, all);
        splitphase::Board board{plan};
        std::atomic<int> wrong{0};
        {
            std::vector<std::jthread> threads;
            for (int rank = 0; rank < all; ++rank)
                threads.emplace_back([&, rank] {
                    const auto transport = board.transportOf(Rank{rank});
                    Allreduce call{plan, Rank{rank}, *transport};
                    std::mt19937 chance{static_cast<unsigned>(rank)};
                    for (int k = 0; k < calls; ++k) {
                        if (chance() % 4 == 0) std::this_thread::sleep_for(std::chrono::microseconds{chance() % 80});
                        call.start(bytesOf(numbersOf(rank, k, count)));
                        if (chance() % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds{chance() % 80});
                        if (chance() % 2 == 0) call.test();
                        call.wait();
                        if (numbersIn(call.result()) != sumOf(all, k, count)) ++wrong;
                    }
                });
        }
        EXPECT_EQ(wrong, 0) << name;
    }
}

TEST(SplitPhase, aDeadlinePassesAndTheCallGoesOn) {
    const Plan plan = planOf("bruck", 3);
    ByHand ranks{plan};
    ranks.start(0, 0);
    ranks.start(1, 0);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_FALSE(ranks.calls[0]->wait(5ms));
    EXPECT_GE(std::chrono::steady_clock::now() - begin, 5ms);
    EXPECT_FALSE(ranks.calls[0]->wait(0ms));
    ranks.start(2, 0);
    for (int round = 0; round < 3; ++round)
        for (auto& call : ranks.calls) call->test();
    EXPECT_TRUE(ranks.calls[0]->wait(0ms));
    EXPECT_TRUE(ranks.calls[0]->wait()) << "to wait again does no harm";
    EXPECT_EQ(numbersIn(ranks.calls[0]->result()), sumOf(3, 0, count));
}

TEST(SplitPhase, refusesWhatHasNoMeaning) {
    const Plan plan = planOf("pairwise-exchange", 2);
    ByHand ranks{plan};
    EXPECT_EQ(complaintOf([&] { ranks.calls[0]->test(); }),
              "rank 0: no allreduce was started that could be waited for");
    ranks.start(0, 0);
    EXPECT_EQ(complaintOf([&] { ranks.start(0, 1); }),
              "rank 0: an allreduce is in progress and only one can be; wait for it before the next start");
    EXPECT_EQ(complaintOf([&] { (void)ranks.calls[0]->result(); }),
              "rank 0: no allreduce is done whose result there could be");
    EXPECT_EQ(complaintOf([&] { ranks.calls[0]->combineWith(support::largerInto, Operands::mayChangePlaces); }),
              "rank 0: the operation cannot change while an allreduce is in progress; wait for it first");
    EXPECT_EQ(complaintOf([&] { ranks.calls[1]->start(bytesOf({1})); }),
              "rank 1: the vector has 8 bytes, not the 48 of the problem");
    ranks.start(1, 0);
    EXPECT_TRUE(ranks.calls[0]->wait(0ms));
    const Plan flat = makePlan(algorithmNamed("bcast/flat"), support::bcast(4, 0, 100), {});
    EXPECT_EQ(complaintOf([&] { splitphase::requireSplitPhase(flat); }),
              "bcast/flat is neither an allreduce nor a barrier; only these have a split-phase form here");
}

TEST(SplitPhase, refusesASchedulesWhoseRanksDoNotHearFromAll) {
    Plan plan = planOf("pairwise-exchange", 2);
    plan.schedule = schedule(Facts{.ranks = 2, .rounds = 1}, [](Rank rank, Round, auto& out) {
        if (rank.value == 0) out.sendPartial(Rank{1}, 0, 48);
        else out.receivePartial(Rank{0}, 1, Action::append, 48);
    });
    EXPECT_EQ(
        complaintOf([&] { splitphase::requireSplitPhase(plan); }),
        "allreduce/pairwise-exchange: rank 0 can be done before it has heard from rank 1, so that two sets of receive "
        "slots are not enough for repeated split-phase calls");
}

TEST(SplitPhase, takesAnOperationOfTheUser) {
    const Plan plan = planOf("adapted-dissemination", 5);
    ByHand ranks{plan};
    for (auto& call : ranks.calls) call->combineWith(support::largerInto, Operands::mayChangePlaces);
    for (int k = 0; k < 3; ++k) {
        for (std::size_t rank = 0; rank < 5; ++rank) ranks.start(rank, k);
        for (int round = 0; round < 8; ++round)
            for (auto& call : ranks.calls) call->test();
        for (auto& call : ranks.calls) EXPECT_EQ(numbersIn(call->result()), numbersOf(4, k, count));
    }
}

TEST(SplitPhase, keepsOperandsInTheirPlacesOrSaysThatItCannot) {
    const Plan plan = planOf("pairwise-exchange", 8);
    ByHand ranks{plan};
    for (auto& call : ranks.calls) call->combineWith(support::composeInto, Operands::keepPlaces);
    support::Numbers wanted = numbersOf(0, 0, count);
    for (int rank = 1; rank < 8; ++rank) {
        support::Numbers next = numbersOf(rank, 0, count);
        support::composeInto(bytesOf(wanted), std::as_writable_bytes(std::span{next}));
        wanted = next;
    }
    for (std::size_t rank = 0; rank < 8; ++rank) ranks.start(rank, 0);
    for (int round = 0; round < 4; ++round)
        for (auto& call : ranks.calls) call->test();
    for (auto& call : ranks.calls) EXPECT_EQ(numbersIn(call->result()), wanted);

    for (const char* name : {"bruck", "adapted-dissemination"}) {
        const Plan turning = planOf(name, 8);
        ByHand others{turning};
        EXPECT_NE(complaintOf([&] {
                      others.calls[0]->combineWith(support::composeInto, Operands::keepPlaces);
                  }).find("combines in another order than 0, 1, ..., 7 on rank "),
                  std::string::npos)
            << name;
    }
    const Plan uneven = planOf("pairwise-exchange", 5);
    EXPECT_NE(complaintOf([&] { splitphase::requireSplitPhase(uneven, Operands::keepPlaces); }), "no complaint");
}

TEST(SplitPhase, stopsWhenAsked) {
    const Plan plan = planOf("pairwise-exchange", 4);
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(
        splitphase::onThreads(plan, std::vector<splitphase::Settings>(1), 1000, 0, true, {.stop = stop.get_token()}),
        Cancelled);
}

}  // namespace
