// SPDX-License-Identifier: BSD-3-Clause
// What every algorithm must fulfil, present and future: a new file in engine/algorithms is tested unasked.
#include "engine/catalogue/catalogue.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/variants.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/live/threads/threads.hpp"
#include "engine/proof/verify.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace engine {
namespace {

class EveryAlgorithm : public testing::TestWithParam<const Algorithm*> {
protected:
    const Algorithm& algorithm = *GetParam();

    /// Calls `check` with a plan for each problem up to `most` ranks per group that the algorithm does not refuse.
    /// Sizes it may refuse all of are an error of the test.
    void onPlans(int most, auto check) {
        int planned = 0;
        for (const Problem& problem : support::problemsFor(algorithm.collective, most)) {
            const Options options{algorithm.id, algorithm.options, {}};
            if (algorithm.objects != nullptr && algorithm.objects(problem, options)) continue;
            ++planned;
            check(makePlan(algorithm, problem, {}));
            if (HasFailure()) return;
        }
        EXPECT_GT(planned, 0) << algorithm.id << " refused everything";
    }
};

/// Those that combine vectors.
class EveryReduction : public EveryAlgorithm {};
/// Those that run in groups, too.
class EveryOneInLevels : public EveryAlgorithm {};

std::vector<const Algorithm*> those(auto which) {
    std::vector<const Algorithm*> all;
    std::ranges::copy_if(catalogue(), std::back_inserter(all), [&](const Algorithm* one) { return which(*one); });
    return all;
}

TEST_P(EveryAlgorithm, isDescribedInFull) {
    EXPECT_EQ(algorithm.id.substr(0, algorithm.id.find('/')), name(algorithm.collective));
    for (const std::string* words :
         {&algorithm.title, &algorithm.idea, &algorithm.source, &algorithm.formula, &algorithm.letters})
        EXPECT_FALSE(words->empty()) << algorithm.id;
    for (const Option& option : algorithm.options) EXPECT_FALSE(option.meaning.empty()) << option.name;
}

TEST_P(EveryAlgorithm, fulfilsItsContract) {
    onPlans(9, [](const Plan& plan) {
        const Verdict verdict = verify(*plan.schedule, plan.problem);
        EXPECT_TRUE(verdict.proved) << plan.algorithm->id << " on " << toText(plan.problem) << ": "
                                    << verdict.counterExample;
        EXPECT_EQ(verdict.rounds, plan.schedule->facts().rounds);
    });
}

TEST_P(EveryAlgorithm, fulfilsItsContractWithEveryOption) {
    const Trial trial{.blocks = {1, 5}, .numbers = {1, 2, 3}};
    for (const Problem& problem : support::problemsFor(algorithm.collective, 6))
        for (const Plan& plan : variants(algorithm, problem, trial)) {
            const Verdict verdict = verify(*plan.schedule, plan.problem);
            std::string options;
            for (const auto& [name, value] : plan.options.given()) options += " " + name + "=" + value;
            ASSERT_TRUE(verdict.proved) << algorithm.id << " on " << toText(plan.problem) << " with" << options << ": "
                                        << verdict.counterExample;
        }
}

TEST_P(EveryAlgorithm, costsWhatItPredictsAndNeverLessThanTheBound) {
    onPlans(9, [](const Plan& plan) {
        const Verdict verdict = verify(*plan.schedule, plan.problem);
        const auto predicted =
            plan.algorithm->predict != nullptr ? plan.algorithm->predict(plan.problem, plan.options) : std::nullopt;
        if (predicted) {
            EXPECT_EQ(*predicted, verdict.lockstep)
                << plan.algorithm->id << " on " << toText(plan.problem) << ": predicted " << predicted->startups
                << " startups, " << predicted->volume << " bytes, " << predicted->combined << " combined; counted "
                << verdict.lockstep.startups << ", " << verdict.lockstep.volume << ", " << verdict.lockstep.combined;
        }
        const Facts& facts = plan.schedule->facts();
        Problem withPorts = plan.problem;
        withPorts.ports = std::max(withPorts.ports, facts.ports);
        const Bounds bounds = boundsOf(withPorts, facts.wiring);
        EXPECT_LE(bounds.startups.value, verdict.lockstep.startups) << plan.algorithm->id << " " << toText(withPorts);
        if (plan.problem.layout.total() > 0) {
            EXPECT_LE(bounds.volume.value, verdict.lockstep.volume) << plan.algorithm->id << " " << toText(withPorts);
        }
    });
}

/// The messages of every round, rank by rank, in one batch and in tiles of three ranks.
void expectTwoViewsThatAgree(const Plan& plan) {
    const Facts& facts = plan.schedule->facts();
    std::string options;
    for (const auto& [name, value] : plan.options.given()) options += " " + name + "=" + value;
    Turn turn;
    Batch batch;
    Batch tiles;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        SCOPED_TRACE(text(plan.algorithm->id, " on ", toText(plan.problem), options, ", round ", round.value));
        batch.reset(0);
        plan.schedule->batch(round, Rank{0}, Rank{facts.ranks}, batch);
        std::size_t next = 0;
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& send : turn.sends()) {
                ASSERT_LT(next, batch.size());
                ASSERT_EQ((std::array<std::int64_t, 3>{batch.from()[next], batch.to()[next], batch.bytes()[next]}),
                          (std::array<std::int64_t, 3>{rank.value, send.peer.value, send.bytes}));
                ++next;
            }
        }
        ASSERT_EQ(next, batch.size());
        tiles.reset(0);
        for (std::int32_t first = 0; first < facts.ranks; first += 3)
            plan.schedule->batch(round, Rank{first}, Rank{std::min(facts.ranks, first + 3)}, tiles);
        ASSERT_TRUE(std::ranges::equal(tiles.from(), batch.from()) && std::ranges::equal(tiles.to(), batch.to()) &&
                    std::ranges::equal(tiles.bytes(), batch.bytes()) &&
                    std::ranges::equal(tiles.combining(), batch.combining()));
    }
}

TEST_P(EveryAlgorithm, hasTwoViewsThatAgree) { onPlans(6, expectTwoViewsThatAgree); }

/// The same where trees are deep, chains long, and groups and roots anywhere.
TEST(Broadcasts, haveTwoViewsThatAgree) {
    for (const Algorithm* algorithm : algorithmsFor(Collective::bcast))
        for (const char* groups : {"1", "4", "7"})
            for (const std::int32_t root : {0, 20, 44})
                expectTwoViewsThatAgree(makePlan(*algorithm, support::bcast(45, root, 1000), {{"groups", groups}}));
}

/// Groups of unequal sizes, roots anywhere, and everything that can run inside.
TEST_P(EveryOneInLevels, keepsItsPromiseInGroups) {
    const auto inside = std::ranges::find(algorithm.options, "inside", &Option::name);
    int planned = 0;
    for (const Problem& problem : support::problemsFor(algorithm.collective, 11)) {
        if (problem.ranks() < 7) continue;
        for (const char* groups : {"2", "3", "7"})
            for (const std::string& choice : inside->choices) {
                if (choice != inside->fallback && problem.ranks() != 10) continue;
                Plan plan;
                try {
                    plan = makePlan(algorithm, problem, {{"groups", groups}, {"inside", choice}});
                } catch (const Error&) {
                    continue;  // refused, by itself or inside
                }
                ++planned;
                const std::string where =
                    text(algorithm.id, " on ", toText(problem), ", ", groups, " groups, inside ", choice);
                const Verdict verdict = verify(*plan.schedule, problem);
                ASSERT_TRUE(verdict.proved) << where << ": " << verdict.counterExample;
                if (const auto cost = algorithm.predict ? algorithm.predict(problem, plan.options) : std::nullopt) {
                    ASSERT_EQ(*cost, verdict.lockstep) << where;
                }
                expectTwoViewsThatAgree(plan);
                ASSERT_FALSE(HasFailure()) << where;
            }
    }
    const bool keepsSeveral =
        makePlan(algorithm, support::problemsFor(algorithm.collective, 4).back(), {}).schedule->facts().slots > 1;
    EXPECT_TRUE(planned > 0 || keepsSeveral) << algorithm.id;
}

/// Plans without groups that name what runs inside of them are not tried as variants: they are the same.
TEST_P(EveryOneInLevels, isTheSameWithoutGroupsWhateverRunsInside) {
    const auto messagesOf = [](const Plan& plan) {
        std::vector<std::tuple<Round, std::int32_t, std::int32_t, Bytes>> messages;
        Batch batch;
        const Facts& facts = plan.schedule->facts();
        for (Round round{0}; round.value < facts.rounds; ++round) {
            batch.reset(64);
            plan.schedule->batch(round, Rank{0}, Rank{facts.ranks}, batch);
            for (std::size_t i = 0; i < batch.size(); ++i)
                messages.emplace_back(round, batch.from()[i], batch.to()[i], batch.bytes()[i]);
        }
        return messages;
    };
    const auto inside = std::ranges::find(algorithm.options, "inside", &Option::name);
    int planned = 0;
    for (const Problem& problem : support::problemsFor(algorithm.collective, 8)) {
        const std::optional<Plan> plan = planUnlessRefused(algorithm, problem, {});
        if (!plan) continue;
        ++planned;
        for (const std::string& choice : inside->choices)
            ASSERT_EQ(messagesOf(makePlan(algorithm, problem, {{"inside", choice}})), messagesOf(*plan)) << choice;
        for (const Plan& variant : variants(algorithm, problem, {.numbers = {2, 3}}))
            ASSERT_TRUE(!variant.options.given().contains("inside") || variant.options.given().contains("groups"))
                << toText(variant.options.given());
    }
    EXPECT_GT(planned, 0);
}

TEST_P(EveryAlgorithm, movesTheRightBytesOnThreads) {
    onPlans(4, [](const Plan& plan) {
        const Execution execution = runOnThreads(plan);
        EXPECT_TRUE(execution.correct) << plan.algorithm->id << " on " << toText(plan.problem) << ": "
                                       << execution.fault;
    });
}

TEST_P(EveryReduction, combinesEveryTypeWithEveryOperation) {
    for (Problem problem : support::problemsFor(algorithm.collective, isIntergroup(algorithm.collective) ? 3 : 8))
        for (const Operation operation :
             {Operation::sum, Operation::min, Operation::max, Operation::user, Operation::ordered})
            for (const Element element : {Element::int32, Element::int64, Element::float32, Element::float64}) {
                const bool whole = element == Element::int32 || element == Element::int64;
                if (operation == Operation::ordered && !whole) continue;
                problem.layout = Layout::regular(problem.ranks(), 32 * 3);
                problem.operation = operation;
                problem.element = element;
                const Options options{"", algorithm.options, {}};
                if (algorithm.objects != nullptr && algorithm.objects(problem, options)) continue;
                if (operation == Operation::ordered &&
                    !(algorithm.keepsOrder && algorithm.keepsOrder(problem, options)))
                    continue;
                const Execution execution = runOnThreads(makePlan(algorithm, problem, {}));
                EXPECT_TRUE(execution.correct) << algorithm.id << " " << toText(problem) << ": " << execution.fault;
            }
}

/// What an algorithm says of the order of its operands is what its schedule does; one that never keeps it is refuted.
TEST_P(EveryReduction, keepsTheOrderOfRanksWhereItSaysSo) {
    bool ever = false;
    bool refuted = false;
    for (Problem problem : support::problemsFor(algorithm.collective, isIntergroup(algorithm.collective) ? 4 : 9)) {
        problem.layout = Layout::regular(problem.ranks(), 16 * problem.ranks());
        const Options options{"", algorithm.options, {}};
        if (problem.ranks() == 1 || (algorithm.objects != nullptr && algorithm.objects(problem, options))) continue;
        const Plan plan = makePlan(algorithm, problem, {});
        problem.operation = Operation::ordered;
        const Verdict verdict = verify(*algorithm.plan(problem, plan.options), problem);
        const bool says = algorithm.keepsOrder && algorithm.keepsOrder(problem, plan.options);
        if (says) {
            ASSERT_TRUE(verdict.proved) << algorithm.id << " on " << toText(problem) << ": " << verdict.counterExample;
        } else {
            EXPECT_THROW(makePlan(algorithm, problem, {}), Error);
        }
        ever = ever || says;
        refuted = refuted || !verdict.proved;
    }
    EXPECT_TRUE(ever || refuted) << algorithm.id << " keeps the order and does not say so";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryReduction,
                         testing::ValuesIn(those([](const Algorithm& one) { return combinesVectors(one.collective); })),
                         [](const auto& each) { return support::testName(each.param); });
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryOneInLevels, testing::ValuesIn(those([](const Algorithm& one) {
                             return std::ranges::find(one.options, "inside", &Option::name) != one.options.end();
                         })),
                         [](const auto& each) { return support::testName(each.param); });
INSTANTIATE_TEST_SUITE_P(Catalogue, EveryAlgorithm, testing::ValuesIn(catalogue().begin(), catalogue().end()),
                         [](const auto& each) { return support::testName(each.param); });

TEST(Catalogue, isSortedAndFindsByName) {
    EXPECT_TRUE(std::is_sorted(catalogue().begin(), catalogue().end(),
                               [](const auto* a, const auto* b) { return a->id < b->id; }));
    EXPECT_EQ(algorithmNamed("halfduplex-allgather/ring-intragroup").collective, Collective::halfduplexAllgather);
    try {
        (void)algorithmNamed("halfduplex-allgather/ring-intragruop");
        FAIL() << "an unknown name was accepted";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "unknown algorithm 'halfduplex-allgather/ring-intragruop'; did you mean "
                     "halfduplex-allgather/ring-intragroup?");
    }
}

TEST(Catalogue, refusesOptionsThatAreNotDeclared) {
    const Algorithm& algorithm = algorithmNamed("halfduplex-allgather/ring-intragroup");
    EXPECT_THROW(makePlan(algorithm, support::halfduplex(2, 2), {{"segments", "2"}}), Error);
    EXPECT_THROW(makePlan(algorithm, support::bcast(4), {}), Error);
}

}  // namespace
}  // namespace engine
