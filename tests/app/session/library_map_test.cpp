// SPDX-License-Identifier: BSD-3-Clause
// Maps of a library's algorithms: kept as csv, and compared.
#include "app/session/tune/library_map.hpp"

#include "engine/base/error.hpp"

#include <gtest/gtest.h>

namespace app::tune {
namespace {

LibraryMap mapOf(std::string library, std::vector<LibraryCase> cases) {
    return {.library = std::move(library), .cases = std::move(cases), .remarks = {}};
}

/// A case whose messages are those of `catalogue`.
LibraryCase ran(std::int64_t ranks, engine::Bytes bytes, std::string executed, std::string catalogue) {
    return {.collective = "allreduce",
            .ranks = ranks,
            .bytes = bytes,
            .executed = std::move(executed),
            .catalogue = std::move(catalogue),
            .messages = 8};
}

TEST(LibraryMap, isReadBackFromCsv) {
    LibraryMap map = mapOf("Open MPI v4.1.4", {ran(2, 4, "allreduce_intra_ring:8", "allreduce/ring"),
                                               ran(3, 4, "", "bcast/chain with fanout=2, segments=4")});
    map.cases[1].differs = "1 message missing, 2 extra";
    map.cases[1].asked = "coll_tuned_allreduce_algorithm=4 (ring)";
    map.cases[1].instead = "recursive_doubling ran: \"ring\", as named, needs more";
    EXPECT_EQ(libraryMapFrom(toCsv(map), "map.csv"), map);
}

TEST(LibraryMap, isRefusedWithTheLineOfTheFault) {
    const std::string good = toCsv(mapOf("MPICH 4.0.2", {ran(2, 4, "", "allreduce/ring")}));
    const auto faultOf = [](const std::string& csv) -> std::string {
        try {
            (void)libraryMapFrom(csv, "map.csv");
        } catch (const engine::Error& error) {
            return error.words();
        }
        return {};
    };
    EXPECT_EQ(faultOf(good), "");
    EXPECT_TRUE(faultOf("ranks,bytes\n2,4\n").starts_with("map.csv: not a map")) << faultOf("ranks,bytes\n");
    EXPECT_TRUE(faultOf("").starts_with("map.csv: not a map"));
    EXPECT_TRUE(faultOf(good + "a,b\n").starts_with("map.csv:3: must have 10 cells"));
    EXPECT_TRUE(faultOf(good + "MPICH,allreduce,two,4,,,,,,1\n").starts_with("map.csv:3"));
    EXPECT_TRUE(faultOf(good + good.substr(good.find('\n') + 1)).starts_with("map.csv:3: the same"));
    EXPECT_EQ(faultOf(good.substr(0, good.find('\n') + 1)), "map.csv: has no case");
}

TEST(LibraryMap, joinsNeighbouringChanges) {
    std::vector<LibraryCase> before, after;
    for (const std::int64_t ranks : {2, 4, 8, 16})
        for (const engine::Bytes bytes : {4, 16, 64}) {
            before.push_back(ran(ranks, bytes, "ring", "allreduce/ring"));
            const bool isChanged = ranks >= 8 && bytes <= 16;
            after.push_back(ran(ranks, bytes, isChanged ? "linear" : "ring", "allreduce/ring"));
        }
    after.push_back(ran(32, 4, "ring", "allreduce/ring"));
    const LibraryComparison found = compared(mapOf("Open MPI v4.1.4", before), mapOf("Open MPI v5.0.0", after));
    EXPECT_EQ(found.common, 12);
    EXPECT_EQ(found.changed, 4);
    EXPECT_EQ(found.alone, 1);
    ASSERT_EQ(found.changes.size(), 1U);
    EXPECT_EQ(found.changes[0], (LibraryChange{"allreduce", 8, 16, 4, 16, "ring", "linear"}));
}

TEST(LibraryMap, joinsNothingAcrossACaseOfOneMapAlone) {
    std::vector<LibraryCase> before, after;
    for (const engine::Bytes bytes : {4, 64}) {
        before.push_back(ran(4, bytes, "ring", "allreduce/ring"));
        after.push_back(ran(4, bytes, "linear", "allreduce/ring"));
    }
    before.push_back(ran(4, 16, "ring", "allreduce/ring"));
    const LibraryMap first = mapOf("Open MPI v4.1.4", before), second = mapOf("Open MPI v5.0.0", after);
    for (const auto& [a, b] : {std::pair{&first, &second}, {&second, &first}}) {
        const LibraryComparison found = compared(*a, *b);
        EXPECT_EQ(found.alone, 1);
        EXPECT_EQ(found.changes.size(), 2U);
    }
}

TEST(LibraryMap, joinsNeighbouringRanksOfTheSameCollective) {
    std::vector<LibraryCase> before, after;
    for (const std::int64_t ranks : {2, 8}) {
        before.push_back(ran(ranks, 4, "ring", "allreduce/ring"));
        after.push_back(ran(ranks, 4, "linear", "allreduce/ring"));
    }
    before.push_back(ran(4, 4, "linear", "bcast/flat"));
    before.back().collective = "bcast";
    after.push_back(before.back());
    const LibraryComparison found = compared(mapOf("Open MPI v4.1.4", before), mapOf("Open MPI v5.0.0", after));
    ASSERT_EQ(found.changes.size(), 1U) << "4 ranks are those of another collective";
    EXPECT_EQ(found.changes[0].ranksTo, 8);
}

/// Names of two libraries have nothing in common but the catalogue's.
TEST(LibraryMap, comparesTwoLibrariesByTheCatalogue) {
    const LibraryMap open = mapOf("Open MPI v4.1.4", {ran(2, 4, "allreduce_intra_ring", "allreduce/ring")});
    LibraryMap mpich = mapOf("MPICH 4.0.2", {ran(2, 4, "", "allreduce/ring")});
    EXPECT_TRUE(compared(open, mpich).changes.empty());
    mpich.cases[0].differs = "1 message missing, 0 extra";
    ASSERT_EQ(compared(open, mpich).changes.size(), 1U);
    EXPECT_EQ(compared(open, mpich).changes[0].before, "allreduce/ring");
    EXPECT_EQ(compared(open, mpich).changes[0].after, "like allreduce/ring");
    mpich.cases[0].catalogue.clear();
    EXPECT_EQ(compared(open, mpich).changes[0].after, "unknown");
}

}  // namespace
}  // namespace app::tune
