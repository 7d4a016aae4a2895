// SPDX-License-Identifier: BSD-3-Clause
// Every allgatherv of the catalogue: proved on regular and irregular sizes, the pipelined ring with all its options and
// against golden vectors.
#include "engine/base/error.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/verify.hpp"
#include "engine/shapes/ring_order.hpp"
#include "tests/support/places.hpp"
#include "tests/support/problems.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace engine {
namespace {

using Settings = std::map<std::string, std::string>;
using Sizes = std::vector<Bytes>;

Plan planOf(const std::string& name, const Sizes& sizes, const Settings& settings = {}) {
    return makePlan(algorithmNamed("allgatherv/" + name), support::allgatherv(sizes), settings);
}

/// Proves the plan and holds the prediction, where there is one, against the proof.
Verdict proved(const Plan& plan) {
    const Verdict verdict = verify(*plan.schedule, plan.problem);
    std::string what = plan.algorithm->id + " " + toText(plan.problem);
    for (const auto& [option, value] : plan.options.given()) what += " " + option + "=" + value;
    EXPECT_TRUE(verdict.proved) << what << ": " << verdict.counterExample;
    if (const auto predicted = plan.algorithm->predict(plan.problem, plan.options)) {
        EXPECT_EQ(predicted->startups, verdict.lockstep.startups) << what;
        EXPECT_EQ(predicted->volume, verdict.lockstep.volume) << what;
    }
    return verdict;
}

bool isPriced(const Plan& plan) { return plan.algorithm->predict(plan.problem, plan.options).has_value(); }

Bytes ceilDiv(Bytes a, Bytes b) { return (a + b - 1) / b; }

/// Some zeros, some small, some large.
Sizes irregular(std::mt19937& random, std::int32_t ranks) {
    Sizes sizes;
    const auto zeros = random() % 4;
    for (std::int32_t i = 0; i < ranks; ++i)
        sizes.push_back(random() % 4 < zeros ? 0 : static_cast<Bytes>(random() % (random() % 5 == 0 ? 40 : 9)));
    return sizes;
}

TEST(Allgatherv, isRightForEqualSizes) {
    for (std::int32_t p = 1; p <= 70; ++p)
        for (const Bytes size : {0, 1, 37}) {
            const Sizes sizes(static_cast<std::size_t>(p), size);
            for (const std::string name : {"linear-ring", "bruck", "pipelined-ring"}) {
                const Plan plan = planOf(name, sizes);
                EXPECT_TRUE(isPriced(plan)) << name;
                proved(plan);
            }
            if ((p & (p - 1)) == 0) proved(planOf("recursive-doubling", sizes));
        }
}

TEST(Allgatherv, isRightForIrregularSizes) {
    std::mt19937 random{7};
    for (std::int32_t p = 1; p <= 70; ++p) {
        const Sizes sizes = irregular(random, p);
        for (const std::string name : {"linear-ring", "bruck", "pipelined-ring"}) proved(planOf(name, sizes));
        if ((p & (p - 1)) == 0) proved(planOf("recursive-doubling", sizes));
    }
}

TEST(RecursiveDoubling, refusesOtherThanPowersOfTwo) {
    EXPECT_THROW(planOf("recursive-doubling", Sizes(12, 4)), Error);
}

TEST(PipelinedRing, isRightWithAllOptions) {
    std::mt19937 random{11};
    for (int i = 0; i < 150; ++i) {
        const auto p = static_cast<std::int32_t>(random() % 16 + 1);
        const Sizes sizes = irregular(random, p);
        for (const std::string block : {"1", "3", "8", "100", "auto"})
            for (const std::string split : {"fixed", "even"})
                for (const std::string empty : {"sent", "omitted", "skipped"})
                    for (const std::string placement : {"as-is", "equidistant", "within-nodes"})
                        proved(planOf("pipelined-ring", sizes,
                                      {{"block", block},
                                       {"split", split},
                                       {"empty", empty},
                                       {"placement", placement},
                                       {"nodes", "3"}}));
    }
}

TEST(PipelinedRing, takesAsManyRoundsAsTheFixedScheduleSays) {
    std::mt19937 random{13};
    for (int i = 0; i < 200; ++i) {
        const auto p = static_cast<std::int32_t>(random() % 20 + 1);
        const Sizes sizes = irregular(random, p);
        const Bytes block = 1 + static_cast<Bytes>(random() % 6);
        Bytes all = 0;
        Bytes least = 1000;
        for (const Bytes size : sizes) {
            const Bytes blocks = std::max<Bytes>(1, ceilDiv(size, block));
            all += blocks;
            least = std::min(least, blocks);
        }
        const Plan plan = planOf("pipelined-ring", sizes, {{"block", std::to_string(block)}, {"empty", "sent"}});
        EXPECT_EQ(proved(plan).rounds, all - least);
    }
}

/// Rounds of a ring on which everyone forwards as early as it can, found by moving blocks one by one.
std::int64_t simulatedRounds(const std::vector<Bytes>& blocks) {
    const std::size_t p = blocks.size();
    std::vector<std::vector<std::size_t>> queue(p);  // origins of the blocks a place still has to send
    std::size_t missing = 0;
    for (std::size_t i = 0; i < p; ++i) {
        queue[i].assign(static_cast<std::size_t>(blocks[i]), i);
        missing += static_cast<std::size_t>(blocks[i]) * (p - 1);
    }
    std::int64_t rounds = 0;
    for (; missing > 0; ++rounds) {
        std::vector<std::pair<std::size_t, std::size_t>> arrivals;
        for (std::size_t i = 0; i < p; ++i)
            if (!queue[i].empty() && queue[i].front() != (i + 1) % p) {
                arrivals.emplace_back((i + 1) % p, queue[i].front());
                queue[i].erase(queue[i].begin());
            }
        for (const auto& [place, origin] : arrivals) queue[place].push_back(origin);
        missing -= arrivals.size();
    }
    return rounds;
}

TEST(PipelinedRing, skipsEmptyRanksAsEarlyAsPossible) {
    std::mt19937 random{17};
    for (int i = 0; i < 2000; ++i) {
        Sizes sizes;
        const auto p = random() % 12 + 1;
        for (unsigned k = 0; k < p; ++k) sizes.push_back(random() % 2 == 0 ? 0 : static_cast<Bytes>(random() % 6));
        const Plan plan = planOf("pipelined-ring", sizes, {{"block", "1"}, {"empty", "skipped"}});
        EXPECT_EQ(plan.schedule->facts().rounds, simulatedRounds(sizes)) << toText(plan.problem);
        EXPECT_TRUE(isPriced(plan));
        if (i < 300) proved(plan);
    }
}

TEST(PipelinedRing, savesBeyondThePrintedCount) {
    const Settings single{{"block", "1"}, {"empty", "skipped"}};
    EXPECT_EQ(planOf("pipelined-ring", {2, 2, 0}, single).schedule->facts().rounds, 4);
    EXPECT_EQ(planOf("pipelined-ring", {3, 1}, single).schedule->facts().rounds, 3);
    // z ranks at equal distances before ranks with more blocks than the gap: NB - 1 + ceil(z/(p - z)).
    for (const std::int32_t full : {2, 3, 5})
        for (std::int32_t empty = 1; empty <= 9; ++empty) {
            Sizes sizes(static_cast<std::size_t>(full), 6);
            sizes.insert(sizes.end(), static_cast<std::size_t>(empty), 0);
            const Plan plan =
                planOf("pipelined-ring", sizes, {{"block", "1"}, {"empty", "skipped"}, {"placement", "equidistant"}});
            EXPECT_EQ(proved(plan).rounds, full * 6 - 1 + ceilDiv(empty, full));
        }
}

TEST(PipelinedRing, equalsTheLinearRingForLargeBlocks) {
    const Sizes sizes{5, 9, 2, 7};
    EXPECT_EQ(proved(planOf("pipelined-ring", sizes, {{"block", "9"}})).lockstep,
              proved(planOf("linear-ring", sizes)).lockstep);
}

TEST(PipelinedRing, gainsOverTheLinearRingAsThePaperReports) {
    // 30 ranks, blocks of 1 MiB, no startups: one rank brings 32 MiB; or one 16 MiB and the others 16 MiB together.
    constexpr Bytes mega = Bytes{1} << 20;
    Sizes broadcast(30, 0);
    broadcast[0] = 32 * mega;
    Sizes spike(30, 16 * mega / 29);
    spike[0] = 16 * mega;
    const auto volume = [](const std::string& name, const Sizes& sizes, const Settings& settings) {
        return static_cast<double>(proved(planOf(name, sizes, settings)).lockstep.volume);
    };
    const Settings blocks{{"block", "1MiB"}, {"empty", "skipped"}};
    EXPECT_NEAR(volume("linear-ring", broadcast, {}) / volume("pipelined-ring", broadcast, blocks), 15.47, 0.005);
    EXPECT_NEAR(volume("linear-ring", spike, {}) / volume("pipelined-ring", spike, blocks), 10.55, 0.005);
    EXPECT_EQ(volume("linear-ring", broadcast, {}), 2 * volume("linear-ring", spike, {}));
}

TEST(PipelinedRing, choosesBlocksNearTheCorrectedEquation) {
    // m = 1,250,000, alpha/beta = 2500 B, p = 4, z = 1: K = 5/2 - 1, sqrt(m 2500/1.5) = 45644 takes 28 rounds; a
    // sixteenth of the largest takes 20, and least of all.
    Turn turn;
    planOf("pipelined-ring", {1'000'000, 125'000, 125'000, 0}).schedule->turn(Rank{0}, Round{1}, turn);
    EXPECT_EQ(turn.sends()[0].bytes, 62500);
    EXPECT_EQ(planOf("pipelined-ring", Sizes(5, 1000)).schedule->facts().rounds, 4);
}

TEST(RingOrder, leadsOneLinkIntoEachNodeAndOneOut) {
    const std::vector<std::int64_t> blocks{0, 3, 1, 0, 0, 2, 4, 0, 1, 0};
    const auto runsOf = [](std::int64_t perNode) {
        std::vector<std::int32_t> nodes;
        for (std::int64_t rank = 0; rank < 10; ++rank) nodes.push_back(static_cast<std::int32_t>(rank / perNode));
        return nodes;
    };
    for (std::int64_t perNode = 1; perNode <= 10; ++perNode) {
        const auto order = shapes::orderWithinNodes(blocks, runsOf(perNode));
        std::int64_t crossings = 0;
        for (std::size_t i = 0; i < order.size(); ++i)
            crossings += order[i] / perNode != order[(i + 1) % order.size()] / perNode ? 1 : 0;
        const std::int64_t nodes = ceilDiv(10, perNode);
        EXPECT_EQ(crossings, nodes > 1 ? nodes : 0) << perNode;
    }
    EXPECT_EQ(shapes::orderWithinNodes(blocks, runsOf(5)), (std::vector<std::int32_t>{0, 3, 4, 1, 2, 7, 9, 5, 6, 8}));
    EXPECT_EQ(shapes::orderWithinNodes(blocks, {2, 7, 2, 7, 2, 7, 2, 7, 2, 7}),
              (std::vector<std::int32_t>{0, 4, 2, 6, 8, 3, 7, 9, 1, 5}));
}

/// Messages with bytes: what the golden vectors count.
std::int64_t filledMessages(const Plan& plan) {
    std::int64_t messages = 0;
    Turn turn;
    for (Round round{0}; round.value < plan.schedule->facts().rounds; ++round)
        for (Rank rank{0}; rank.value < plan.schedule->facts().ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const Message& message : turn.sends()) messages += message.bytes > 0 ? 1 : 0;
        }
    return messages;
}

TEST(Allgatherv, agreesWithGoldenVectors) {
    std::ifstream file{support::goldenFolder() / "golden-intragroup.json"};
    const auto all = nlohmann::json::parse(file);
    int compared = 0;
    for (const auto& one : all.at("cases")) {
        const std::string id = one.at("alg");
        if (id.rfind("allgatherv.", 0) != 0) continue;
        const auto sizes = one.at("params").at("m").get<Sizes>();
        const Bytes beta = std::stoll(one.at("beta").get<std::string>());
        if (id == "allgatherv.linear") {
            const Plan plan = planOf("linear-ring", sizes);
            const Verdict verdict = proved(plan);
            EXPECT_EQ(verdict.rounds, one.at("rounds")) << one.at("id");
            EXPECT_EQ(verdict.lockstep.volume, beta) << one.at("id");
            EXPECT_EQ(filledMessages(plan), one.at("messages")) << one.at("id");
        } else {
            const std::string block = one.at("params").at("B").dump();
            const Plan equidistant =
                planOf("pipelined-ring", sizes, {{"block", block}, {"empty", "skipped"}, {"placement", "equidistant"}});
            const Verdict compact = proved(equidistant);
            std::vector<std::int64_t> blocks;
            for (const Bytes size : sizes) blocks.push_back(ceilDiv(size, std::stoll(block)));
            if (id == "allgatherv.compact") {
                EXPECT_EQ(compact.rounds, one.at("rounds")) << one.at("id");
                EXPECT_EQ(compact.lockstep.volume, beta) << one.at("id");
                EXPECT_EQ(shapes::orderEquidistant(blocks),
                          one.at("params").at("order").get<std::vector<std::int32_t>>());
                EXPECT_EQ(
                    planOf("pipelined-ring", sizes, {{"block", block}, {"empty", "sent"}}).schedule->facts().rounds,
                    one.at("eq1_rounds"));
            } else {
                EXPECT_EQ(compact.rounds, one.at("compact_equidistant_rounds")) << one.at("id");
                EXPECT_EQ(shapes::orderEquidistant(blocks), one.at("compact_order").get<std::vector<std::int32_t>>());
                const Plan fixed = planOf("pipelined-ring", sizes, {{"block", block}, {"empty", "sent"}});
                const Verdict verdict = proved(fixed);
                EXPECT_EQ(verdict.rounds, one.at("rounds")) << one.at("id");
                EXPECT_EQ(verdict.lockstep.volume, beta) << one.at("id");
                EXPECT_EQ(filledMessages(fixed), one.at("messages")) << one.at("id");
            }
        }
        ++compared;
    }
    EXPECT_EQ(compared, 14);
}

}  // namespace
}  // namespace engine
