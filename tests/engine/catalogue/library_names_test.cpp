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

/// Numbers of coll/tuned, as `ompi_info --param coll tuned --level 9` of Open MPI 4.1 lists them.
TEST(KnownAs, isFoundByTheFunctionOfOpenMpi) {
    const auto of = [](std::string_view function) {
        const std::optional<KnownAs> known = openMpiFunction(function);
        return known ? toText(*known) : "";
    };
    EXPECT_EQ(of("allreduce_intra_ring_segmented"), "Open MPI allreduce 5 (segmented_ring)");
    EXPECT_EQ(of("allreduce_intra_redscat_allgather"), "Open MPI allreduce 6 (rabenseifner)");
    EXPECT_EQ(of("bcast_intra_bintree"), "Open MPI bcast 5 (binary_tree)");
    EXPECT_EQ(of("reduce_intra_in_order_binary"), "Open MPI reduce 6 (in-order_binary)");
    EXPECT_EQ(of("reduce_scatter_intra_basic_recursivehalving"), "Open MPI reduce_scatter 2 (recursive_halving)");
    EXPECT_EQ(of("reduce_scatter_block_basic_linear"), "Open MPI reduce_scatter_block 1 (basic_linear)");
    EXPECT_EQ(of("scatter_intra_linear_nb"), "Open MPI scatter 3 (linear_nb)");
    EXPECT_EQ(of("bcast_intra_generic"), "");  // the function behind several of them
    EXPECT_EQ(of("alltoallw_intra_pairwise"), "");
    EXPECT_EQ(of(""), "");
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
