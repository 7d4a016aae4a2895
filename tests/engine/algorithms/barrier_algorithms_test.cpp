// SPDX-License-Identifier: BSD-3-Clause
// Both barriers on 1 to 70 ranks and 1 to 8 ports.
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "engine/shapes/powers.hpp"
#include "tests/support/places.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace engine {
namespace {

Verdict proved(const std::string& name, std::int32_t ranks, int n) {
    const Plan plan = makePlan(algorithmNamed("barrier/" + name), support::barrier(ranks), {{"n", std::to_string(n)}});
    const Verdict verdict = verify(*plan.schedule, plan.problem);
    EXPECT_TRUE(verdict.proved) << name << ", " << ranks << " ranks, n = " << n << ": " << verdict.counterExample;
    // The proof counts the schedule's rounds: with ports for all messages of a round they are the startups.
    Problem ported = plan.problem;
    ported.ports = plan.schedule->facts().ports;
    EXPECT_EQ(plan.algorithm->predict(ported, plan.options).value(), verdict.lockstep) << name << ", " << ranks;
    EXPECT_EQ(verdict.rounds, shapes::ceilLog(n + 1, ranks));
    return verdict;
}

TEST(Barrier, hearsOfEveryoneInTheFewestRounds) {
    for (std::int32_t ranks = 1; ranks <= 70; ++ranks)
        for (int n = 1; n <= 8; ++n) {
            if (ranks > 30 && n > 3 && n != 5) continue;
            proved("dissemination", ranks, n);
            proved("butterfly", ranks, n);
        }
}

TEST(Butterfly, needsTwoPortsForVirtualProcesses) {
    const auto ports = [](std::int32_t ranks) {
        return makePlan(algorithmNamed("barrier/butterfly"), support::barrier(ranks), {{"n", "1"}})
            .schedule->facts()
            .ports;
    };
    EXPECT_EQ(ports(8), 1);
    EXPECT_EQ(ports(5), 2);
}

TEST(Barrier, agreesWithGoldenVectors) {
    std::ifstream file{support::goldenFolder() / "golden-intragroup.json"};
    const auto all = nlohmann::json::parse(file);
    int compared = 0;
    for (const auto& one : all.at("cases")) {
        if (one.at("alg") != "barrier.dissemination") continue;
        const Verdict verdict = proved("dissemination", one.at("params").at("P"), one.at("params").at("n"));
        EXPECT_EQ(verdict.rounds, one.at("rounds")) << one.at("id");
        EXPECT_EQ(verdict.messages, one.at("messages")) << one.at("id");
        ++compared;
    }
    EXPECT_EQ(compared, 3);
}

}  // namespace
}  // namespace engine
