// SPDX-License-Identifier: BSD-3-Clause
// What the drop-in library leaves and what it is told: communicators as words, rules.
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/live/records/call_records.hpp"
#include "engine/live/records/collective_records.hpp"
#include "engine/live/replacement_rules.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace engine;
using namespace engine::live;

namespace {

std::string mistakeIn(const std::string& rules) {
    try {
        (void)rulesFromText(rules, "r");
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

TEST(CallsTest, membersAreRunsOfEqualSteps) {
    for (const std::vector<std::int32_t>& members :
         {std::vector<std::int32_t>{5}, {0, 1, 2, 3}, {0, 4, 8, 12, 13}, {7, 5, 3, 1}, {2, 9, 10, 11, 0, 1}}) {
        EXPECT_EQ(membersFromText(membersToText(members)), members) << membersToText(members);
    }
    const std::vector<std::int32_t> strided{0, 4, 8, 12};
    EXPECT_EQ(membersToText(strided), "0-12/4");
    EXPECT_THROW((void)membersFromText("3-x"), Error);
    EXPECT_THROW((void)membersFromText("0-2147483646"), Error);
    EXPECT_THROW((void)membersFromText("0-33000000,0-33000000,0-33000000"), Error);
}

TEST(CallsTest, communicatorsOfAllProcessesAreJoined) {
    const Team world{.members = {0, 1}, .name = "MPI_COMM_WORLD"};
    const Team twin{.members = {0, 1}};
    const Team between{.kind = TeamKind::inter, .members = {0}, .others = {1}};
    const Team self{.kind = TeamKind::self};
    const std::vector<std::string> files{
        teamLine(0, world) + teamLine(1, twin) + teamLine(2, between) + "way 2 a/b:c=1\n",
        teamLine(0, between) + teamLine(1, world) + teamLine(2, self) + teamLine(3, twin) + teamLine(4, self) +
            "team 5 intra 0-"};
    const Teams teams = teamsOf(files);
    ASSERT_EQ(teams.all.size(), 4U);
    EXPECT_EQ(teams.all[0], world);
    EXPECT_EQ(teams.ofProcess, (std::vector<std::vector<std::int32_t>>{{0, 1, 2}, {2, 0, 3, 1, 3}}));
    EXPECT_EQ(teams.ways, (std::vector<std::string>{"", "", "a/b:c=1"}));
    const std::vector<std::string> damaged{"team 1 intra 0-1\n"};
    EXPECT_THROW((void)teamsOf(damaged), Error);
}

/// A communicator that only the library knows does not shift those of the program with the same members.
TEST(CallsTest, communicatorsOfTheLibraryAreApart) {
    const Team world{.members = {0, 1}, .name = "MPI_COMM_WORLD"};
    const Team hidden{.kind = TeamKind::library, .members = {0, 1}};
    const std::vector<std::string> files{teamLine(0, hidden) + teamLine(1, world),
                                         teamLine(0, world) + teamLine(1, hidden)};
    const Teams teams = teamsOf(files);
    EXPECT_EQ(teams.all, (std::vector<Team>{hidden, world}));
    EXPECT_EQ(teams.ofProcess, (std::vector<std::vector<std::int32_t>>{{0, 1}, {1, 0}}));
}

TEST(CallsTest, whatIsKnownOfInsidesIsRead) {
    const std::vector<std::string> files{
        codeLine(7, {"mca_coll_tuned.so", "bcast", {"segsize", "chains"}}) + codeLine(9, {"libmpi.so.40", "", {}}) +
            wordsLine("library", 0, "Open MPI 4.1\nof Debian") + wordsLine("asked", 0, "coll=tuned") +
            wordsLine("inside", 1, "") + wordsLine("unrecorded", 1, "") + wordsLine("unrecorded", 12, ""),
        wordsLine("inside", 0, "another version") + wordsLine("inside", 1, "no components")};
    const Insides insides = teamsOf(files).insides;
    ASSERT_EQ(insides.codes.size(), 2U);
    const Code& chain = insides.codes[0].at(7);
    EXPECT_EQ(chain.file, "mca_coll_tuned.so");
    EXPECT_EQ(chain.name, "bcast");
    EXPECT_EQ(chain.arguments, (std::vector<std::string>{"segsize", "chains"}));
    EXPECT_EQ(insides.codes[0].at(9).name, "");
    EXPECT_EQ(insides.library, std::set<std::string>{"Open MPI 4.1 of Debian"});
    EXPECT_EQ(insides.asked, std::set<std::string>{"coll=tuned"});
    EXPECT_TRUE(insides.recorded);
    EXPECT_EQ(insides.refusals, std::set<std::string>{"another version"});
    EXPECT_EQ(insides.limits, std::set<std::string>{"no components"});
    EXPECT_EQ(insides.unrecorded, (std::vector<std::int64_t>{12, 0}));
    const std::vector<std::string> damaged{"code 70000 a b\n"};
    EXPECT_THROW((void)teamsOf(damaged), Error);
}

TEST(CallsTest, ofNothingWatchedAreNone) {
    Record record;
    record.events = {std::bit_cast<Event>(Call{.called = Called::barrier}),
                     std::bit_cast<Event>(Step{.deed = CallEffect::sent, .what = Other::Waitall})};
    EXPECT_NO_THROW(requireWatched(record));
    record.events = {std::bit_cast<Event>(Call{.called = static_cast<Called>(everyCalled.size())})};
    EXPECT_THROW(requireWatched(record), Error);
    record.events = {std::bit_cast<Event>(Step{.what = Other::none})};
    EXPECT_THROW(requireWatched(record), Error);
    record.events = {std::bit_cast<Event>(Step{.kind = Kind::internal, .deed = CallEffect::postReceive})};
    EXPECT_NO_THROW(requireWatched(record));
    record.events = {std::bit_cast<Event>(Step{.kind = Kind::internal, .deed = CallEffect::put})};
    EXPECT_THROW(requireWatched(record), Error);
}

TEST(CallsTest, placesOfCallsAndLaterNamesAreRead) {
    const Site main{.object = "/home/a program", .offset = 4485, .function = "main"};
    const std::vector<std::string> files{teamLine(0, {.members = {0}}) + siteLine(17, main) +
                                         siteLine(3, {.object = "x", .offset = 255}) + nameLine(0, "one\nof them")};
    const Teams teams = teamsOf(files);
    EXPECT_EQ(teams.all[0].name, "one of them");
    EXPECT_EQ(teams.sites[0].at(17), main);
    EXPECT_EQ(siteToText(teams.sites[0].at(17)), "main in a program");
    EXPECT_EQ(siteToText(teams.sites[0].at(3)), "x+0xff");
    EXPECT_EQ(siteToText({.object = "/lib/liba.so", .function = "_ZN1a1fEi"}), "a::f(int) in liba.so");
    EXPECT_EQ(siteToText({.object = "/lib/liba.so", .function = "_Zero"}), "_Zero in liba.so");
    const std::vector<std::string> lined{files[0] + "line 17 35\t/home/the main.c\tint of(int, char)\n" +
                                         "line 3 7\tx.c\t\n"};
    const auto sites = teamsOf(lined).sites[0];
    EXPECT_EQ(siteToText(sites.at(17)), "int of(int, char), the main.c:35");
    EXPECT_EQ(siteToText(sites.at(3)), "x.c:7");
    const std::vector<std::string> ofNoPlace{files[0] + "line 18 35\ta.c\tmain\n"};
    EXPECT_THROW((void)teamsOf(ofNoPlace), Error);
    const std::vector<std::string> damaged{nameLine(0, "of nobody")};
    EXPECT_THROW((void)teamsOf(damaged), Error);
}

TEST(CallsTest, callersOfPlacesAndFunctionsAroundThemAreRead) {
    const Site inner{.function = "exchange", .file = "/home/a.c", .line = 7};
    const Site outer{.function = "solve", .file = "/home/a.c", .line = 20};
    const std::string sites = teamLine(0, {.members = {0}}) + siteLine(1, {.object = "a", .offset = 1}) +
                              siteLine(2, {.object = "a", .offset = 2}) + callerLine(2, 1);
    const std::vector<std::string> files{sites + lineLine(2, inner) + lineLine(2, outer) + wordsLine("alone", 3, "")};
    const Teams teams = teamsOf(files);
    EXPECT_EQ(teams.callers[0], (std::map<std::uint16_t, std::uint16_t>{{2, 1}}));
    EXPECT_EQ(siteToText(teams.sites[0].at(2)), "exchange, a.c:7");
    EXPECT_EQ(teams.around[0].at(2), std::vector{outer}) << "the compiler put the one into the other";
    EXPECT_EQ(teams.alone, 3);
    for (const std::string& line :
         {callerLine(2, 2), callerLine(1, 2), callerLine(3, 1), std::string{"caller 2 x\n"}}) {
        const std::vector<std::string> damaged{sites + line};
        EXPECT_THROW((void)teamsOf(damaged), Error) << line;
    }
}

TEST(RulesTest, areReadLineByLine) {
    const auto rules = rulesFromText(
        "# nothing\n\n"
        "bcast intra 8.. 64KiB..1MiB bcast/pipelined-chain:segments=16 # pipelines\n"
        "allgather inter * ..4096 intergroup-allgatherv/balanced\n"
        "barrier * 7 * native",
        "r");
    ASSERT_EQ(rules.size(), 3U);
    EXPECT_EQ(rules[0].called, Called::bcast);
    EXPECT_TRUE(rules[0].intra && !rules[0].inter);
    EXPECT_TRUE(rules[0].ranks.has(8) && rules[0].ranks.has(1 << 30) && !rules[0].ranks.has(7));
    EXPECT_TRUE(rules[0].bytes.has(65536) && rules[0].bytes.has(1 << 20) && !rules[0].bytes.has(65535));
    EXPECT_EQ(rules[0].algorithm->id, "bcast/pipelined-chain");
    EXPECT_EQ(rules[0].options, (std::map<std::string, std::string>{{"segments", "16"}}));
    EXPECT_TRUE(rules[1].inter && rules[1].bytes.has(0) && !rules[1].bytes.has(4097));
    EXPECT_TRUE(rules[2].intra && rules[2].inter && rules[2].ranks.has(7) && !rules[2].ranks.has(8));
    EXPECT_EQ(rules[2].algorithm, nullptr);
}

/// Every id of the catalogue has a call that it can stand for, blocking or not, and no call is without one.
TEST(RulesTest, nameEveryAlgorithmForItsCalls) {
    std::set<std::string> named;
    for (const Called called : everyCalled) {
        std::size_t rules = 0;
        for (const Algorithm* algorithm : catalogue())
            for (const char* kind : {" intra", " inter"})
                if (mistakeIn(text(name(called), kind, " * * ", algorithm->id)) == "none")
                    ++rules, named.insert(algorithm->id);
        EXPECT_GT(rules, 0U) << name(called);
        EXPECT_EQ(name(called).starts_with('i'), !isBlocking(called)) << name(called);
        EXPECT_EQ(blockingOf(nonBlockingOf(blockingOf(called))), blockingOf(called));
    }
    EXPECT_EQ(named.size(), catalogue().size());
    EXPECT_EQ(nameOfCall(Called::reduceScatterBlock), "MPI_Reduce_scatter_block");
    EXPECT_EQ(nameOfCall(nonBlockingOf(Called::alltoallw)), "MPI_Ialltoallw");
}

TEST(RulesTest, sayWhatIsWrongAndWhere) {
    EXPECT_EQ(mistakeIn("bcast intra * * bcast/chain\nallreduce * 2..8 ..1KiB native\n"), "none");
    EXPECT_EQ(mistakeIn("\nbcast intra *"),
              "r:2: a rule has five words: operation, intra|inter, ranks, bytes, "
              "algorithm:option=value; here are 3");
    EXPECT_NE(mistakeIn("bcst intra * * native").find("did you mean bcast?"), std::string::npos);
    EXPECT_NE(mistakeIn("bcast intra * * bcast/chian").find("bcast/chain"), std::string::npos);
    EXPECT_NE(mistakeIn("bcast intra * * bcast/chain:depth=1").find("depth"), std::string::npos);
    EXPECT_EQ(mistakeIn("scan inter * * scan/linear"),
              "r:1: scan between two groups is left to the library; write intra");
    EXPECT_EQ(mistakeIn("bcast inter * * bcast/chain"),
              "r:1: bcast/chain does not solve bcast on an intercommunicator; intergroup-bcast/binomial-tree does");
    EXPECT_NE(mistakeIn("bcast intra * * allreduce/bruck").find("does not solve bcast"), std::string::npos);
    EXPECT_EQ(mistakeIn("exscan intra * * scan/linear:exclusive=no"),
              "r:1: exscan is exclusive; leave exclusive=no away, or write scan");
    EXPECT_NE(mistakeIn("scan intra * * scan/linear:exclusive=yes").find("or write exscan"), std::string::npos);
    EXPECT_NE(mistakeIn("allgather * * * allgatherv/bruck").find("write intra or inter"), std::string::npos);
    EXPECT_NE(mistakeIn("bcast intra 9..2 * native").find("is empty"), std::string::npos);
    EXPECT_NE(mistakeIn("bcast sideways * * native").find("no kind of communicator"), std::string::npos);
    EXPECT_NE(mistakeIn("bcast intra two * native").find("ranks"), std::string::npos);
}

}  // namespace
