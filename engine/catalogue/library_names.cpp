// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/library_names.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <tuple>

namespace engine {
namespace {

constexpr const char* choosing = "it chooses one of the others";
constexpr const char* forTwo = "for two processes only, where every algorithm is one exchange";

/// Those of Open MPI's coll/tuned that are no algorithm of the catalogue, with the reason.
std::vector<LibraryAlgorithm> without() {
    const auto ofOpenMpi = [](const char* call, const char* name, int number, const char* why) {
        return LibraryAlgorithm{{"Open MPI", call, name, number}, {}, why};
    };
    std::vector<LibraryAlgorithm> all;
    for (const char* call : {"allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
                             "exscan", "gather", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter"})
        all.push_back(ofOpenMpi(call, "ignore", 0, choosing));
    all.push_back(ofOpenMpi("allgather", "linear", 1, "a gather to rank 0, then a broadcast of all"));
    all.push_back(ofOpenMpi("allgather", "two_proc", 6, forTwo));
    all.push_back(ofOpenMpi("allgatherv", "default", 1, "a gather to rank 0, then a broadcast of all"));
    all.push_back(ofOpenMpi("allgatherv", "two_proc", 5, forTwo));
    all.push_back(ofOpenMpi("allreduce", "basic_linear", 1, "a flat reduce to rank 0, then a flat broadcast"));
    all.push_back(
        ofOpenMpi("allreduce", "nonoverlapping", 2, "its own reduce, then its own broadcast, each as chosen"));
    all.push_back(ofOpenMpi("alltoall", "linear_sync", 4, "the flat one with a limited number of messages in flight"));
    all.push_back(ofOpenMpi("alltoall", "two_proc", 5, forTwo));
    all.push_back(ofOpenMpi("barrier", "two_proc", 5, forTwo));
    all.push_back(ofOpenMpi("gather", "linear_sync", 3, "the flat one in which the root asks each rank in turn"));
    all.push_back(ofOpenMpi("reduce_scatter", "non-overlapping", 1, "its own reduce, then its own scatter"));
    all.push_back(ofOpenMpi("reduce_scatter", "butterfly", 4, "a butterfly whose groups are folded; not written here"));
    all.push_back(ofOpenMpi("reduce_scatter_block", "basic_linear", 1, "a flat reduce to rank 0, then a flat scatter"));
    all.push_back(ofOpenMpi("reduce_scatter_block", "recursive_doubling", 2,
                            "every rank combines nearly whole vectors; not written here"));
    all.push_back(
        ofOpenMpi("reduce_scatter_block", "butterfly", 4, "a butterfly whose groups are folded; not written here"));
    return all;
}

}  // namespace

const std::vector<LibraryAlgorithm>& libraryAlgorithms() {
    static const std::vector<LibraryAlgorithm> all = [] {
        std::vector<LibraryAlgorithm> made = without();
        for (const Algorithm* algorithm : catalogue())
            for (const KnownAs& known : algorithm->knownAs) made.push_back({known, algorithm->id, {}});
        const auto key = [](const LibraryAlgorithm& one) {
            return std::tie(one.known.library, one.known.call, one.known.number, one.known.name, one.id);
        };
        std::sort(made.begin(), made.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
        return made;
    }();
    return all;
}

std::string toText(const KnownAs& known) {
    return known.number < 0 ? text(known.library, " ", known.call, " ", known.name)
                            : text(known.library, " ", known.call, " ", known.number, " (", known.name, ")");
}

}  // namespace engine
