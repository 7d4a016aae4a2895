// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm of the catalogue is recognised by the messages of its own run alone.
#include "app/analysis/schedule/algorithm_recognition.hpp"

#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/schedule/message_signature.hpp"
#include "app/analysis/schedule/posting_order.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"
#include "tests/support/catalogue_grid.hpp"
#include "tests/support/planned_sequences.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

namespace app::analysis {
namespace {

using engine::Algorithm;
using engine::Collective;
using engine::Problem;

/// Problems that show an algorithm well: a power of two, another number of ranks, and equal and unequal sizes.
std::vector<Problem> problemsOf(Collective collective) {
    switch (collective) {
        case Collective::bcast: return {support::bcast(8, 0, 4096), support::bcast(13, 5, 5000)};
        case Collective::allgatherv:
            return {support::allgatherv(std::vector<engine::Bytes>(8, 1000)),
                    support::allgatherv({100, 0, 700, 300, 50, 900})};
        case Collective::allreduce:
            return {support::allreduce(8, 64), support::allreduce(9, 64), support::allreduce(13, 64)};
        case Collective::barrier: return {support::barrier(8), support::barrier(9)};
        case Collective::halfduplexAllgather:
            return {support::halfduplex(4, 6, 100), support::halfduplex(4, 4, 100), support::halfduplex(8, 8, 96)};
        case Collective::intergroupAllgatherv:
            return {{.collective = collective, .groupA = 8, .groupB = 4, .layout = engine::Layout::regular(12, 100)},
                    {.collective = collective, .groupA = 4, .groupB = 4, .layout = engine::Layout::regular(8, 64)}};
        case Collective::alltoallv:
            return {{.collective = collective, .groupA = 8, .layout = engine::Layout::regular(64, 100)},
                    {.collective = collective, .groupA = 5, .layout = engine::Layout::regular(25, 64)}};
        case Collective::intergroupAlltoallv:
            return {{.collective = collective, .groupA = 4, .groupB = 3, .layout = engine::Layout::regular(24, 100)}};
        case Collective::intergroupBcast:
            return {{.collective = collective, .groupA = 4, .groupB = 6, .layout = engine::Layout::regular(1, 100)}};
        case Collective::intergroupReduce:
        case Collective::intergroupAllreduce:
            return {{.collective = collective, .groupA = 4, .groupB = 6, .layout = engine::Layout::regular(10, 240)}};
        default: break;  // gather, scatter, reduce, reduce-scatter, scan
    }
    std::vector<Problem> problems;
    for (const std::int32_t ranks : {8, 13})
        problems.push_back(
            {.collective = collective, .groupA = ranks, .layout = engine::Layout::regular(ranks, 52 * 8)});
    return problems;
}

/// The run with nothing but its messages and their times, rounds recovered.
engine::Run stripped(const engine::Run& run) {
    std::vector<Sample> samples = samplesOf(run);
    for (Sample& sample : samples) sample.message.round = engine::Round{0}, sample.what.clear();
    return inLogicalRounds(assembled(run.ranks, std::move(samples)));
}

class Recognised : public testing::TestWithParam<const Algorithm*> {};

TEST_P(Recognised, byItsOwnRun) {
    int tried = 0;
    for (const Problem& problem : problemsOf(GetParam()->collective)) {
        engine::Plan plan;
        try {
            plan = engine::makePlan(*GetParam(), problem, {});
        } catch (const engine::Error&) {
            continue;  // this algorithm does not take this problem
        }
        ++tried;
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        const engine::Run run = emulation::emulate(plan, *network, {}).run;
        const std::vector<Recognition> found = recognise(run, problem);
        ASSERT_FALSE(found.empty());
        EXPECT_EQ(found.front().confidence, 1);
        const bool named = std::any_of(found.begin(), found.end(), [&](const Recognition& one) {
            return one.confidence == 1 && one.id() == GetParam()->id;
        });
        EXPECT_TRUE(named) << engine::toText(problem) << " is taken for " << found.front().id();
        // Whatever else is as sure has the very same messages.
        const auto own = support::planned(*plan.schedule).perRank;
        for (const Recognition& one : found) {
            if (one.confidence < 1) continue;
            EXPECT_EQ(support::planned(*one.plan.schedule).perRank, own) << one.id();
        }
        // And without its rounds it is still liker than anything that differs.
        const std::vector<Recognition> again = recognise(stripped(run), problem);
        ASSERT_FALSE(again.empty());
        const double best = again.front().confidence;
        EXPECT_GT(best, 0.9) << engine::toText(problem);
        EXPECT_TRUE(
            std::any_of(again.begin(), again.end(),
                        [&](const Recognition& one) { return one.confidence == best && one.id() == GetParam()->id; }))
            << engine::toText(problem) << " without rounds is taken for " << again.front().id();
    }
    EXPECT_GT(tried, 0);
}

/// Posted in the order of its schedule, of a round in any order; what came when depends on who was first.
engine::Run postedAtRandom(const engine::Schedule& schedule, std::mt19937& random) {
    const engine::Facts& facts = schedule.facts();
    std::vector<engine::MessageRecord> sent;
    std::map<std::pair<engine::Rank, engine::Rank>, std::vector<std::size_t>> between;
    engine::Turn turn;
    std::int64_t now = 0;
    const auto later = [&] { return engine::Picoseconds{now += 1 + static_cast<std::int64_t>(random() % 9)}; };
    for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank.value)
        for (engine::Round round{0}; round.value < facts.rounds; ++round.value) {
            schedule.turn(rank, round, turn);
            std::map<engine::Rank, std::vector<engine::Bytes>> sizes;
            std::vector<engine::Rank> peers;
            for (const engine::Message& send : turn.sends())
                sizes[send.peer].push_back(send.bytes), peers.push_back(send.peer);
            std::ranges::shuffle(peers, random);
            std::map<engine::Rank, std::size_t> next;
            for (const engine::Rank peer : peers) {
                between[{rank, peer}].push_back(sent.size());
                const engine::Picoseconds begin = later();
                sent.push_back({rank, peer, engine::Round{0}, sizes[peer][next[peer]++], begin, later(), {}, {}});
            }
        }
    for (engine::Rank rank{0}; rank.value < facts.ranks; ++rank.value) {
        std::map<engine::Rank, std::size_t> next;
        for (engine::Round round{0}; round.value < facts.rounds; ++round.value) {
            schedule.turn(rank, round, turn);
            std::vector<engine::Rank> peers;
            for (const engine::Message& receive : turn.receives()) peers.push_back(receive.peer);
            std::ranges::shuffle(peers, random);
            for (const engine::Rank peer : peers) {
                engine::MessageRecord& message = sent[between[{peer, rank}][next[peer]++]];
                message.receiveBegin = later();
                message.receiveEnd = later();
            }
        }
    }
    engine::Run run;
    run.ranks = facts.ranks;
    for (const engine::MessageRecord& message : sent) run.messages.push(message, {});
    return run;
}

TEST_P(Recognised, byWhatRanksPosted) {
    std::mt19937 random{7};
    for (const Problem& problem : problemsOf(GetParam()->collective)) {
        engine::Plan plan;
        try {
            plan = engine::makePlan(*GetParam(), problem, {});
        } catch (const engine::Error&) {
            continue;
        }
        const engine::Run run = postedAtRandom(*plan.schedule, random);
        const std::vector<Recognition> found = recogniseNative(run, problem);
        ASSERT_FALSE(found.empty());
        EXPECT_TRUE(
            std::any_of(found.begin(), found.end(),
                        [&](const Recognition& one) { return one.confidence == 1 && one.id() == GetParam()->id; }))
            << engine::toText(problem) << " is taken for " << found.front().id();
    }
}

/// Rank 0 of a binomial tree serves its three children in the other order: one of its sends is in the schedule's order.
TEST(RecognisedNative, byTheOrderOfRounds) {
    const Problem problem = support::bcast(8, 0, 4096);
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("bcast/binomial-tree"), problem, {});
    std::mt19937 random{7};
    const engine::Run run = postedAtRandom(*plan.schedule, random);
    engine::Run turned;
    turned.ranks = run.ranks;
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        engine::MessageRecord message = run.messages[i];
        if (message.from == engine::Rank{0}) message.sendBegin = engine::Picoseconds{1'000'000} - message.sendBegin;
        turned.messages.push(message, {});
    }
    std::int64_t looked = 0;
    EXPECT_EQ(likeness(PostingOrder{run}, *plan.schedule, 0, looked), 1);
    // 14 ends each; in common 12: of three sends of rank 0 one.
    EXPECT_DOUBLE_EQ(likeness(PostingOrder{turned}, *plan.schedule, 0, looked), 12.0 / 14);
}

/// What is not like enough is known before all ranks were looked at, and nothing that is like enough is lost by that.
TEST(RecognisedNative, asFarAsItMustBeLookedAt) {
    std::mt19937 random{7};
    std::int64_t looked = 0, lookedInAll = 0;
    std::size_t enough = 0, tooFew = 0;
    for (const Problem& problem : {support::bcast(6, 0, 4096), support::allreduce(6, 72)})
        for (const engine::Algorithm* const one : engine::algorithmsFor(problem.collective))
            for (const engine::Algorithm* const other : engine::algorithmsFor(problem.collective)) {
                const auto ran = engine::planUnlessRefused(*one, problem, {});
                const auto plan = engine::planUnlessRefused(*other, problem, {});
                if (!ran || !plan) continue;
                const PostingOrder seen{postedAtRandom(*ran->schedule, random)};
                const double alike = likeness(seen, *plan->schedule, 0, lookedInAll);
                for (const double least : {0.5, 0.75, 0.8, 0.99, 1.0}) {
                    ASSERT_EQ(likeness(seen, *plan->schedule, least, looked), alike < least - 1e-9 ? 0 : alike)
                        << one->id << " and " << other->id << ", at least " << least;
                    ++(alike < least ? tooFew : enough);
                }
            }
    EXPECT_GT(enough, 100U);
    EXPECT_GT(tooFew, 100U);
    EXPECT_LT(looked, 4 * lookedInAll);
}

/// The root of a linear barrier receives from any source, and sends in its order.
TEST(RecognisedNative, ofReceivesFromAnySource) {
    const Problem problem{.collective = engine::Collective::barrier, .groupA = 5, .layout = {}};
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("barrier/linear"), problem, {});
    std::mt19937 random{7};
    PostingOrder seen{postedAtRandom(*plan.schedule, random)};
    std::int64_t looked = 0;
    for (int trial = 0; trial < 10; ++trial) {
        std::ranges::shuffle(seen.receives[0], random);
        EXPECT_EQ(likeness(seen, *plan.schedule, 0, looked), 1);
    }
    std::ranges::reverse(seen.sends[0]);
    EXPECT_LT(likeness(seen, *plan.schedule, 0, looked), 1);
}

/// A pairwise exchange backwards: of five messages of a rank one is in order, and none is missing.
TEST(RecognisedNative, ofTheSameMessagesInAnotherOrder) {
    const Problem problem{
        .collective = engine::Collective::alltoallv, .groupA = 6, .layout = engine::Layout::regular(36, 512)};
    const engine::Plan plan =
        engine::makePlan(engine::algorithmNamed("alltoallv/pairwise-exchange"), problem, {{"partners", "shift"}});
    PostingOrder seen{static_cast<std::size_t>(problem.groupA)};
    engine::Turn turn;
    for (engine::Rank rank{0}; rank.value < problem.groupA; ++rank)
        for (engine::Round round{plan.schedule->facts().rounds}; round.value-- > 0;) {
            plan.schedule->turn(rank, round, turn);
            for (const engine::Message& one : turn.sends()) seen.sends[rank.index()].emplace_back(one.peer, one.bytes);
            for (const engine::Message& one : turn.receives())
                seen.receives[rank.index()].emplace_back(one.peer, one.bytes);
        }
    std::int64_t looked = 0;
    EXPECT_DOUBLE_EQ(likeness(seen, *plan.schedule, 0, looked), sameInAnotherOrder);
    seen.sends[0].pop_back();
    EXPECT_LT(likeness(seen, *plan.schedule, 0, looked), 0.5);
}

/// Open MPI sends 40,000 bytes in segments of 8192 and a last one of 7232 bytes; the catalogue's five have 8000 each.
TEST(RecognisedNative, ofSegmentsOfWhichTheLastIsShorter) {
    const Problem problem{
        .collective = engine::Collective::bcast, .groupA = 4, .layout = engine::Layout::regular(1, 40'000)};
    const engine::Plan plan =
        engine::makePlan(engine::algorithmNamed("bcast/pipelined-chain"), problem, {{"segments", "5"}});
    std::mt19937 random{7};
    PostingOrder seen{postedAtRandom(*plan.schedule, random)};
    const auto cut = [&](engine::Bytes last) {
        for (auto* const side : {&seen.sends, &seen.receives})
            for (auto& messages : *side)
                for (std::size_t i = 0; i < messages.size(); ++i) messages[i].second = i % 5 == 4 ? last : 8192;
    };
    cut(7232);
    std::int64_t looked = 0;
    EXPECT_EQ(likeness(seen, *plan.schedule, 0, looked), sameWithOtherSizes);
    cut(7200);
    EXPECT_LT(likeness(seen, *plan.schedule, 0, looked), 0.5) << "other amounts";
}

/// MPICH cuts 64 KiB for six ranks into blocks of 10923 bytes and a last one of 10921; the catalogue's are 10923 or
/// 10922 bytes long.
TEST(RecognisedNative, ofBlocksThatAreCutInAnotherWay) {
    const Problem problem{
        .collective = engine::Collective::bcast, .groupA = 6, .layout = engine::Layout::regular(1, 65536)};
    const engine::Plan plan = engine::makePlan(engine::algorithmNamed("bcast/scatter-ring-allgather"), problem, {});
    std::mt19937 random{7};
    PostingOrder seen{postedAtRandom(*plan.schedule, random)};
    const auto each = [&](auto change) {
        for (auto* const side : {&seen.sends, &seen.receives})
            for (auto& messages : *side)
                for (auto& [peer, bytes] : messages) bytes = change(bytes);
    };
    std::int64_t looked = 0;
    EXPECT_EQ(likeness(seen, *plan.schedule, 0, looked), 1);
    each([](engine::Bytes bytes) { return bytes == 10922 ? 10923 : bytes; });
    EXPECT_EQ(likeness(seen, *plan.schedule, 0, looked), sameWithOtherSizes);
    each([](engine::Bytes bytes) { return bytes == 10923 ? 10930 : bytes; });
    EXPECT_LT(likeness(seen, *plan.schedule, 0, looked), 0.5) << "more than a byte for each rank";
    each([](engine::Bytes bytes) { return bytes == 10930 ? 10923 : bytes; });
    seen.sends[0].pop_back();
    EXPECT_LT(likeness(seen, *plan.schedule, 0, looked), sameWithOtherSizes);
    EXPECT_FALSE(isAlmostAsLarge(8, 7, 16)) << "a sixteenth";
    EXPECT_TRUE(isAlmostAsLarge(17, 16, 16));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Recognised,
                         testing::ValuesIn(engine::catalogue().begin(), engine::catalogue().end()),
                         [](const auto& one) { return support::testName(one.param); });

/// Nothing is known but messages and, of two groups, who is in which: what they solved is found, too.
TEST_P(Recognised, byItsMessagesAlone) {
    for (const Problem& problem : problemsOf(GetParam()->collective)) {
        engine::Plan plan;
        try {
            plan = engine::makePlan(*GetParam(), problem, {});
        } catch (const engine::Error&) {
            continue;
        }
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        engine::Run run = stripped(emulation::emulate(plan, *network, {}).run);
        if (problem.groupB > 0) run.groupA = problem.groupA, run.groupB = problem.groupB;
        double best = 0;
        double own = 0;
        std::string first = "nothing";
        for (const Problem& possible : possibleProblems(run))
            for (const Recognition& one : recognise(run, possible)) {
                if (one.confidence > best) best = one.confidence, first = one.id() + " for " + toText(possible);
                if (one.id() == GetParam()->id) own = std::max(own, one.confidence);
            }
        EXPECT_GT(own, 0.9) << engine::toText(problem) << " is taken for " << first << ", " << best;
        EXPECT_GE(own, best) << engine::toText(problem) << " is taken for " << first;
        return;  // one of them is enough: each is compared with all that it might be
    }
}

/// What an algorithm chose for another model than the usual one is found by what it came to.
TEST(RecognisedChoices, ofAnotherModel) {
    engine::Surroundings around;
    around.model.alpha = around.model.alpha * 37;
    const auto found = [&](const std::string& id, const Problem& problem, const std::string& option) {
        const Algorithm& algorithm = engine::algorithmNamed(id);
        const engine::Plan plan = engine::makePlan(algorithm, problem, {{option, "auto"}}, around);
        const engine::Plan usual = engine::makePlan(algorithm, problem, {{option, "auto"}});
        EXPECT_NE(support::planned(*plan.schedule).perRank, support::planned(*usual.schedule).perRank)
            << id << ": the model makes no difference";
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        const auto all = recognise(stripped(emulation::emulate(plan, *network, {}).run), problem);
        return std::any_of(all.begin(), all.end(),
                           [&](const Recognition& one) { return one.confidence == 1 && one.id() == id; });
    };
    EXPECT_TRUE(found("bcast/pipelined-chain", support::bcast(8, 0, 1 << 18), "segments"));
    EXPECT_TRUE(found("bcast/circulant", support::bcast(7, 0, 1 << 18), "segments"));
    EXPECT_TRUE(found("allgatherv/pipelined-ring", support::allgatherv({100, 0, 70000, 300, 50, 90000}), "block"));
}

/// Exchanges with the same messages in other orders: candidates of one exclude none that another is like.
TEST(Candidates, changeNoRecognition) {
    std::mt19937 random{97};
    Candidates shared;
    int recognised = 0, unlike = 0;
    for (const char* id :
         {"bcast/chain", "bcast/binomial-tree", "allgatherv/linear-ring", "allreduce/ring", "reduce/chain"}) {
        const Algorithm& algorithm = engine::algorithmNamed(id);
        const engine::Plan plan = engine::makePlan(algorithm, problemsOf(algorithm.collective).front(), {});
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        const engine::Run run = emulation::emulate(plan, *network, {}).run;
        for (int trial = 0; trial < 12; ++trial) {
            std::vector<Sample> samples = samplesOf(run);
            // Few or all of the rounds change places; the first trial has them as they are.
            for (int swaps = trial % 4 * trial; swaps > 0; --swaps)
                std::swap(samples[random() % samples.size()].message.round,
                          samples[random() % samples.size()].message.round);
            const engine::Run other = assembled(run.ranks, std::move(samples));
            const std::vector<Recognition> expected = recognise(other), found = recognise(other, shared);
            ASSERT_EQ(found.size(), expected.size()) << id << ' ' << trial;
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_EQ(found[i].id(), expected[i].id()) << id << ' ' << trial;
                EXPECT_EQ(found[i].confidence, expected[i].confidence) << id << ' ' << trial;
            }
            (expected.empty() ? unlike : recognised) += 1;
        }
    }
    EXPECT_GT(recognised, 10);
    EXPECT_GT(unlike, 10);
    EXPECT_FALSE(shared.empty());
}

TEST(PossibleProblems, followFromWhatEveryRankReceived) {
    const auto holds = [](const Algorithm& algorithm, const Problem& problem) {
        const engine::Plan plan = engine::makePlan(algorithm, problem, {});
        const auto network = emulation::makeNetwork("full", plan.schedule->facts().ranks);
        const auto possible = possibleProblems(stripped(emulation::emulate(plan, *network, {}).run));
        return std::find(possible.begin(), possible.end(), problem) != possible.end();
    };
    EXPECT_TRUE(holds(engine::algorithmNamed("bcast/binomial-tree"), support::bcast(6, 4, 100)));
    EXPECT_TRUE(holds(engine::algorithmNamed("allgatherv/linear-ring"), support::allgatherv({3, 0, 7, 7})));
    EXPECT_TRUE(holds(engine::algorithmNamed("allreduce/dissemination"), support::allreduce(8, 40)));
    EXPECT_TRUE(holds(engine::algorithmNamed("barrier/dissemination"), support::barrier(5)));
}

}  // namespace
}  // namespace app::analysis
