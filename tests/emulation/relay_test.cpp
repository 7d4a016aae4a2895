// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/relay/relay.hpp"

#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/threads/threads.hpp"
#include "engine/proof/partials.hpp"
#include "engine/proof/verify.hpp"
#include "engine/schedule/kernel.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <random>
#include <thread>

namespace emulation {
namespace {

using namespace engine;

bool hasSwitches(const Network& network) {
    for (LinkId link{0}; link.value < network.links(); ++link)
        if (const LinkEnds ends = network.ends(link); std::max(ends.from, ends.to) >= network.places()) return true;
    return network.links() == 0;
}

/// Networks without switches for this many ranks, one of each kind that has any, and some with free places.
std::vector<NetworkPtr> networksFor(int ranks) {
    std::vector<NetworkPtr> networks{makeNetwork(text("mesh:", ranks, " placement=random:5"), ranks),
                                     makeNetwork(text("torus:3x", ranks, " placement=random:2"), ranks),
                                     makeNetwork("hypercube:6 placement=spread", ranks)};
    for (const Topology& kind : topologies()) {
        const std::string name = kind.forRanks != nullptr ? kind.forRanks(ranks) : "";
        if (name.empty()) continue;
        if (NetworkPtr network = makeNetwork(name, ranks); !hasSwitches(*network)) networks.push_back(network);
    }
    return networks;
}

/// All messages as "round: from -> to bytes; ", rounds from 1.
std::string messages(const Schedule& schedule) {
    std::string words;
    for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
        Batch batch;
        schedule.batch(round, Rank{0}, Rank{schedule.facts().ranks}, batch);
        words += text(round.value + 1, ":");
        for (std::size_t i = 0; i < batch.size(); ++i)
            words += text(" ", batch.from()[i], ">", batch.to()[i], "(", batch.bytes()[i], ")");
        words += "; ";
    }
    return words;
}

void expectViewsAgree(const Schedule& schedule) {
    for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
        Batch batch;
        schedule.batch(round, Rank{0}, Rank{schedule.facts().ranks}, batch);
        std::size_t next = 0;
        Bytes combined = 0;
        Turn turn;
        for (Rank rank{0}; rank.value < schedule.facts().ranks; ++rank) {
            schedule.turn(rank, round, turn);
            for (const Message& send : turn.sends()) {
                ASSERT_LT(next, batch.size());
                ASSERT_EQ(batch.from()[next], rank.value);
                ASSERT_EQ(batch.to()[next], send.peer.value);
                ASSERT_EQ(batch.bytes()[next++], send.bytes);
            }
            for (const Message& receive : turn.receives())
                combined += combinedBytes(receive.slots, receive.action, receive.bytes);
        }
        ASSERT_EQ(next, batch.size());
        for (const auto& [rank, bytes] : batch.combining()) combined -= bytes;
        ASSERT_EQ(combined, 0);
    }
}

/// The results of a reduction: which contributions, in which order.
std::vector<PartialVector> results(const Schedule& schedule, const Problem& problem) {
    const Facts& facts = schedule.facts();
    Partials partials{facts, problem};
    std::vector<Turn> turns(static_cast<std::size_t>(facts.ranks));
    for (Round round{0}; round.value < facts.rounds; ++round) {
        for (std::size_t r = 0; r < turns.size(); ++r)
            schedule.turn(Rank{static_cast<std::int32_t>(r)}, round, turns[r]);
        partials.apply(turns);
    }
    std::vector<PartialVector> terms;
    for (Rank rank{0}; rank.value < facts.ranks; ++rank) terms.push_back(partials.result(rank));
    return terms;
}

class EveryRelay : public testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryRelay, isProvedBetweenNeighbours) {
    const Algorithm& algorithm = *GetParam();
    int relayed = 0;
    for (const Problem& problem :
         support::problemsFor(algorithm.collective, isIntergroup(algorithm.collective) ? 4 : 9)) {
        if (algorithm.objects != nullptr && algorithm.objects(problem, Options{algorithm.id, algorithm.options, {}}))
            continue;
        const Plan plan = makePlan(algorithm, problem, {});
        for (const NetworkPtr& network : networksFor(plan.schedule->facts().ranks)) {
            const std::string where = text(algorithm.id, " on ", toText(problem), " on ", network->name());
            const SchedulePtr near = neighboursOnly(plan.schedule, problem, network);
            EXPECT_EQ(near->facts().wiring, network->wiring());
            const Verdict verdict = verify(*near, problem);
            ASSERT_TRUE(verdict.proved) << where << ": " << verdict.counterExample;
            expectViewsAgree(*near);
            if (isReduction(problem.collective) && near->facts().ports == 1) {
                ASSERT_TRUE(results(*near, problem) == results(*plan.schedule, problem)) << where;
            }
            relayed += verdict.messages > verify(*plan.schedule, problem).messages ? 1 : 0;
            ASSERT_FALSE(HasFailure()) << where;
        }
    }
    EXPECT_GT(relayed, 0);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryRelay, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

/// In each round rank r sends the whole line to those that `to` names: shapes, not collectives.
SchedulePtr shape(int ranks, int rounds, int ports, std::vector<std::vector<int>> to) {
    return schedule({.ranks = ranks, .rounds = rounds, .ports = ports, .repeats = "a test"},
                    [to = std::move(to)](Rank rank, Round, auto& out) {
                        for (const int peer : to[rank.index()]) out.send(Rank{peer}, Range{0, 8});
                        for (std::size_t from = 0; from < to.size(); ++from)
                            for (const int peer : to[from])
                                if (peer == rank.value) out.receive(Rank{static_cast<int>(from)}, Range{0, 8});
                    });
}

TEST(Relay, storesAndForwards) {
    const SchedulePtr near =
        neighboursOnly(shape(4, 1, 1, {{2}, {3}, {0}, {1}}), support::bcast(4), makeNetwork("ring", 4));
    EXPECT_EQ(messages(*near), "1: 0>1(8) 1>2(8) 2>3(8) 3>0(8); 2: 0>1(8) 1>2(8) 2>3(8) 3>0(8); ");
}

TEST(Relay, letsTheFarthestGoFirstWherePortsAreScarce) {
    // 0 -> 3 and 2 -> 0 both want to enter rank 1, which has one port.
    const NetworkPtr mesh = makeNetwork("mesh:4", 4);
    const SchedulePtr one = neighboursOnly(shape(4, 1, 1, {{3}, {}, {0}, {}}), support::bcast(4), mesh);
    EXPECT_EQ(messages(*one), "1: 0>1(8); 2: 1>2(8) 2>1(8); 3: 1>0(8) 2>3(8); ");
    const SchedulePtr two = neighboursOnly(shape(4, 1, 2, {{3}, {}, {0}, {}}), support::bcast(4), mesh);
    EXPECT_EQ(messages(*two), "1: 0>1(8) 2>1(8); 2: 1>0(8) 1>2(8); 3: 2>3(8); ");
    const SchedulePtr twice = neighboursOnly(shape(4, 2, 1, {{2}, {3}, {}, {}}), support::bcast(4), mesh);
    EXPECT_EQ(messages(*twice), "1: 0>1(8) 1>2(8); 2: 1>2(8) 2>3(8); 3: 0>1(8) 1>2(8); 4: 1>2(8) 2>3(8); ");
}

TEST(Relay, keepsWhatIsBetweenNeighboursAlready) {
    const Plan plan = makePlan(algorithmNamed("halfduplex-allgather/ring-intragroup"), support::halfduplex(3, 4), {});
    EXPECT_EQ(neighboursOnly(plan.schedule, plan.problem, makeNetwork("ring", 7)), plan.schedule);
    EXPECT_EQ(neighboursOnly(plan.schedule, plan.problem, makeNetwork("full", 7)), plan.schedule);
    const Plan ring = makePlan(algorithmNamed("allgatherv/linear-ring"), support::allgatherv({4, 4, 4, 4, 4, 4}), {});
    // On two rows the snake closes: the same messages, now with a promise about the wiring.
    const NetworkPtr rows = makeNetwork("mesh:2x3 placement=snake", 6);
    const SchedulePtr near = neighboursOnly(ring.schedule, ring.problem, rows);
    EXPECT_EQ(messages(*near), messages(*ring.schedule));
    EXPECT_EQ(near->facts().wiring, rows->wiring());
    EXPECT_EQ(near->facts().repeats, "");
}

TEST(Relay, movesStagesWithTheirRounds) {
    const Plan plan = makePlan(algorithmNamed("bcast/scatter-ring-allgather"), support::bcast(8, 0, 64), {});
    const SchedulePtr near = neighboursOnly(plan.schedule, plan.problem, makeNetwork("ring", 8));
    std::int64_t next = 0;
    for (const Stage& stage : near->facts().stages) {
        EXPECT_EQ(stage.first.value, next);
        next += stage.rounds;
    }
    EXPECT_EQ(next, near->facts().rounds);
    ASSERT_EQ(near->facts().stages.size(), plan.schedule->facts().stages.size());
    // Scattering halves over 4, 2 and 1 links; then every round is between neighbours.
    EXPECT_EQ(near->facts().stages[0].rounds, 4 + 2 + 1);
    EXPECT_EQ(near->facts().stages[1].rounds, 7);
}

TEST(Relay, givesTheSameAnswerInAnyOrderAndOnAnyThread) {
    const Plan plan = makePlan(algorithmNamed("allgatherv/bruck"), support::allgatherv(std::vector<Bytes>(48, 10)), {});
    const SchedulePtr near = neighboursOnly(plan.schedule, plan.problem, makeNetwork("torus:6x8", 48));
    const std::string expected = messages(*near);
    std::vector<std::string> heard(4);
    std::vector<std::jthread> threads;
    for (std::string& words : heard) threads.emplace_back([&] { words = messages(*near); });
    threads.clear();
    for (const std::string& words : heard) EXPECT_EQ(words, expected);
}

TEST(Relay, carriesRealBytesAndPartialResults) {
    for (const auto& [id, problem] :
         std::vector<std::pair<std::string, Problem>>{{"allgatherv/bruck", support::allgatherv({5, 0, 9, 12, 1, 7})},
                                                      {"bcast/binomial-tree", support::bcast(6, 2, 100)},
                                                      {"allreduce/butterfly", support::allreduce(6, 48)},
                                                      {"allreduce/adapted-dissemination", support::allreduce(6, 48)},
                                                      {"barrier/dissemination", support::barrier(6)}}) {
        const Plan plan = makePlan(algorithmNamed(id), problem, {});
        for (const NetworkPtr& network : networksFor(plan.schedule->facts().ranks)) {
            Plan near = plan;
            near.schedule = neighboursOnly(plan.schedule, plan.problem, network);
            const Execution execution = runOnThreads(near);
            EXPECT_TRUE(execution.correct) << id << " on " << network->name() << ": " << execution.fault;
        }
    }
}

TEST(Relay, keepsPartialResultsRightOnManyPorts) {
    for (const char* id : {"allreduce/bruck", "allreduce/dissemination", "allreduce/adapted-dissemination"})
        for (int ranks = 2; ranks <= 27; ++ranks)
            for (const int ports : {2, 3}) {
                Problem problem = support::allreduce(ranks, 24);
                problem.ports = ports;
                const Algorithm& algorithm = algorithmNamed(id);
                if (algorithm.objects != nullptr && algorithm.objects(problem, Options{id, algorithm.options, {}}))
                    continue;
                const Plan plan = makePlan(algorithm, problem, {});
                for (const NetworkPtr& network : networksFor(plan.schedule->facts().ranks)) {
                    const SchedulePtr near = neighboursOnly(plan.schedule, problem, network);
                    const Verdict verdict = verify(*near, problem);
                    ASSERT_TRUE(verdict.proved) << id << " on " << toText(problem) << " on " << network->name() << ": "
                                                << verdict.counterExample;
                }
            }
}

/// Every rank sends its only slot to a random other one, several rounds: partial results cross and wait for each other.
TEST(Relay, deliversRandomExchangesInTheirOrder) {
    std::mt19937 random{11};
    for (int trial = 0; trial < 200; ++trial) {
        const int ranks = 2 + static_cast<int>(random() % 11);
        const int rounds = 1 + static_cast<int>(random() % 4);
        std::vector<std::vector<int>> to(static_cast<std::size_t>(rounds));
        std::vector<std::vector<int>> from = to;
        for (std::size_t round = 0; round < to.size(); ++round) {
            to[round].resize(static_cast<std::size_t>(ranks), -1);
            from[round] = to[round];
            for (int rank = 0; rank < ranks; ++rank) {
                const int peer = static_cast<int>(random() % static_cast<unsigned>(ranks));
                if (peer == rank || from[round][static_cast<std::size_t>(peer)] >= 0) continue;
                to[round][static_cast<std::size_t>(rank)] = peer;
                from[round][static_cast<std::size_t>(peer)] = rank;
            }
        }
        const SchedulePtr exchange =
            schedule({.ranks = ranks, .rounds = rounds}, [to, from](Rank rank, Round round, auto& out) {
                const int peer = to[round.index()][rank.index()];
                const int source = from[round.index()][rank.index()];
                const Action action = rank.value % 3 == 0 ? Action::prepend : Action::append;
                if (peer >= 0) out.sendPartial(Rank{peer}, 0, 8);
                if (source >= 0) out.receivePartial(Rank{source}, 1, action, 8);
            });
        for (const NetworkPtr& network : networksFor(ranks)) {
            const Problem problem = support::allreduce(ranks, 8);
            const SchedulePtr near = neighboursOnly(exchange, problem, network);
            ASSERT_TRUE(results(*near, problem) == results(*exchange, problem))
                << "trial " << trial << " on " << network->name();
        }
    }
}

std::string refusalOf(const std::string& topology, int ranks, const SchedulePtr& schedule, const Problem& problem) {
    try {
        (void)neighboursOnly(schedule, problem, makeNetwork(topology, ranks));
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

TEST(Relay, refusesInSentences) {
    const Plan plan = makePlan(algorithmNamed("bcast/binomial-tree"), support::bcast(8), {});
    EXPECT_EQ(
        refusalOf("fat-tree:4x2", 8, plan.schedule, plan.problem),
        "neighbours-only: fat-tree:4x2 has switches between its ranks, which cannot store messages; choose a network "
        "that links ranks directly, for example torus, mesh or hypercube");
    EXPECT_EQ(refusalOf("ring", 9, plan.schedule, plan.problem),
              "neighbours-only: ring has 9 ranks, but the schedule has 8");
}

TEST(Relay, refusesWhatHasNoSlotLeft) {
    const SchedulePtr full = schedule({.ranks = 3, .rounds = 1, .slots = 32}, [](Rank rank, Round, auto& out) {
        if (rank.value == 0) out.sendPartial(Rank{2}, 0, 8);
        if (rank.value == 2) out.receivePartial(Rank{0}, 1, Action::append, 8);
    });
    EXPECT_EQ(refusalOf("mesh:3", 3, full, support::allreduce(3, 8)),
              "neighbours-only on mesh:3: more partial results are in transit than the 0 a rank can keep; choose a "
              "network with shorter ways");
}

TEST(Relay, refusesToReorderWhatDoesNotCommute) {
    // Rank 1 combines what comes from afar before what its neighbour sends, who cannot wait: 1 and 0 exchange.
    const SchedulePtr exchange = schedule({.ranks = 4, .rounds = 1, .ports = 2}, [](Rank rank, Round, auto& out) {
        if (rank.value == 0 || rank.value == 3) out.sendPartial(Rank{1}, 0, 8);
        if (rank.value == 1) {
            out.sendPartial(Rank{0}, 0, 8);
            out.receivePartial(Rank{3}, 1, Action::append, 8);
            out.receivePartial(Rank{0}, 1, Action::append, 8);
        }
        if (rank.value == 0) out.receivePartial(Rank{1}, 1, Action::append, 8);
    });
    Problem problem = support::allreduce(4, 8);
    EXPECT_EQ(refusalOf("mesh:4", 4, exchange, problem), "");
    problem.operation = Operation::user;
    EXPECT_EQ(refusalOf("mesh:4", 4, exchange, problem),
              "neighbours-only on mesh:4: rank 1 would combine partial results in another order; choose one port or an "
              "operation that commutes");
}

}  // namespace
}  // namespace emulation
