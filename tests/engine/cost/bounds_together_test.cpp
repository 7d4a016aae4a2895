// SPDX-License-Identifier: BSD-3-Clause
// Startups and bytes that cannot be had apart: bounds on both at once, each held against schedules that meet it, and
// against all of the catalogue.
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/proof/verify.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace engine {
namespace {

constexpr Bytes each = 1000;

Problem on(Collective collective, std::int32_t p, std::int32_t contributions, Bytes size = each, int ports = 1) {
    Problem problem{.collective = collective, .groupA = p, .layout = Layout::regular(contributions, size)};
    problem.ports = ports;
    return problem;
}

constexpr Picoseconds ns(std::int64_t time) { return Picoseconds{time * 1000}; }

/// In nanoseconds, both: any bytes take whole picoseconds, so that rounding loses nothing.
Model costing(std::int64_t alpha, std::int64_t perContribution) {
    return {.alpha = ns(alpha), .beta = Rate{perContribution * 1000}};  // ps/B: ns for `each` bytes
}

Picoseconds boundOn(const Problem& problem, const Model& model, const Wiring& wiring = Wiring::any()) {
    return timeBound(boundsOf(problem, wiring), model);
}

Picoseconds timeOf(const char* id, const Problem& problem, const Model& model,
                   const std::map<std::string, std::string>& options = {}) {
    const Plan plan = makePlan(algorithmNamed(id), problem, options);
    const Verdict verdict = verify(*plan.schedule, plan.problem);
    EXPECT_TRUE(verdict.proved) << id << ": " << verdict.counterExample;
    return verdict.lockstep.under(model);
}

/// What leaves a root, and what comes to it, takes ceil(log2 p) startups beside its bytes: the binomial trees are the
/// best there can be, and so are those that do it for all roots at once.
TEST(BoundsTogether, scatterAndGatherHaveStartupsBesideBytes) {
    for (const auto& [collective, id] :
         std::vector<std::pair<Collective, const char*>>{{Collective::scatterv, "scatterv/binomial-tree"},
                                                         {Collective::gatherv, "gatherv/binomial-tree"},
                                                         {Collective::allgatherv, "allgatherv/bruck"},
                                                         {Collective::reduceScatter, "reduce-scatter/circulant"}})
        for (const std::int32_t p : {2, 3, 4, 5, 7, 8, 9, 16, 31})
            for (const Model& model : {costing(1000, 1), costing(1000, 700), costing(1, 1000), costing(0, 5)}) {
                const Bytes size = collective == Collective::reduceScatter ? each * p : each;
                const Problem problem = on(collective, p, p, size);
                EXPECT_EQ(boundOn(problem, model), timeOf(id, problem, model)) << id << " on " << p << " ranks";
                const Bounds bounds = boundsOf(problem, Wiring::any());
                ASSERT_TRUE(bounds.together) << id;
                EXPECT_EQ(bounds.together->attained, id);
            }
}

TEST(BoundsTogether, unequalContributionsCountByTheLargest) {
    // 7 bytes from others, of which one has 4: one startup can bring 4, two 4 + (4 + 4), so two are needed.
    const Bounds bounds = boundsOf(support::allgatherv({0, 4, 1, 1, 1}), Wiring::any());
    EXPECT_EQ(leastCost(bounds, Blocks::anyMessages, costing(1, 1'000'000)), (Cost{.startups = 2, .volume = 7}));
    const Bounds all = boundsOf(support::allgatherv({0, 7, 0, 0, 0}), Wiring::any());
    EXPECT_EQ(leastCost(all, Blocks::anyMessages, costing(1, 1'000'000)), (Cost{.startups = 3, .volume = 7}));
}

TEST(BoundsTogether, severalPortsTakeFewerStartups) {
    const Bounds bounds = boundsOf(on(Collective::gatherv, 9, 9, each, 2), Wiring::any());
    EXPECT_EQ(leastCost(bounds, Blocks::anyMessages, costing(1, 1)), (Cost{.startups = 2, .volume = 4 * each}));
}

/// Where startups are dear Bruck's exchange is the best, where bytes are dear that of pairs.
TEST(BoundsTogether, fewStartupsOfAnAlltoallCostVolume) {
    const Problem eight = on(Collective::alltoallv, 8, 64);
    EXPECT_EQ(boundOn(eight, costing(100, 8)), timeOf("alltoallv/bruck", eight, costing(100, 8)));
    EXPECT_EQ(boundOn(eight, costing(8, 8)), timeOf("alltoallv/pairwise-exchange", eight, costing(8, 8)));
    EXPECT_EQ(boundOn(eight, costing(1, 8)), timeOf("alltoallv/pairwise-exchange", eight, costing(1, 8)));
    const Problem nine = on(Collective::alltoallv, 9, 81, each, 2);
    EXPECT_EQ(boundOn(nine, costing(1000, 10)), ns(2 * 1000 + 6 * 10))
        << "Bruck et al.: n/(k+1) log n for n = 9, k = 2";
    const Bounds bounds = boundsOf(eight, Wiring::any());
    EXPECT_EQ(bounds.together->value, (Cost{.startups = 7, .volume = 7 * each}));
    EXPECT_NE(bounds.together->why.find("with 3 startups at least 11.7 KiB"), std::string::npos)
        << bounds.together->why;
}

TEST(BoundsTogether, noRadixOfBruckIsFaster) {
    for (const std::int32_t p : {4, 5, 8, 9, 13, 16})
        for (const char* radix : {"2", "3", "4", "8"})
            for (std::int64_t alpha = 1; alpha < 200'000; alpha *= 3) {
                const Problem problem = on(Collective::alltoallv, p, p * p);
                const Model model = costing(alpha, 1000);
                EXPECT_LE(boundOn(problem, model), timeOf("alltoallv/bruck", problem, model, {{"radix", radix}}))
                    << p << " ranks, radix " << radix << ", alpha " << alpha;
            }
}

/// On 2^t ranks t startups leave no message out: everything goes in each. One startup more is the other way.
TEST(BoundsTogether, hurryingCostsBytesInEveryStartup) {
    const Model dear = costing(100'000, 10);
    const Model cheap = costing(25, 10);
    for (const auto& [problem, id] :
         std::vector<std::pair<Problem, const char*>>{{support::bcast(8, 0, each), "bcast/binomial-tree"},
                                                      {on(Collective::reduce, 8, 8), "reduce/binomial-tree"},
                                                      {on(Collective::allreduce, 8, 8), "allreduce/pairwise-exchange"},
                                                      {on(Collective::scan, 8, 8), "scan/recursive-doubling"}}) {
        EXPECT_EQ(boundOn(problem, dear), timeOf(id, problem, dear)) << id;
        EXPECT_LT(boundOn(problem, cheap), timeOf(id, problem, cheap)) << id;
        EXPECT_GE(boundOn(problem, cheap), ns(4 * 25 - 1)) << id;
    }
    const Problem between{
        .collective = Collective::intergroupBcast, .groupA = 2, .groupB = 7, .layout = Layout::regular(1, each)};
    EXPECT_EQ(boundOn(between, dear), timeOf("intergroup-bcast/binomial-tree", between, dear));
    EXPECT_EQ(boundOn(support::bcast(7, 0, each), dear), ns(300'000 + 10)) << "one rank fewer has slack";
}

TEST(BoundsTogether, onNeighboursEveryHopTakesAPort) {
    // Distances 1, 1, 2, 2, 3, 3, 4.
    const Bounds ring = boundsOf(on(Collective::alltoallv, 8, 64), Wiring::ring(8));
    EXPECT_EQ(ring.startups.value, 4);
    EXPECT_EQ(ring.volume.value, 16 * each);
    EXPECT_EQ(ring.perRank, 16 * each);
    EXPECT_EQ(ring.unitRounds->value, 16);
    EXPECT_EQ(boundsOf(on(Collective::alltoallv, 8, 64, each, 2), Wiring::ring(8)).volume.value, 8 * each);
    // Distances 1, 1, 1, 1, 2, 2, 2, 2.
    EXPECT_EQ(boundsOf(on(Collective::alltoallv, 9, 81), Wiring::torus({3, 3})).volume.value, 12 * each);
    const Problem between{
        .collective = Collective::intergroupAlltoallv, .groupA = 2, .groupB = 4, .layout = Layout::regular(16, each)};
    // From rank 0: 2 + 3 + 2 + 1, from rank 1: 1 + 2 + 3 + 2, and as many back: 32 over 6 ranks.
    EXPECT_EQ(boundsOf(between, Wiring::ring(6)).unitRounds->value, 6);
    EXPECT_EQ(boundsOf(between, Wiring::ring(6)).volume.value, 5334);
}

TEST(BoundsTogether, theFarthestRankIsSoManyHopsAway) {
    const Wiring line = Wiring::named("line", [](Rank a, Rank b) { return std::abs(a.value - b.value) == 1; });
    const auto startups = [&](Problem problem, std::int32_t root) {
        problem.root = Rank{root};
        return boundsOf(problem, line).startups.value;
    };
    EXPECT_EQ(startups(on(Collective::reduce, 7, 7), 0), 6);
    EXPECT_EQ(startups(on(Collective::reduce, 7, 7), 3), 4) << "the middle hears from one side at a time";
    EXPECT_EQ(startups(on(Collective::gatherv, 7, 7), 0), 6);
    EXPECT_EQ(startups(on(Collective::scatterv, 7, 7), 2), 4);
    EXPECT_EQ(startups(on(Collective::scan, 7, 7), 0), 6);
    EXPECT_EQ(startups(on(Collective::reduceScatter, 7, 7), 0), 6);
    EXPECT_EQ(startups(on(Collective::alltoallv, 7, 49), 0), 6);
    // One port, six contributions, the farthest first.
    EXPECT_EQ(boundsOf(on(Collective::scatterv, 7, 7), line).unitRounds->value, 6);
    Problem two = on(Collective::scatterv, 7, 7, each, 2);
    EXPECT_EQ(boundsOf(two, line).unitRounds->value, 6) << "the farthest is six hops away";
}

/// A ring's message is on its way into a place where everything it has is needed, yet nobody hears too much.
TEST(BoundsTogether, areNotAboveTheCatalogue) {
    const Trial trial{.blocks = {1, 5}, .numbers = {1, 2, 3}};
    const std::vector<Model> models{costing(1000, 1), costing(100, 40), costing(1, 1000)};
    for (const Algorithm* algorithm : catalogue()) {
        if (algorithm->plan == nullptr) continue;
        for (Problem problem : support::problemsFor(algorithm->collective, 5))
            for (const Plan& plan : variants(*algorithm, problem, trial)) {
                const Facts& facts = plan.schedule->facts();
                Problem given = plan.problem;
                given.ports = std::max(given.ports, facts.ports);
                const Verdict verdict = verify(*plan.schedule, given);
                ASSERT_TRUE(verdict.proved) << algorithm->id;
                const Bounds bounds = boundsOf(given, facts.wiring);
                for (const Model& model : models)
                    ASSERT_LE(timeBound(bounds, model), verdict.lockstep.under(model))
                        << algorithm->id << " on " << toText(given) << ", alpha " << model.alpha.count();
            }
    }
}

/// Bytes that the busiest rank sends, or receives.
Bytes busiestOf(const Plan& plan) {
    const Facts& facts = plan.schedule->facts();
    std::vector<Bytes> sent(asSize(facts.ranks));
    std::vector<Bytes> received(sent.size());
    Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round)
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& send : turn.sends()) {
                sent[rank.index()] += send.bytes;
                received[send.peer.index()] += send.bytes;
            }
        }
    return std::max(std::ranges::max(sent), std::ranges::max(received));
}

/// What is told as attained is, by the very algorithm.
TEST(BoundsTogether, areAttainedByWhoIsSaidTo) {
    std::map<Collective, int> told;
    for (const Collective collective : collectives())
        for (const int ports : {1, 2})
            for (Problem problem : support::problemsFor(collective, 8)) {
                problem.ports = ports;
                const Bounds bounds = boundsOf(problem, Wiring::any());
                const auto planOf = [&](const std::string& id) {
                    Plan plan = makePlan(algorithmNamed(id), problem, {});
                    EXPECT_LE(plan.schedule->facts().ports, ports) << id;
                    return plan;
                };
                const auto expectRounds = [&](const Bound<std::int64_t>& bound) {
                    if (bound.attained.empty()) return;
                    EXPECT_EQ(planOf(bound.attained).schedule->facts().rounds, bound.value)
                        << bound.attained << " on " << toText(problem);
                };
                expectRounds(bounds.startups);
                if (bounds.unitRounds) expectRounds(*bounds.unitRounds);
                if (const std::string& id = bounds.volume.attained; !id.empty()) {
                    EXPECT_EQ(busiestOf(planOf(id)), bounds.perRank) << id << " on " << toText(problem);
                    ++told[collective];
                }
                if (bounds.together && !bounds.together->attained.empty()) {
                    const Plan plan = planOf(bounds.together->attained);
                    const Cost cost = verify(*plan.schedule, problem).lockstep;
                    EXPECT_EQ((Cost{.startups = cost.startups, .volume = cost.volume}), bounds.together->value)
                        << bounds.together->attained << " on " << toText(problem);
                }
            }
    for (const Collective collective :
         {Collective::bcast, Collective::reduce, Collective::gatherv, Collective::scatterv, Collective::allgatherv,
          Collective::alltoallv, Collective::allreduce, Collective::reduceScatter, Collective::scan,
          Collective::intergroupAlltoallv})
        EXPECT_GT(told[collective], 0) << name(collective);
}

}  // namespace
}  // namespace engine
