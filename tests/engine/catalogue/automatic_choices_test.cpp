// SPDX-License-Identifier: BSD-3-Clause
// What algorithms choose by themselves, against all that they could have chosen, under models of every kind.
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/problem/sizes.hpp"
#include "tests/support/catalogue_grid.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace engine {
namespace {

using Settings = std::map<std::string, std::string>;

/// Startups cheap, usual, dear; and LogGP, whose letters come to 9 us and 3 ns/B.
std::vector<Model> models() {
    std::vector<Model> all(4);
    all[0].alpha = Picoseconds{10'000};
    all[2].alpha = Picoseconds{50'000'000};
    all[2].beta = Rate{1'000'000};
    all[3].logGP = LogGP{.latency = Picoseconds{5'000'000},
                         .overhead = Picoseconds{2'000'000},
                         .gapPerByte = Rate{1'000'000},
                         .overheadPerByte = Rate{1'000'000}};
    return all;
}

TEST(AutomaticChoices, weighLogGPByWhatAMessageTakes) {
    const Model plain = asAlphaBeta(models()[3]);
    EXPECT_EQ(plain.alpha.count(), 9'000'000);
    EXPECT_EQ(plain.beta.femtosecondsPerByte, 3'000'000);
    EXPECT_EQ(asAlphaBeta(models()[2]), models()[2]);
}

TEST(AutomaticChoices, ofBlocksTakeLittleMoreThanTheBest) {
    const Algorithm& ring = algorithmNamed("allgatherv/pipelined-ring");
    for (const Model& model : models())
        for (const char* sizes : {"broadcast", "spike", "half-full", "linear", "geometric"})
            for (const char* empty : {"sent", "skipped"})
                for (const char* placement : {"as-is", "equidistant"}) {
                    Problem problem = support::allgatherv({1});
                    problem.groupA = 33;
                    problem.layout = distributionNamed(sizes).sizes(33, 65536);
                    const Settings options{{"empty", empty}, {"placement", placement}};
                    const Bytes largest = problem.layout.largest();
                    const Model weighed = asAlphaBeta(model);
                    const auto timeOf = [&](const Plan& plan, Bytes block) {
                        return weighed.message(std::min(block, largest)) * plan.schedule->facts().rounds;
                    };
                    const Plan chosen = makePlan(ring, problem, options, {.model = model});
                    const Choices choices = choicesOf(chosen);
                    ASSERT_EQ(choices.size(), 1U);
                    EXPECT_EQ(choices[0].option, "block");
                    const Bytes block = readBytes(choices[0].value, "block");
                    const Picoseconds taken = timeOf(chosen, block);
                    Picoseconds least = taken;
                    for (Bytes count = 1; count <= 400; ++count) {
                        Settings given = options;
                        const Bytes size = (largest + count - 1) / count;
                        given["block"] = std::to_string(size);
                        least = std::min(least, timeOf(makePlan(ring, problem, given), size));
                    }
                    EXPECT_LE(seconds(taken), 1.05 * seconds(least))
                        << sizes << ' ' << empty << ' ' << placement << ' ' << toText(model) << ": " << block;
                    Settings again = options;
                    again["block"] = choices[0].value;
                    EXPECT_EQ(makePlan(ring, problem, again).schedule->facts().rounds, chosen.schedule->facts().rounds);
                    EXPECT_TRUE(choicesOf(makePlan(ring, problem, again)).empty());
                }
}

TEST(AutomaticChoices, ofSegmentsAndGroupsTakeLittleMoreThanTheBest) {
    for (const Model& model : models())
        for (const char* id : {"bcast/pipelined-chain", "bcast/binary-tree", "bcast/split-binary-tree"})
            for (const int ranks : {8, 31, 64}) {
                const Algorithm& algorithm = algorithmNamed(id);
                const Problem problem = support::bcast(ranks, 0, 1 << 20);
                const Model weighed = asAlphaBeta(model);
                const auto timeOf = [&](const Settings& options) {
                    const Options all{algorithm.id, algorithm.options, options, {.model = model}};
                    return algorithm.predict(problem, all)->under(weighed);
                };
                const Plan chosen = makePlan(algorithm, problem, {{"segments", "auto"}}, {.model = model});
                const Choices choices = choicesOf(chosen);
                ASSERT_EQ(choices.size(), 1U);
                EXPECT_EQ(choices[0].option, "segments");
                const Picoseconds taken = timeOf({{"segments", choices[0].value}});
                EXPECT_EQ(taken, timeOf({{"segments", "auto"}}));
                Picoseconds least = taken;
                for (std::int64_t count = 2; count <= 20'000; count += std::max<std::int64_t>(2, count / 32 * 2))
                    least = std::min(least, timeOf({{"segments", std::to_string(count)}}));
                EXPECT_LE(seconds(taken), 1.02 * seconds(least)) << id << ' ' << ranks << ' ' << toText(model);
            }
}

/// Every id that may choose its segments, also where combining costs more than moving.
TEST(AutomaticChoices, ofSegmentsWeighWhatReductionsCombine) {
    int seen = 0;
    for (const Algorithm* algorithm : catalogue()) {
        const bool reduces = isReduction(algorithm->collective);
        const auto own = std::find_if(algorithm->options.begin(), algorithm->options.end(), [](const Option& option) {
            return option.name == "segments" && !option.choices.empty();
        });
        if (own == algorithm->options.end() || (!reduces && algorithm->collective != Collective::bcast)) continue;
        for (Model model : models())
            for (const auto& [gamma, ofMax] : {std::pair{0, 0}, std::pair{20'000'000, 0}, std::pair{0, 5'000'000}})
                for (const int ranks : {16, 31}) {
                    model.gamma = Rate{gamma};
                    model.gammaOf.clear();
                    if (ofMax > 0) model.gammaOf[Operation::max] = Rate{ofMax};
                    Problem problem{.collective = algorithm->collective,
                                    .groupA = ranks,
                                    .layout = Layout::regular(reduces ? ranks : 1, 1 << 20)};
                    problem.operation = Operation::max;
                    if (algorithm->objects &&
                        algorithm->objects(problem, Options{algorithm->id, algorithm->options, {}}))
                        continue;
                    const auto timeOf = [&](const std::string& count) {
                        const Options all{algorithm->id, algorithm->options, {{"segments", count}}, {.model = model}};
                        return algorithm->predict(problem, all)
                            ->under(asAlphaBeta(model).combiningBy(problem.operation));
                    };
                    const Picoseconds taken = timeOf("auto");
                    Picoseconds least = taken;
                    for (std::int64_t count = 2; count <= 20'000; count += std::max<std::int64_t>(2, count / 16 * 2))
                        least = std::min(least, timeOf(std::to_string(count)));
                    EXPECT_LE(seconds(taken), 1.03 * seconds(least))
                        << algorithm->id << ' ' << ranks << ' ' << toText(model);
                    ++seen;
                }
    }
    EXPECT_GE(seen, 9 * 24) << "bcast and reduce have that many";
}

TEST(AutomaticChoices, ofGroupsAreTheBestUnderTheModel) {
    const Algorithm& flat = algorithmNamed("bcast/scatter-ring-allgather");
    std::vector<std::string> chosen;
    for (const Model& model : models()) {
        const Problem problem = support::bcast(64, 0, 1 << 18);
        const auto timeOf = [&](const std::string& groups) {
            const Options options{flat.id, flat.options, {{"groups", groups}}, {.model = model}};
            return flat.predict(problem, options)->under(asAlphaBeta(model));
        };
        const Choices choices = choicesOf(makePlan(flat, problem, {{"groups", "auto"}}, {.model = model}));
        ASSERT_EQ(choices.size(), 1U);
        EXPECT_EQ(choices[0].option, "groups");
        for (const char* groups : {"1", "2", "4", "8", "16", "32", "64"})
            EXPECT_LE(timeOf(choices[0].value), timeOf(groups)) << groups << ' ' << toText(model);
        chosen.push_back(choices[0].value);
    }
    EXPECT_NE(chosen[0], chosen[2]) << "the model makes no difference";
}

TEST(AutomaticChoices, sayWhatBothLevelsChose) {
    const Algorithm& chain = algorithmNamed("bcast/pipelined-chain");
    const Plan plan = makePlan(chain, support::bcast(64, 0, 1 << 20), {{"groups", "4"}});
    EXPECT_EQ(toText(choicesOf(plan)), "segments between the groups=29, segments inside them=77");
    EXPECT_TRUE(choicesOf(makePlan(chain, support::bcast(64), {{"groups", "4"}, {"segments", "8"}})).empty());
    const Plan adapted =
        makePlan(algorithmNamed("allreduce/adapted-dissemination"), support::allreduce(8), {{"n", "2"}});
    EXPECT_EQ(toText(choicesOf(adapted)), "tuple=2,1,-1,1,0");
}

/// Where an algorithm solves a problem at all with a value of an option, it does with the value that it chooses.
TEST(AutomaticChoices, areNeverRefused) {
    const auto isRefused = [](const Algorithm& algorithm, const Problem& problem, const Settings& options,
                              const Model& model) {
        return algorithm.objects &&
               algorithm.objects(problem, Options{algorithm.id, algorithm.options, options, {.model = model}})
                   .has_value();
    };
    std::vector<Model> all = models();
    all.push_back(all[0]);
    all.back().alpha = {};
    int chosen = 0;
    for (const Algorithm* algorithm : catalogue()) {
        std::vector<std::string> left;
        for (const Option& option : algorithm->options)
            if (option.kind != Option::Kind::text && std::ranges::count(option.choices, automatic) > 0)
                left.push_back(option.name);
        const std::vector<Problem> problems =
            left.empty() ? std::vector<Problem>{}
                         : support::problemsFor(algorithm->collective, isIntergroup(algorithm->collective) ? 6 : 40);
        for (const std::string& option : left)
            for (const Problem& problem : problems)
                for (const Model& model : all) {
                    ++chosen;
                    if (!isRefused(*algorithm, problem, {{option, "auto"}}, model)) continue;
                    for (int number = 1; number <= problem.ranks(); ++number)
                        ASSERT_TRUE(isRefused(*algorithm, problem, {{option, std::to_string(number)}}, model))
                            << algorithm->id << " of " << toText(problem) << ": " << option << "=" << number
                            << " is possible, but auto is refused";
                }
    }
    EXPECT_GT(chosen, 10'000);
}

TEST(AutomaticChoices, areFiniteWhereStartupsOrBytesCostNothing) {
    const Algorithm& chain = algorithmNamed("bcast/pipelined-chain");
    Model bytesAlone;
    bytesAlone.alpha = {};
    Model startupsAlone;
    startupsAlone.beta = {};
    const auto segments = [&](Bytes m, const Model& model) {
        return toText(choicesOf(makePlan(chain, support::bcast(8, 0, m), {}, {.model = model})));
    };
    EXPECT_EQ(segments(1 << 20, bytesAlone), "segments=1536");  // 256 for each of the 6 rounds that fill the chain
    EXPECT_EQ(segments(100, bytesAlone), "segments=100");
    EXPECT_EQ(segments(1 << 20, startupsAlone), "segments=1");
    EXPECT_EQ(segments(0, bytesAlone), "segments=1");
    const Algorithm& ring = algorithmNamed("allgatherv/pipelined-ring");
    const Problem spike = support::allgatherv({1 << 20, 8, 8, 0, 8});
    EXPECT_LE(makePlan(ring, spike, {}, {.model = bytesAlone}).schedule->facts().rounds, 256 * 4);
    EXPECT_EQ(toText(choicesOf(makePlan(ring, spike, {}, {.model = startupsAlone}))), "block=1048576");
}

}  // namespace
}  // namespace engine
