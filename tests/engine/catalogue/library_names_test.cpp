// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/library_names.hpp"

#include "engine/catalogue/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace engine {
namespace {

TEST(KnownAs, hasItsNumberWhereTheLibraryCounts) {
    EXPECT_EQ(toText(KnownAs{.library = "Open MPI", .call = "bcast", .name = "knomial", .number = 7}),
              "Open MPI bcast 7 (knomial)");
    EXPECT_EQ(toText(KnownAs{.library = "Open MPI", .call = "bcast", .name = "ignore", .number = 0}),
              "Open MPI bcast 0 (ignore)");
    EXPECT_EQ(toText(KnownAs{.library = "MPICH", .call = "reduce", .name = "circ_graph"}), "MPICH reduce circ_graph");
}

TEST(LibraryAlgorithms, areAllOfTheCatalogueAndThoseWithAReason) {
    const std::vector<LibraryAlgorithm>& all = libraryAlgorithms();
    for (const LibraryAlgorithm& one : all) EXPECT_NE(one.id.empty(), one.why.empty()) << toText(one.known);
    for (const LibraryAlgorithm& one : all)
        if (!one.why.empty()) {
            EXPECT_EQ(
                std::count_if(all.begin(), all.end(),
                              [&](const LibraryAlgorithm& other) { return toText(other.known) == toText(one.known); }),
                1)
                << toText(one.known) << " is none of ours and one of ours";
        }
    for (const Algorithm* algorithm : catalogue())
        for (const KnownAs& known : algorithm->knownAs)
            EXPECT_EQ(std::count_if(all.begin(), all.end(),
                                    [&](const LibraryAlgorithm& one) {
                                        return one.id == algorithm->id && toText(one.known) == toText(known);
                                    }),
                      1)
                << algorithm->id << ": " << toText(known);
}

}  // namespace
}  // namespace engine
