// SPDX-License-Identifier: BSD-3-Clause
// The chips of a run say what the run is: read back by the fields that they are of, they make the run again.
#include "app/session/options/run_in_brief.hpp"

#include "engine/catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app {
namespace {

RunWish wishFor(const engine::Algorithm& algorithm) {
    RunWish wish;
    wish.algorithm = algorithm.id;
    if (engine::isIntergroup(algorithm.collective)) {
        wish.problem.groupA = 4;
        wish.problem.groupB = 6;
    } else {
        wish.problem.ranks = 8;
    }
    return wish;
}

std::vector<std::string> said(const RunWish& wish) {
    std::vector<std::string> all;
    for (const Chip& chip : chipsOf(wish, engine::algorithmNamed(wish.algorithm).collective))
        all.push_back(chip.label + ' ' + chip.words);
    return all;
}

using Said = std::vector<std::string>;

TEST(Chips, sayRanksSizeNetworkAndCostsOfEveryRun) {
    RunWish wish = wishFor(engine::algorithmNamed("halfduplex-allgather/ring-streams"));
    wish.network.topology = "ring";
    EXPECT_EQ(said(wish), (Said{"p 4", "q 6", "each 64KiB", "on ring", "\u03b1 1us", "\u03b2 0.4ns/B"}));
    wish = wishFor(engine::algorithmNamed("bcast/binomial-tree"));
    EXPECT_EQ(said(wish), (Said{"n 8", "each 64KiB", "\u03b1 1us", "\u03b2 0.4ns/B"}));
    EXPECT_EQ(said(wishFor(engine::algorithmNamed("barrier/linear"))), (Said{"n 8", "\u03b1 1us", "\u03b2 0.4ns/B"}))
        << "a barrier moves no bytes";
}

TEST(Chips, sayWhatIsUnusual) {
    RunWish wish = wishFor(engine::algorithmNamed("bcast/binomial-tree"));
    wish.problem.root = 3;
    wish.network.neighboursOnly = true;
    wish.model.gamma = engine::Rate{100'000};
    EXPECT_EQ(said(wish), (Said{"n 8", "each 64KiB", "Root 3", "Messages from neighbour to neighbour", "\u03b1 1us",
                                "\u03b2 0.4ns/B", "Combine \u03b3 0.1ns/B"}));
    wish.on = "threads";
    const Said all = said(wish);
    EXPECT_NE(std::ranges::find(all, "Run threads"), all.end());
    EXPECT_TRUE(std::ranges::none_of(all, [](const std::string& each) { return each.starts_with("\u03b1"); }))
        << "threads take the time they take";
}

TEST(Chips, makeTheRunAgain) {
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        RunWish wish = wishFor(*algorithm);
        if (algorithm->collective != engine::Collective::barrier) wish.problem.size = 12'345;
        wish.model.alpha = engine::Picoseconds{2'500'000};
        if (engine::hasRoot(algorithm->collective)) wish.problem.root = 1;
        Specification again;
        again.run.algorithm = wish.algorithm;
        again.run.model.name = wish.model.name;
        for (const Chip& chip : chipsOf(wish, algorithm->collective)) chip.field->set(again, chip.words);
        if (algorithm->collective == engine::Collective::barrier) again.run.problem.size = wish.problem.size;
        EXPECT_EQ(again.run, wish) << algorithm->id;
    }
}

}  // namespace
}  // namespace app
