// SPDX-License-Identifier: BSD-3-Clause
// What is asked of a run survives every way on which it travels in words.
#include "app/session/options/run_options.hpp"

#include "app/session/options/recorded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "tests/app/session/specifications.hpp"
#include "traces/recording/archive.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

namespace app {
namespace {

constexpr int draws = 2000;

/// As the command line words it.
std::string spoken(const std::string& words) {
    return engine::worded(
        words, [](const std::string& key) { return "--" + key; }, [](const std::string& key) { return key; });
}

std::string mistakeIn(const std::string& line) {
    try {
        (void)specified(line);
    } catch (const engine::Error& error) {
        return spoken(error.words());
    }
    return "none";
}

TEST(FieldTable, hasEachFieldOnce) {
    std::set<std::string_view> keys;
    std::set<char> letters;
    for (const fields::Entry& entry : fields::all()) {
        EXPECT_TRUE(keys.insert(entry.key).second) << entry.key;
        const bool fresh = entry.letter == '\0' || letters.insert(entry.letter).second;
        EXPECT_TRUE(fresh) << entry.letter;
        EXPECT_FALSE(entry.label.empty() || entry.help.empty()) << entry.key;
        EXPECT_EQ(entry.type.empty(), entry.kind == fields::Kind::toggle) << entry.key;
        EXPECT_NE(entry.take == nullptr, entry.put == nullptr) << entry.key;
        EXPECT_EQ(entry.number == nullptr, entry.put == nullptr) << entry.key;
        EXPECT_NE(entry.print, nullptr) << entry.key;
        EXPECT_EQ(entry.concerns == nullptr, entry.otherwise == nullptr) << entry.key;
    }
}

TEST(FieldTable, knowsWhatSentencesSpeakOf) {
    using namespace engine::field;
    for (const engine::Field field :
         {ranks, groupA, groupB, size, sizes, root, ports, topology, placement, neighboursOnly, on, sharing, header,
          detached, arrival, slowRanks, slowLinks, transport})
        EXPECT_NE(fields::find(field.key), nullptr) << field.key;
}

TEST(FieldTable, takesWhatHoldsAnywayWithoutADifference) {
    for (const fields::Entry& entry : fields::all()) {
        if (entry.fallback.empty() || entry.part > fields::Part::execution) continue;
        Specification specification;
        entry.set(specification, std::string{entry.fallback});
        specification.costsKnown = false;
        EXPECT_EQ(specification, Specification{}) << entry.key;
    }
}

TEST(FieldTable, takesNoEmptyWords) {
    for (const fields::Entry& entry : fields::all()) {
        if (entry.kind == fields::Kind::toggle) continue;
        Asked asked;
        asked.add(std::string{entry.key}, "");
        Specification specification;
        EXPECT_THROW(take(specification, asked), engine::Error) << entry.key;
    }
}

TEST(Specifications, surviveALine) {
    SpecificationDraw draw{1};
    for (int i = 0; i < draws; ++i) {
        const Specification drawn = draw.next();
        const std::string line = lineOf(drawn);
        ASSERT_EQ(mistakeIn(line), "none") << line;
        const Specification read = specified(line);
        ASSERT_EQ(read, drawn) << line << "\n" << lineOf(read);
    }
}

TEST(Specifications, surviveWordsFieldByField) {
    SpecificationDraw draw{2};
    for (int i = 0; i < draws; ++i) {
        const Specification drawn = draw.next();
        Specification read{.run = {.algorithm = drawn.run.algorithm}};
        take(read, askedFor(drawn));
        ASSERT_EQ(read, drawn) << lineOf(drawn);
    }
}

/// As far as an archive tells: which network it was is always said there.
RunWish runnable(SpecificationDraw& draw) {
    RunWish wish{.algorithm = draw.of<std::string>({"bcast/pipelined-chain", "allgatherv/linear-ring",
                                                    "allreduce/bruck", "intergroup-allgatherv/balanced"})};
    if (wish.algorithm.starts_with("inter")) {
        wish.problem.groupA = 10;
        wish.problem.groupB = 6;
        if (draw.maybe()) wish.problem.sizeB = 100;
    } else {
        wish.problem.ranks = 16;
    }
    wish.problem.size = draw.of<engine::Bytes>({8, 1000, 65536});
    if (wish.algorithm.starts_with("allgatherv"))
        wish.problem.sizes = draw.of<std::string>({"regular", "spike", "linear"});
    if (wish.algorithm.starts_with("bcast")) wish.problem.root = 5, wish.options["segments"] = "4";
    if (wish.algorithm.starts_with("allreduce")) wish.problem.operation = engine::Operation::max;
    if (wish.algorithm.starts_with("allreduce")) wish.problem.ports = draw.of({1, 3});
    wish.on = draw.of<std::string>({"virtual", "virtual", "virtual", "threads"});
    wish.network.topology = draw.of<std::string>({"ring", "full", "torus:4x4,ties=simgrid"});
    if (wish.network.topology == "torus:4x4,ties=simgrid" || wish.network.topology == "ring")
        wish.network.placement = draw.of<std::string>({"", "random:7"});
    if (wish.network.topology == "ring" && wish.problem.ports == 1) wish.network.neighboursOnly = draw.maybe();
    if (wish.on == "threads") return wish;
    wish.model = draw.model();
    wish.stepping = draw.of({emulation::Stepping::free, emulation::Stepping::lockstep});
    wish.perturbation.arrival = emulation::readArrival(draw.of<const char*>({"none", "random:1ms,7", "late:3,20us"}));
    if (draw.maybe()) wish.perturbation.slowLinks = emulation::readSlowLinks("0-1:8");
    if (wish.network.topology == "full" || !wish.network.placement.empty()) wish.perturbation.slowLinks.clear();
    if (wish.model.logGP || wish.model.eagerLimit) {
        if (draw.maybe()) wish.perturbation.slowRanks = emulation::readSlowRanks("3:2.5");
        return wish;
    }
    wish.sharing = draw.of({emulation::Sharing::bottleneck, emulation::Sharing::fair, emulation::Sharing::none});
    if (emulation::isFair(wish.sharing) && draw.maybe()) wish.protocol = {.header = 16, .detached = 4096};
    return wish;
}

TEST(Specifications, surviveAnArchive) {
    SpecificationDraw draw{3};
    const auto folder = std::filesystem::temp_directory_path() / "collscope-fields-test";
    for (int i = 0; i < 60; ++i) {
        const RunWish wish = runnable(draw);
        const Report report = execute(wish);
        const std::string line = lineOf({.run = wish});
        ASSERT_EQ(wishBehind(report), wish) << line;
        if (i % 6 != 0) continue;
        traces::write(*report.run, folder, traces::Overwrite::replace, {});
        ASSERT_EQ(wishBehind(analysis::openTrace(folder).report), wish) << line;
    }
    std::filesystem::remove_all(folder);
}

TEST(Specifications, pinNoNetworkThatNobodyNamed) {
    const auto behind = [](const std::string& line) { return unpinned(*wishBehind(execute(specified(line).run))); };
    RunWish ring = behind("halfduplex-allgather/ring-belts -p 4 -q 6");
    EXPECT_EQ(ring.network.topology, "");
    ring.algorithm = "halfduplex-allgather/fully-connected";
    EXPECT_EQ(execute(ring).network->name(), "full");
    EXPECT_EQ(behind("halfduplex-allgather/ring-belts -p 4 -q 6 --topology mesh:2x5").network.topology, "mesh:2x5");
    EXPECT_EQ(behind("halfduplex-allgather/torus-belts -p 4 -q 4 --topology torus:2x4").network.topology, "torus:2x4");
    const RunWish placed = behind("bcast/flat -n 8 --topology cluster:4 --placement round-robin");
    EXPECT_EQ(placed.network.topology, "cluster:4");
    EXPECT_EQ(placed.network.placement, "round-robin");
}

TEST(Lines, areWhatAUserWrites) {
    RunWish wish{.algorithm = "allgatherv/linear-ring", .problem = {.ranks = 8}};
    EXPECT_EQ(lineOf({.run = wish}), "allgatherv/linear-ring -n 8 --size 64KiB");
    wish.model = models().back().model;
    wish.network.topology = "ring";
    wish.network.placement = "@my places";
    wish.network.neighboursOnly = true;
    wish.perturbation.arrival = emulation::readArrival("ramp:1ms");
    EXPECT_EQ(commandOf({.run = wish}),
              "collscope run allgatherv/linear-ring -n 8 --size 64KiB --topology ring --placement "
              "'@my places' --neighbours-only --model " +
                  wish.model.name + " --arrival ramp:1ms");
}

TEST(Lines, sayWhatIsWrongWithThem) {
    EXPECT_EQ(mistakeIn(""), "a run needs the id of an algorithm");
    EXPECT_EQ(mistakeIn("bcast/flat -n"), "--ranks needs a value");
    EXPECT_EQ(mistakeIn("bcast/flat -n 4 --ranks 5"), "--ranks is given more than once");
    EXPECT_EQ(mistakeIn("bcast/flat -n 4 --neighbours-only=yes"), "--neighbours-only takes no value");
    EXPECT_EQ(mistakeIn("bcast/flat -n 4 --modle bgp"), "'--modle' is not known here; did you mean --model?");
    EXPECT_EQ(mistakeIn("bcast/flat -n 4 --model alpha=1us"),
              "--model: beta is missing; alpha, beta and gamma are all needed");
    EXPECT_EQ(mistakeIn("bcast/flat -n 4 --size=4KiB"), "none");
}

/// Also where the value is what holds anyway: whoever names a root means that there is one.
TEST(Lines, nameNoFieldThatTheirCollectiveLacks) {
    const std::map<std::string_view, std::string> harmless{{"ranks", "4"},      {"group-a", "2"},     {"group-b", "2"},
                                                           {"size-b", "64KiB"}, {"sizes", "regular"}, {"root", "0"},
                                                           {"op", "sum"},       {"type", "int32"}};
    int refused = 0;
    for (const engine::Algorithm* algorithm : engine::catalogue()) {
        const std::string counts = isIntergroup(algorithm->collective) ? " -p 2 -q 2" : " -n 4";
        for (const fields::Entry& entry : fields::all()) {
            if (entry.otherwise == nullptr || entry.isOf(algorithm->collective) || entry.key == "size") continue;
            ASSERT_TRUE(harmless.contains(entry.key)) << entry.key;
            EXPECT_EQ(mistakeIn(engine::text(algorithm->id, counts, " --", entry.key, ' ', harmless.at(entry.key))),
                      spoken(engine::text(name(algorithm->collective), " takes no ", entry.field(), ": ",
                                          entry.otherwise())));
            ++refused;
        }
    }
    EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace app
