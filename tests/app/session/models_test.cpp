// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/options/models.hpp"

#include "app/session/session.hpp"
#include "engine/base/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace app {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rate;

std::string mistakeIn(const std::string& text) {
    try {
        readModelText(text, "mine", "mine.model");
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "none";
}

TEST(Models, allSayWhatTheyAreAndWhereTheyAreFrom) {
    EXPECT_GE(models().size(), 7U);
    for (const NamedModel& one : models()) {
        EXPECT_FALSE(one.title.empty()) << one.model.name;
        EXPECT_FALSE(one.source.empty()) << one.model.name;
        EXPECT_EQ(engine::modelFromText(engine::toText(one.model)), one.model) << one.model.name;
    }
    EXPECT_TRUE(std::is_sorted(models().begin(), models().end(),
                               [](const auto& a, const auto& b) { return a.model.name < b.model.name; }));
}

TEST(Models, haveTheValuesOfTheirSources) {
    EXPECT_EQ(modelNamed("alpha-beta").model, engine::Model{}) << "the default is one of them";
    const engine::Model bgp = modelNamed("bgp").model;
    EXPECT_NEAR(static_cast<double>(bgp.alpha.count()) * 1000 / static_cast<double>(bgp.beta.femtosecondsPerByte), 1485,
                0.5)
        << "bytes at which startup and moving cost the same: hasanov2014's four observations";
    EXPECT_EQ(modelNamed("simgrid").model.beta, Rate{800'000});
    EXPECT_EQ(modelNamed("loggopsim").model.logGP->latency, Picoseconds{1'000'000});
}

TEST(Models, areNotFoundByOtherNames) {
    try {
        modelFromNameOrFile("bpg");
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "model: unknown model 'bpg'; did you mean bgp?");
    }
    try {
        modelFromNameOrFile("something-else-altogether");
        FAIL();
    } catch (const engine::Error& error) {
        EXPECT_STREQ(
            error.what(),
            "model: unknown model 'something-else-altogether'; the list of models lists them all, @FILE is one "
            "of your own");
    }
    EXPECT_THROW(modelFromNameOrFile("@/no/such/file"), engine::Error);
    EXPECT_THROW(modelFromNameOrFile("@/tmp"), engine::Error);
}

TEST(ModelText, isReadLineByLine) {
    const NamedModel hockney =
        readModelText("# remark\n\ntitle  mine \r\n bandwidth\t2GB/s\ngamma 1ns/B\neager 64KiB\n", "mine", "here");
    EXPECT_EQ(hockney.title, "mine");
    EXPECT_EQ(hockney.model.name, "mine");
    EXPECT_EQ(hockney.model.alpha, engine::Model{}.alpha);
    EXPECT_EQ(hockney.model.beta, Rate{500'000});
    EXPECT_EQ(hockney.model.gamma, Rate{1'000'000});
    EXPECT_EQ(hockney.model.eagerLimit, Bytes{65536});
    EXPECT_EQ(readModelText("gamma-max 2ns/B", "mine", "here").model.gammaOf,
              (std::map<engine::Operation, Rate>{{engine::Operation::max, Rate{2'000'000}}}));
    EXPECT_EQ(mistakeIn("gamma-most 2ns/B"),
              "mine.model: gamma-most: unknown operation 'most'; choose from sum, min, max, user, ordered");
    const NamedModel letters = readModelText("L 5us\no 1us\nG 1ns/B", "mine", "here");
    EXPECT_EQ(letters.model.logGP, (engine::LogGP{.latency = Picoseconds{5'000'000},
                                                  .overhead = Picoseconds{1'000'000},
                                                  .gapPerByte = Rate{1'000'000}}));
}

/// Microseconds of Bruck's allreduce with n = 5, as on the clusters of End et al. 2016.
double bruck(const std::string& model, std::int64_t ranks, Bytes size, engine::Operation operation) {
    RunWish wish{.algorithm = "allreduce/bruck",
                 .problem = {.ranks = ranks, .size = size, .operation = operation},
                 .options = {{"n", "5"}},
                 .model = modelFromNameOrFile(model)};
    return static_cast<double>(execute(wish).run->duration.count()) / 1e6;
}

TEST(Models, agreeWithWhatThePapersPrint) {
    using engine::Operation;
    EXPECT_NEAR(bruck("infiniband-qdr", 28, 4, Operation::sum), 10, 0.1);
    EXPECT_NEAR(bruck("infiniband-qdr", 28, 2040, Operation::sum), 30, 0.1);
    EXPECT_NEAR(bruck("infiniband-qdr", 28, 2040, Operation::max), 32, 0.1);
    EXPECT_NEAR(bruck("infiniband-fdr10", 96, 4, Operation::sum), 16, 0.1);
    EXPECT_NEAR(bruck("infiniband-fdr10", 96, 2040, Operation::sum), 27, 0.1);
    EXPECT_NEAR(bruck("infiniband-fdr10", 96, 2040, Operation::max), 30, 0.1);
}

TEST(ModelText, namesMistakes) {
    EXPECT_EQ(mistakeIn("alpha"), "mine.model:1: 'alpha' has no value; write for example alpha 1us");
    EXPECT_EQ(mistakeIn("\nalpha 1us\nalpha 2us"), "mine.model:3: alpha is given twice");
    EXPECT_EQ(mistakeIn("alpa 1us"), "mine.model: unknown parameter 'alpa'; did you mean alpha?");
    EXPECT_EQ(mistakeIn("alpha soon"), "mine.model: alpha: 'soon' is not a quantity; write for example 1us");
    EXPECT_EQ(mistakeIn("beta 1ns/B\nbandwidth 1GB/s"),
              "mine.model: beta and bandwidth set the same value; give one of them");
    EXPECT_EQ(mistakeIn("L 1us\nalpha 1us"), "mine.model: alpha does not go with the letters of LogGP");
}

TEST(ModelWords, areReadBackToTheLastDigit) {
    engine::Model model{.name = "mine", .alpha = Picoseconds{1}, .beta = Rate{3}, .gamma = Rate{7}};
    model.logGP = engine::LogGP{Picoseconds{1}, Picoseconds{2}, Picoseconds{3}, Rate{4}, Rate{5}};
    model.eagerLimit = 6;
    EXPECT_EQ(engine::modelFromText(engine::toText(model)), model);
    model.gammaOf = {{engine::Operation::max, Rate{8}}, {engine::Operation::user, Rate{9}}};
    EXPECT_EQ(engine::modelFromText(engine::toText(model)), model);
    EXPECT_EQ(model.combiningBy(engine::Operation::max).gamma, Rate{8});
    EXPECT_EQ(model.combiningBy(engine::Operation::sum).gamma, Rate{7});
    EXPECT_EQ(engine::toText(engine::Model{}), "alpha=1000000ps beta=400000fs/B gamma=0fs/B");
    for (const char* words :
         {"alpha=soon", "alpha=1us beta=1ns/B", "alpha=1us beta=1ns/B gamma=0ns/B delta=1us", "alpha"})
        EXPECT_THROW(engine::modelFromText(words), engine::Error) << words;
    EXPECT_THROW(engine::readLogGP("L=1us,L=2us", "LogGP"), engine::Error);
    EXPECT_THROW(engine::readLogGP("M=1us", "LogGP"), engine::Error);
}

}  // namespace
}  // namespace app
