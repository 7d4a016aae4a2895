// SPDX-License-Identifier: BSD-3-Clause
#include "engine/catalogue/library_names.hpp"

#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>

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
    all.push_back(ofOpenMpi("allreduce", "nonoverlapping", 2,
                            "the library's reduce, then its broadcast, with the algorithms that it chooses"));
    all.push_back(
        ofOpenMpi("alltoall", "linear_sync", 4, "the flat algorithm with a limited number of messages in flight"));
    all.push_back(ofOpenMpi("alltoall", "two_proc", 5, forTwo));
    all.push_back(ofOpenMpi("barrier", "two_proc", 5, forTwo));
    all.push_back(
        ofOpenMpi("gather", "linear_sync", 3, "the flat algorithm, in which the root asks each rank in turn"));
    all.push_back(ofOpenMpi("reduce_scatter", "non-overlapping", 1, "the library's reduce, then its scatter"));
    all.push_back(
        ofOpenMpi("reduce_scatter", "butterfly", 4, "a butterfly whose groups are folded; not in the catalogue"));
    all.push_back(ofOpenMpi("reduce_scatter_block", "basic_linear", 1, "a flat reduce to rank 0, then a flat scatter"));
    all.push_back(ofOpenMpi("reduce_scatter_block", "recursive_doubling", 2,
                            "every rank combines nearly whole vectors; not in the catalogue"));
    all.push_back(
        ofOpenMpi("reduce_scatter_block", "butterfly", 4, "a butterfly whose groups are folded; not in the catalogue"));
    return all;
}

/// Those of MPICH 4.0, by the values of its control variables MPIR_CVAR_<CALL>_INTRA_ALGORITHM and _INTER_ALGORITHM.
std::vector<LibraryAlgorithm> ofMpichWithout() {
    constexpr const char* notHere = "not in the catalogue";
    constexpr const char* scheduled = "the blocking algorithm of that name, as a schedule of nonblocking steps";
    constexpr const char* exchanges = "recursive exchange with k - 1 partners a round; not in the catalogue";
    constexpr const char* localFirst = "gathers within one group, then reaches the other; not in the catalogue";
    std::vector<LibraryAlgorithm> all;
    const auto add = [&](std::initializer_list<const char*> calls, std::initializer_list<const char*> names,
                         const char* why) {
        for (const char* call : calls)
            for (const char* name : names) all.push_back({{"MPICH", call, name}, {}, why});
    };
    const auto blocking = {"allgather", "allgatherv", "allreduce", "alltoall",       "alltoallv",
                           "alltoallw", "barrier",    "bcast",     "exscan",         "gather",
                           "gatherv",   "reduce",     "scan",      "reduce_scatter", "reduce_scatter_block",
                           "scatter",   "scatterv"};
    add(blocking, {"auto"}, choosing);
    add(blocking, {"nb"}, "it calls the nonblocking collective and waits for it");
    add({"allreduce", "barrier", "bcast", "reduce", "scan"}, {"smp"},
        "two levels, within nodes and among their first ranks, with the algorithms that it chooses");
    add({"alltoall", "alltoallv", "alltoallw"}, {"pairwise_sendrecv_replace"},
        "in place: every pair of ranks swaps its data, in the order of ranks; not in the catalogue");
    add({"alltoallw"}, {"scattered"}, "the flat algorithm with a limited number of messages in flight");
    add({"reduce_scatter", "reduce_scatter_block"}, {"noncommutative"},
        "recursive halving over permuted blocks, which keeps the order of ranks; not in the catalogue");
    add({"reduce_scatter", "reduce_scatter_block"}, {"recursive_doubling"},
        "every rank combines nearly whole vectors; not in the catalogue");
    add({"allgather between groups"}, {"local_gather_remote_bcast"}, localFirst);
    add({"allgatherv between groups"}, {"remote_gather_local_bcast"}, notHere);
    add({"barrier between groups"}, {"bcast"}, notHere);
    add({"gather between groups"}, {"linear", "local_gather_remote_send"}, notHere);
    add({"reduce_scatter between groups", "reduce_scatter_block between groups"}, {"remote_reduce_local_scatter"},
        notHere);
    add({"scatter between groups"}, {"linear", "remote_send_local_scatter"}, notHere);
    add({"iallgather", "iallgatherv"}, {"sched_brucks", "sched_recursive_doubling", "sched_ring"}, scheduled);
    add({"iallreduce"}, {"sched_recursive_doubling", "sched_reduce_scatter_allgather", "sched_smp"}, scheduled);
    add({"ialltoall"}, {"sched_brucks", "sched_pairwise"}, scheduled);
    add({"ibcast"},
        {"sched_binomial", "sched_scatter_recursive_doubling_allgather", "sched_scatter_ring_allgather", "sched_smp"},
        scheduled);
    add({"iexscan"}, {"sched_recursive_doubling"}, scheduled);
    add({"igather", "iscatter"}, {"sched_binomial"}, scheduled);
    add({"igatherv", "iscatterv"}, {"sched_linear"}, scheduled);
    add({"ireduce"}, {"sched_binomial", "sched_reduce_scatter_gather", "sched_smp"}, scheduled);
    add({"ireduce_scatter", "ireduce_scatter_block"},
        {"sched_noncommutative", "sched_pairwise", "sched_recursive_doubling", "sched_recursive_halving"}, scheduled);
    add({"iscan"}, {"sched_recursive_doubling", "sched_smp"}, scheduled);
    add({"iallreduce"}, {"sched_naive"}, "the library's reduce, then its broadcast");
    add({"ialltoall", "ialltoallv", "ialltoallw"}, {"sched_inplace"},
        "in place: every pair of ranks swaps its data, in the order of ranks; not in the catalogue");
    add({"ialltoall"}, {"sched_permuted_sendrecv"}, "the flat algorithm with a limited number of messages in flight");
    add({"ialltoallv", "ialltoallw"}, {"sched_blocked", "tsp_blocked"},
        "the flat algorithm with a limited number of messages in flight");
    add({"iallgather", "iallgatherv"}, {"tsp_recexch_doubling", "tsp_recexch_halving"}, exchanges);
    add({"iallreduce"},
        {"tsp_recexch_multiple_buffer", "tsp_recexch_reduce_scatter_recexch_allgatherv", "tsp_recexch_single_buffer"},
        exchanges);
    add({"ibcast"}, {"tsp_scatterv_recexch_allgatherv"}, exchanges);
    add({"ireduce_scatter", "ireduce_scatter_block"}, {"tsp_recexch"}, exchanges);
    return all;
}

}  // namespace

const std::vector<LibraryAlgorithm>& libraryAlgorithms() {
    static const std::vector<LibraryAlgorithm> all = [] {
        std::vector<LibraryAlgorithm> made = without();
        for (LibraryAlgorithm& one : ofMpichWithout()) made.push_back(std::move(one));
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

std::optional<KnownAs> openMpiFunction(std::string_view function) {
    // By their numbers from 1 on.
    static const std::map<std::string_view, std::vector<std::string_view>> functions{
        {"allgather", {"basic_linear", "bruck", "recursivedoubling", "ring", "neighborexchange", "two_procs"}},
        {"allgatherv", {"basic_default", "bruck", "ring", "neighborexchange", "two_procs"}},
        {"allreduce",
         {"basic_linear", "nonoverlapping", "recursivedoubling", "ring", "ring_segmented", "redscat_allgather"}},
        {"alltoall", {"basic_linear", "pairwise", "bruck", "linear_sync", "two_procs"}},
        {"alltoallv", {"basic_linear", "pairwise"}},
        {"barrier", {"basic_linear", "doublering", "recursivedoubling", "bruck", "two_procs", "tree"}},
        {"bcast",
         {"basic_linear", "chain", "pipeline", "split_bintree", "bintree", "binomial", "knomial", "scatter_allgather",
          "scatter_allgather_ring"}},
        {"exscan", {"linear", "recursivedoubling"}},
        {"gather", {"basic_linear", "binomial", "linear_sync"}},
        {"reduce", {"basic_linear", "chain", "pipeline", "binary", "binomial", "in_order_binary", "redscat_gather"}},
        {"reduce_scatter", {"nonoverlapping", "basic_recursivehalving", "ring", "butterfly"}},
        {"reduce_scatter_block", {"basic_linear", "recursivedoubling", "recursivehalving", "butterfly"}},
        {"scan", {"linear", "recursivedoubling"}},
        {"scatter", {"basic_linear", "binomial", "linear_nb"}}};
    constexpr std::string_view intra = "_intra_", linear = "_basic_linear";
    auto at = function.find(intra);
    std::string_view name;
    if (at != std::string_view::npos) name = function.substr(at + intra.size());
    else if (function.ends_with(linear)) at = function.size() - linear.size(), name = linear.substr(1);
    const auto call = functions.find(function.substr(0, at));
    if (name.empty() || call == functions.end()) return std::nullopt;
    const auto its = std::ranges::find(call->second, name);
    if (its == call->second.end()) return std::nullopt;
    const auto number = its - call->second.begin() + 1;
    for (const LibraryAlgorithm& one : libraryAlgorithms())
        if (one.known.library == "Open MPI" && one.known.call == call->first && one.known.number == number)
            return one.known;
    return std::nullopt;
}

std::string toText(const KnownAs& known) {
    return known.number < 0 ? text(known.library, " ", known.call, " ", known.name)
                            : text(known.library, " ", known.call, " ", known.number, " (", known.name, ")");
}

}  // namespace engine
