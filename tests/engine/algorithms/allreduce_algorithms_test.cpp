// SPDX-License-Identifier: BSD-3-Clause
// Every allreduce of the catalogue on 1 to 70 ranks and 1 to 8 ports: proved, or refused where it would be wrong.
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "engine/shapes/adaptation.hpp"
#include "engine/shapes/powers.hpp"
#include "tests/support/places.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace engine {
namespace {

using Settings = std::map<std::string, std::string>;

Plan planOf(const std::string& name, const Problem& problem, const Settings& settings) {
    return makePlan(algorithmNamed("allreduce/" + name), problem, settings);
}

/// With ports for all messages of a round, which are startups then, as the proof counts them.
std::optional<Cost> predictedOf(const Plan& plan) {
    Problem ported = plan.problem;
    ported.ports = std::max(ported.ports, plan.schedule->facts().ports);
    return plan.algorithm->predict(ported, plan.options);
}

/// Proves the plan and holds the prediction against the proof.
Verdict proved(const Plan& plan) {
    const Verdict verdict = verify(*plan.schedule, plan.problem);
    std::string what = plan.algorithm->id + " " + toText(plan.problem);
    for (const auto& [option, value] : plan.options.given()) what += " " + option + "=" + value;
    EXPECT_TRUE(verdict.proved) << what << ": " << verdict.counterExample;
    const auto predicted = predictedOf(plan);
    EXPECT_TRUE(predicted) << what;
    if (predicted) {
        EXPECT_EQ(predicted->startups, verdict.lockstep.startups) << what;
        EXPECT_EQ(predicted->volume, verdict.lockstep.volume) << what;
        EXPECT_EQ(predicted->combined, verdict.lockstep.combined) << what;
    }
    return verdict;
}

/// All n up to 30 ranks, beyond a sample.
std::vector<int> waysFor(int ranks) {
    if (ranks <= 30) return {1, 2, 3, 4, 5, 6, 7, 8};
    return {1, 2, 3, 5, 8};
}

TEST(Allreduce, onOnePortCombinesEachVectorOnce) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks) {
        const int power = shapes::ceilLog(2, ranks);
        const bool whole = ranks == 1 << power;
        EXPECT_EQ(proved(planOf("pairwise-exchange", support::allreduce(ranks), {})).rounds,
                  whole ? power : power - 1 + 2);
        EXPECT_EQ(proved(planOf("binomial-tree", support::allreduce(ranks), {})).rounds, 2 * power);
        EXPECT_EQ(proved(planOf("butterfly", support::allreduce(ranks), {})).rounds, power);
    }
}

TEST(Allreduce, takesEmptyVectors) {
    for (const std::string name : {"pairwise-exchange", "binomial-tree", "butterfly", "bruck", "adapted-dissemination"})
        for (const std::int32_t ranks : {1, 5, 8}) proved(planOf(name, support::allreduce(ranks, 0), {}));
}

TEST(Butterfly, countsTwiceWithoutTheNeutralElement) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks) {
        const Plan plan = planOf("butterfly", support::allreduce(ranks), {{"neutral", "no"}});
        if ((ranks & (ranks - 1)) == 0) {
            proved(plan);
            continue;
        }
        const Verdict verdict = verify(*plan.schedule, plan.problem);
        EXPECT_FALSE(verdict.proved) << ranks;
        EXPECT_NE(verdict.counterExample.find("twice"), std::string::npos) << verdict.counterExample;
        EXPECT_EQ(predictedOf(plan), verdict.lockstep) << ranks;
    }
}

TEST(Dissemination, isPlannedExactlyWhereItIsRight) {
    const auto& algorithm = algorithmNamed("allreduce/dissemination");
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks)
        for (const int n : waysFor(ranks)) {
            const Problem problem = support::allreduce(ranks);
            const Options options{algorithm.id, algorithm.options, {{"n", std::to_string(n)}, {"repeats", "refused"}}};
            const Plan plan = planOf("dissemination", problem, {{"n", std::to_string(n)}, {"repeats", "allowed"}});
            const Verdict verdict = verify(*plan.schedule, problem);
            EXPECT_EQ(verdict.proved, !algorithm.objects(problem, options)) << ranks << " ranks, n = " << n;
            if (verdict.proved) proved(plan);
        }
}

TEST(Bruck, worksForEveryNumberOfRanksAndPorts) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks)
        for (const int n : waysFor(ranks)) {
            const Plan plan = planOf("bruck", support::allreduce(ranks), {{"n", std::to_string(n)}});
            EXPECT_EQ(plan.schedule->facts().ports, n);
            EXPECT_EQ(proved(plan).rounds, shapes::ceilLog(n + 1, ranks));
        }
    proved(planOf("bruck", support::allreduce(1000), {{"n", "3"}}));
}

TEST(Adapted, worksWithEveryAdaptation) {
    int tried = 0;
    for (std::int32_t ranks = 2; ranks <= 70; ++ranks)
        for (const int n : waysFor(ranks))
            for (const shapes::Adaptation& one : shapes::adaptations(n, ranks)) {
                std::string tuple = shapes::tupleText(one);
                tuple = tuple.substr(1, tuple.size() - 2);
                std::erase(tuple, ' ');
                const Settings settings{{"n", std::to_string(n)}, {"tuple", tuple}};
                if (!one.usable) {
                    EXPECT_THROW(planOf("adapted-dissemination", support::allreduce(ranks), settings), Error);
                    continue;
                }
                const Plan plan = planOf("adapted-dissemination", support::allreduce(ranks), settings);
                EXPECT_EQ(plan.schedule->facts().ports, n);
                EXPECT_EQ(proved(plan).rounds, shapes::ceilLog(n + 1, ranks));
                ++tried;
            }
    EXPECT_GT(tried, 1000);
}

TEST(Adapted, fallsBackToBruckOrRefuses) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks)
        for (const int n : {1, 2, 3}) {
            const Settings settings{{"n", std::to_string(n)}};
            const Plan plan = planOf("adapted-dissemination", support::allreduce(ranks), settings);
            EXPECT_EQ(proved(plan).rounds, shapes::ceilLog(n + 1, ranks));
        }
    try {
        planOf("adapted-dissemination", support::allreduce(13), {{"n", "1"}, {"fallback", "no"}});
        FAIL() << "13 ranks are not adaptable for n = 1";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(),
                     "allreduce/adapted-dissemination: no adaptation exists for n = 1, P = 13; n = 2 works");
    }
}

TEST(Adapted, refusesWhatIsNoTuple) {
    for (const std::string words : {"", "1,2", "nonsense", "1,1,1,1,1,1"})
        EXPECT_THROW(planOf("adapted-dissemination", support::allreduce(8), {{"n", "2"}, {"tuple", words}}), Error);
}

TEST(Ports, areThoseOfTheMachineUnlessNamed) {
    Problem problem = support::allreduce(27);
    problem.ports = 2;
    EXPECT_EQ(proved(planOf("bruck", problem, {})).rounds, 3);
    EXPECT_EQ(proved(planOf("bruck", problem, {{"n", "1"}})).rounds, 5);
    EXPECT_THROW(planOf("bruck", problem, {{"n", "9"}}), Error);
}

TEST(Allreduce, agreesWithGoldenVectors) {
    const std::map<std::string, std::string> spelling{{"pairwise", "pairwise-exchange"},
                                                      {"bst", "binomial-tree"},
                                                      {"bruck", "bruck"},
                                                      {"adapted", "adapted-dissemination"},
                                                      {"butterfly_virtual", "butterfly"}};
    std::ifstream file{support::goldenFolder() / "golden-intragroup.json"};
    const auto all = nlohmann::json::parse(file);
    int compared = 0;
    for (const auto& one : all.at("cases")) {
        const std::string id = one.at("alg");
        if (id.rfind("allreduce.", 0) != 0) continue;
        const auto& params = one.at("params");
        Settings settings;
        if (params.contains("n")) settings["n"] = params.at("n").dump();
        constexpr Bytes m = 120;
        const Plan plan = planOf(spelling.at(id.substr(10)), support::allreduce(params.at("P"), m), settings);
        const Verdict verdict = proved(plan);
        EXPECT_EQ(verdict.rounds, one.at("rounds")) << one.at("id");
        EXPECT_EQ(verdict.lockstep.volume, std::stoll(one.at("beta").get<std::string>()) * m) << one.at("id");
        if (one.contains("messages") && one.value("adaptable", true)) {
            EXPECT_EQ(verdict.messages, one.at("messages")) << one.at("id");
        }
        ++compared;
    }
    EXPECT_EQ(compared, 44);
}

TEST(Bruck, sendsFromTheGoldenOffsets) {
    std::ifstream file{support::goldenFolder() / "golden-intragroup.json"};
    const auto all = nlohmann::json::parse(file);
    for (const auto& one : all.at("cases")) {
        if (one.at("alg") != "allreduce.bruck") continue;
        const std::int32_t ranks = one.at("params").at("P");
        const Plan plan = planOf("bruck", support::allreduce(ranks), {{"n", one.at("params").at("n").dump()}});
        for (std::size_t round = 0; round < one.at("offsets").size(); ++round) {
            Turn turn;
            plan.schedule->turn(Rank{0}, Round{static_cast<std::int64_t>(round)}, turn);
            auto expected = one.at("offsets")[round];
            ASSERT_EQ(turn.receives().size(), expected.size()) << one.at("id");
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_EQ(turn.receives()[i].peer.value, expected[i][0].get<std::int32_t>()) << one.at("id");
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_EQ(turn.sends()[i].slots, expected[i][1] == 1 ? 1U : 2U) << one.at("id");
        }
    }
}

}  // namespace
}  // namespace engine
