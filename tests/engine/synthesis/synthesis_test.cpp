// SPDX-License-Identifier: BSD-3-Clause
// Schedules that are found are proved by the verifier; what is called impossible or fewest, an exhaustive search says
// too.
#include "engine/base/error.hpp"
#include "engine/proof/verify.hpp"
#include "engine/synthesis/counting_bounds.hpp"
#include "engine/synthesis/sat_search.hpp"
#include "tests/support/reference/drat.hpp"
#include "tests/support/reference/exhaustive_schedules.hpp"

#include <gtest/gtest.h>

#include <unistd.h>
#include <array>
#include <filesystem>
#include <fstream>
#include <random>

namespace engine::synthesis {
namespace {

const Patience patient{.time = std::chrono::minutes{5}};

void link(Fabric& fabric, std::int32_t from, std::int32_t to, std::int32_t lanes) {
    fabric.channels.push_back({from, to, {static_cast<std::int32_t>(fabric.lanes.size())}});
    fabric.lanes.push_back(lanes);
}

/// The links of SCCL's DGX-1 (PPoPP 2021, figure 1).
Fabric dgx1() {
    Fabric fabric{.ranks = 8};
    for (const auto& [a, b, lanes] : std::vector<std::array<std::int32_t, 3>>{{0, 1, 2},
                                                                              {0, 2, 1},
                                                                              {0, 3, 1},
                                                                              {0, 4, 2},
                                                                              {1, 2, 1},
                                                                              {1, 3, 2},
                                                                              {1, 5, 1},
                                                                              {2, 3, 2},
                                                                              {2, 6, 2},
                                                                              {3, 7, 1},
                                                                              {4, 5, 2},
                                                                              {4, 6, 1},
                                                                              {4, 7, 1},
                                                                              {5, 6, 1},
                                                                              {5, 7, 2},
                                                                              {6, 7, 2}}) {
        link(fabric, a, b, lanes);
        link(fabric, b, a, lanes);
    }
    return fabric;
}

Problem problemOf(Collective collective, std::int32_t p, std::int32_t q, Bytes each) {
    Problem problem{.collective = collective, .groupA = p, .groupB = q};
    std::int32_t count = p + q;
    if (collective == Collective::bcast || collective == Collective::intergroupBcast) count = 1;
    if (collective == Collective::halfduplexAllgather) count = p;
    if (collective == Collective::alltoallv) count = p * p;
    if (collective == Collective::intergroupAlltoallv) count = 2 * p * q;
    problem.layout = Layout::regular(count, each);
    return problem;
}

/// What `sends` put on each link and port fits into the rounds that were found, and the verifier proves the schedule.
void expectRight(const Problem& problem, const SearchProblem& question, const Fabric& fabric, std::int32_t steps,
                 const Found& found) {
    ASSERT_EQ(found.inStep.size(), asSize(steps));
    std::int32_t rounds = 0;
    for (std::int32_t step = 0; step < steps; ++step) {
        std::vector<std::int32_t> loads(fabric.lanes.size());
        for (const Send& send : found.sends) {
            if (send.step != step) continue;
            const auto channel = std::find_if(fabric.channels.begin(), fabric.channels.end(), [&](const Channel& one) {
                return one.from == send.from && one.to == send.to;
            });
            ASSERT_NE(channel, fabric.channels.end());
            for (const std::int32_t on : channel->links) ++loads[asSize(on)];
        }
        rounds += found.inStep[asSize(step)];
        for (std::size_t on = 0; on < loads.size(); ++on)
            EXPECT_LE(loads[on], fabric.lanes[on] * found.inStep[asSize(step)]);
    }
    EXPECT_EQ(rounds, found.rounds);
    const schedules::Stored stored = storedOf(problem, question, steps, found.sends, found.sends);
    if (fabric.ports > 0) {
        EXPECT_LE(stored.facts.ports, fabric.ports);
    }
    const Verdict verdict = verify(*scheduleOf(stored), stored.problem);
    EXPECT_TRUE(verdict.proved) << toText(problem) << ": " << verdict.counterExample;
}

/// Chunks, steps, rounds.
using Csr = std::array<std::int32_t, 3>;

Decision onDgx1(Collective collective, const Csr& asked) {
    const auto [chunks, steps, rounds] = asked;
    const Problem problem = problemOf(collective, 8, 0, 840 * 8);
    const SearchProblem question = searchProblemOf(problem, chunks);
    const Fabric fabric = question.kind == Kind::reversed ? reversed(dgx1()) : dgx1();
    Decision decision = Search{fabric, question.chunks, steps, rounds}.decide(rounds, patient);
    if (decision.truth == Truth::satisfiable) expectRight(problem, question, fabric, steps, decision.found);
    return decision;
}

// Chunks, steps and rounds are those of SCCL's table for the allgather, whose reverse is a reduce-scatter, and both
// together an allreduce.
TEST(Dgx1, hasTheSchedulesOfSccl) {
    for (const Collective collective : {Collective::allgatherv, Collective::reduceScatter, Collective::allreduce})
        for (const Csr& asked : {Csr{1, 2, 2}, Csr{2, 2, 3}, Csr{5, 3, 6}, Csr{6, 3, 7}})
            EXPECT_EQ(onDgx1(collective, asked).truth, Truth::satisfiable) << name(collective) << " " << asked[0];
    EXPECT_EQ(onDgx1(Collective::bcast, {6, 3, 4}).truth, Truth::satisfiable);
}

TEST(Dgx1, hasNoScheduleOfThreeChunksInTwoStepsAndFourRounds) {
    EXPECT_EQ(onDgx1(Collective::allgatherv, {3, 2, 4}).truth, Truth::unsatisfiable);
    EXPECT_EQ(onDgx1(Collective::reduceScatter, {3, 2, 4}).truth, Truth::unsatisfiable);
    EXPECT_EQ(onDgx1(Collective::allgatherv, {6, 2, 7}).truth, Truth::unsatisfiable);
}

// 7 other contributions enter a GPU over 6 NVLinks.
TEST(Dgx1, isBoundedByTheLinksOfAGpu) {
    const Load load = heaviestLoad(dgx1(), searchProblemOf(problemOf(Collective::allgatherv, 8, 0, 840), 6).chunks);
    EXPECT_EQ(load.chunks * 6, 42 * load.width);
    EXPECT_EQ(load.rounds(), 7);
    EXPECT_EQ(fewestSteps(dgx1(), searchProblemOf(problemOf(Collective::allgatherv, 8, 0, 840), 1).chunks), 2);
}

// A rank of a fully connected network of 16 with one lane out passes a chunk to one more rank in each round: r rounds
// of a step multiply those that hold it by 1 + r. 3 * 4 < 16 <= 4 * 4, and 2 * 2 * 3 < 16 <= 2 * 3 * 3.
TEST(Limits, countTheRanksThatCanHoldAChunk) {
    Fabric fabric{.ranks = 16};
    for (std::int32_t rank = 0; rank < 16; ++rank) fabric.lanes.push_back(1);
    for (std::int32_t from = 0; from < 16; ++from)
        for (std::int32_t to = 0; to < 16; ++to)
            if (from != to) fabric.channels.push_back({from, to, {from}});
    const std::vector<Chunk> chunks = searchProblemOf(problemOf(Collective::bcast, 16, 0, 8), 1).chunks;
    EXPECT_EQ(fewestRounds(fabric, chunks, 1), 15);
    EXPECT_EQ(fewestRounds(fabric, chunks, 2), 6);
    EXPECT_EQ(fewestRounds(fabric, chunks, 3), 5);
    EXPECT_EQ(fewestRounds(fabric, chunks, 4), 4);
    EXPECT_EQ(fewestSteps(fabric, chunks), 1);
    fabric.ports = 3;  // 4 * 4
    EXPECT_EQ(fewestSteps(fabric, chunks), 2);
    EXPECT_EQ(fewestRounds(fabric, chunks, 2), 6);
}

class Proofs : public testing::Test {
protected:
    Proofs() { std::filesystem::create_directories(folder_); }
    ~Proofs() override { std::filesystem::remove_all(folder_); }

    static std::string contentOf(const std::string& file) {
        std::ifstream in{file};
        return {std::istreambuf_iterator<char>{in}, {}};
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("synthesis_test." + std::to_string(getpid()));
};

TEST_F(Proofs, areAcceptedByAnIndependentChecker) {
    const std::string file = folder_ / "dgx1.drat";
    const SearchProblem question = searchProblemOf(problemOf(Collective::allgatherv, 8, 0, 840), 3);
    Search search{dgx1(), question.chunks, 2, 4, file};
    EXPECT_EQ(search.decide(4, patient).truth, Truth::unsatisfiable);
    search.closeProof();
    const std::string clauses = contentOf(file + ".cnf");
    const std::string proof = contentOf(file);
    EXPECT_TRUE(support::DratChecker::accepts(clauses, proof));
    EXPECT_FALSE(support::DratChecker::accepts(clauses, "0\n")) << "an empty clause does not follow by itself";
    EXPECT_FALSE(support::DratChecker::accepts(clauses, "")) << "nothing is proved";
}

TEST_F(Proofs, refuseAFileThatCannotBeWritten) {
    const SearchProblem question = searchProblemOf(problemOf(Collective::bcast, 8, 0, 8), 1);
    EXPECT_THROW((Search{dgx1(), question.chunks, 2, 2, folder_ / "missing" / "x.drat"}), Error);
}

TEST(Search, isStopped) {
    const SearchProblem question = searchProblemOf(problemOf(Collective::allgatherv, 8, 0, 840), 7);
    Search search{dgx1(), question.chunks, 3, 9};
    EXPECT_EQ(search.decide(9, {.stop = [] { return true; }}).truth, Truth::unknown);
}

TEST(Search, isStoppedWhileItsFormulaIsBuilt) {
    const SearchProblem question = searchProblemOf(problemOf(Collective::allgatherv, 8, 0, 840), 7);
    int polls = 0;
    const Poll poll = [&] {
        if (++polls == 3) throw OutOfTime{};
    };
    EXPECT_THROW((Search{dgx1(), question.chunks, 3, 9, {}, {}, poll}), OutOfTime);
    EXPECT_EQ(polls, 3);
}

TEST(Search, refusesWhatIsTooLarge) {
    Fabric fabric{.ranks = 64};
    for (std::int32_t from = 0; from < 64; ++from)
        for (std::int32_t to = 0; to < 64; ++to)
            if (from != to) link(fabric, from, to, 1);
    const SearchProblem question = searchProblemOf(problemOf(Collective::allgatherv, 64, 0, 840), 8);
    EXPECT_THROW((Search{fabric, question.chunks, 6, 64}), Error);
    EXPECT_THROW((void)searchProblemOf(problemOf(Collective::allgatherv, 64, 0, 840), 65), Error);
    EXPECT_THROW((void)searchProblemOf(problemOf(Collective::allgatherv, 4, 0, 2), 3), Error);
    EXPECT_THROW((void)searchProblemOf(problemOf(Collective::scan, 4, 0, 8), 1), Error);
}

/// A connected network of few ranks. Every other one has links that lead one way.
Fabric randomFabric(std::mt19937& random, std::int32_t ranks) {
    Fabric fabric{.ranks = ranks};
    const auto number = [&](std::int32_t low, std::int32_t high) {
        return std::uniform_int_distribution<std::int32_t>{low, high}(random);
    };
    const bool oneWay = number(0, 1) == 0;
    for (std::int32_t rank = 0; rank < ranks; ++rank) {  // a ring keeps it connected
        const std::int32_t next = (rank + 1) % ranks;
        link(fabric, rank, next, number(1, 2));
        if (!oneWay && ranks > 2) link(fabric, next, rank, number(1, 2));
    }
    if (ranks == 4 && number(0, 1) == 0) link(fabric, 0, 2, 1), link(fabric, 2, 0, 1);
    // Two channels may share a link, as ways through a switch do.
    if (number(0, 3) == 0) fabric.channels[0].links.push_back(fabric.channels[1].links.front());
    fabric.ports = number(0, 2);
    return fabric;
}

struct Case {
    Collective collective = Collective::bcast;
    std::int32_t p = 2;
    std::int32_t q = 0;
    std::int32_t chunks = 1;
};

// Up to 4 ranks and few enough chunks for the slow judge.
const std::vector<Case> cases{{Collective::bcast, 4, 0, 1},
                              {Collective::bcast, 4, 0, 2},
                              {Collective::bcast, 3, 0, 3},
                              {Collective::allgatherv, 2, 0, 3},
                              {Collective::allgatherv, 3, 0, 1},
                              {Collective::gatherv, 3, 0, 1},
                              {Collective::scatterv, 3, 0, 1},
                              {Collective::reduce, 4, 0, 1},
                              {Collective::reduce, 3, 0, 2},
                              {Collective::reduceScatter, 3, 0, 1},
                              {Collective::halfduplexAllgather, 2, 2, 1},
                              {Collective::halfduplexAllgather, 1, 3, 2},
                              {Collective::intergroupAllgatherv, 1, 2, 1},
                              {Collective::intergroupBcast, 2, 2, 1},
                              {Collective::intergroupAlltoallv, 1, 1, 2}};

TEST(Search, agreesWithAnExhaustiveOneOnRandomNetworks) {
    std::mt19937 random{20210227};
    int found = 0;
    int impossible = 0;
    for (int trial = 0; trial < 240; ++trial) {
        const Case& one = cases[asSize(trial) % cases.size()];
        Problem problem = problemOf(one.collective, one.p, one.q, 24);
        if (hasRoot(one.collective)) problem.root = Rank{trial % problem.ranks()};
        const SearchProblem question = searchProblemOf(problem, one.chunks);
        const Fabric there = randomFabric(random, problem.ranks());
        const Fabric fabric = question.kind == Kind::reversed ? reversed(there) : there;
        support::ExhaustiveSchedules judge{fabric, question.chunks};
        const std::int32_t fewest = fewestSteps(fabric, question.chunks).value();
        const std::int32_t bound = heaviestLoad(fabric, question.chunks).rounds();
        for (std::int32_t steps = 1; steps <= 3; ++steps) {
            SCOPED_TRACE(testing::Message()
                         << "trial " << trial << ", " << toText(problem) << ", " << steps << " steps");
            const std::optional<int> truth = judge.fewestRounds(steps);
            if (truth) {
                EXPECT_GE(steps, fewest);
                EXPECT_GE(*truth, bound);
                EXPECT_GE(*truth, fewestRounds(fabric, question.chunks, steps));
            }
            const std::int32_t most = steps + 8;
            Search search{fabric, question.chunks, steps, most};
            // Downwards, so that one formula answers all.
            for (std::int32_t rounds = most; rounds >= steps; --rounds) {
                const Decision decision = search.decide(rounds, patient);
                ASSERT_EQ(decision.truth == Truth::satisfiable, truth && *truth <= rounds) << rounds << " rounds";
                if (decision.truth == Truth::satisfiable) {
                    ++found;
                    EXPECT_LE(decision.found.rounds, rounds);
                    expectRight(problem, question, fabric, steps, decision.found);
                } else {
                    ++impossible;
                }
            }
        }
    }
    EXPECT_GT(found, 1000);
    EXPECT_GT(impossible, 1000);
}

}  // namespace
}  // namespace engine::synthesis
