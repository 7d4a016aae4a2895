// SPDX-License-Identifier: BSD-3-Clause
// What a start remembers of the one before, and what was asked for when a run was made.
#include "app/gui/settings/run_settings.hpp"

#include "tests/app/session/specifications.hpp"

#include <gtest/gtest.h>

#include <QTemporaryDir>

namespace app::gui {
namespace {

TEST(Recall, remembersARun) {
    const QTemporaryDir folder;
    QSettings settings{folder.filePath("s.ini"), QSettings::IniFormat};
    EXPECT_EQ(savedWish(settings), firstWish());
    RunWish wish;
    wish.algorithm = "halfduplex-allgather/ring-belts";
    wish.problem.groupA = 5;
    wish.problem.groupB = 9;
    wish.problem.size = 123;
    wish.options["segments"] = "3";
    wish.network.topology = "ring";
    wish.model.alpha = engine::Picoseconds{77};
    wish.stepping = emulation::Stepping::lockstep;
    wish.sharing = emulation::Sharing::fairWeighted;
    save(settings, wish);
    EXPECT_EQ(savedWish(settings), wish);
    wish.protocol = {.header = 16, .detached = 4096};
    wish.model.name = "mine";
    wish.model.eagerLimit = 1000;
    wish.model.logGP = engine::LogGP{};
    wish.perturbation.slowLinks = emulation::readSlowLinks("3-4:8");
    wish.perturbation.arrival = emulation::readArrival("late:3,1ms");
    wish.network.placement = "round-robin";
    wish.network.neighboursOnly = true;
    save(settings, wish);
    EXPECT_EQ(savedWish(settings), wish);
    save(settings, firstWish());
    EXPECT_EQ(savedWish(settings), firstWish());
    settings.setValue("run/algorithm", "no/such");
    EXPECT_EQ(savedWish(settings), firstWish());
}

TEST(Recall, remembersWhateverCanBeAsked) {
    const QTemporaryDir folder;
    SpecificationDraw draw{4};
    for (int i = 0; i < 200; ++i) {
        const RunWish wish = draw.next().run;
        {
            QSettings settings{folder.filePath("s.ini"), QSettings::IniFormat};
            save(settings, wish);
        }
        QSettings settings{folder.filePath("s.ini"), QSettings::IniFormat};
        ASSERT_EQ(savedWish(settings), wish) << lineOf({.run = wish});
    }
}

TEST(Recall, readsSettingsOfOlderVersions) {
    const QTemporaryDir folder;
    QSettings settings{folder.filePath("s.ini"), QSettings::IniFormat};
    for (const auto& [key, value] : std::initializer_list<std::pair<const char*, QVariant>>{
             {"algorithm", "bcast/pipelined-chain"},
             {"ranks", 12},
             {"size", 4096},
             {"sizes", "regular"},
             {"root", 3},
             {"operation", "sum"},
             {"element", "int32"},
             {"ports", 1},
             {"on", "virtual"},
             {"topology", "torus:4x3"},
             {"placement", "snake"},
             {"neighboursOnly", true},
             {"lockstep", true},
             {"options/segments", "4"},
             {"model", "name=mine alpha=77ps beta=400000fs/B gamma=0fs/B L=5ps o=0ps g=0ps G=1fs/B O=0fs/B eager=9B"},
             {"sharing", "fair header=16B detached=4096B"},
             {"unevenness", "arrival=late:3,1000000000ps slow-links=3-4:8"}})
        settings.setValue(QString{"run/"} + key, value);
    RunWish wish{.algorithm = "bcast/pipelined-chain", .problem = {.ranks = 12, .size = 4096, .root = 3}};
    wish.options["segments"] = "4";
    wish.network.topology = "torus:4x3";
    wish.network.placement = "snake";
    wish.network.neighboursOnly = true;
    wish.stepping = emulation::Stepping::lockstep;
    wish.model = engine::modelFromText(settings.value("run/model").toString().toStdString());
    wish.sharing = emulation::Sharing::fair;
    wish.protocol = {.header = 16, .detached = 4096};
    wish.perturbation.arrival = emulation::readArrival("late:3,1ms");
    wish.perturbation.slowLinks = emulation::readSlowLinks("3-4:8");
    EXPECT_EQ(savedWish(settings), wish);
}

TEST(Recall, knowsTheWishBehindARun) {
    RunWish wish = firstWish();
    wish.problem.size = 1000;
    wish.sharing = emulation::Sharing::fair;
    wish.protocol.header = 16;
    std::optional<RunWish> behind = wishBehind(execute(wish));
    ASSERT_TRUE(behind);
    behind->network.topology = wish.network.topology;
    EXPECT_EQ(*behind, wish);
    RunWish placed;
    placed.algorithm = "allgatherv/linear-ring";
    placed.problem.ranks = 16;
    placed.network.topology = "torus:4x4";
    placed.network.placement = "random:3";
    placed.perturbation.slowRanks = emulation::readSlowRanks("3:2");
    EXPECT_EQ(wishBehind(execute(placed)), placed);
}

}  // namespace
}  // namespace app::gui
