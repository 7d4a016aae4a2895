// SPDX-License-Identifier: BSD-3-Clause
// The message is scattered in p pieces down a binomial tree; then ranks swap all they have with partners at twice the
// distance each round.
//
// Source: Hasanov et al. 2014, formula (6); two levels: formula (16).
// p ranks, m bytes in pieces 0..p-1, longer ones first. p = 4, root 0:
//
//   round   1              2                      3                 4
//           0 -> 2: 2, 3   0 -> 1: 1  2 -> 3: 3   0 <-> 1  2 <-> 3  0 <-> 2  1 <-> 3, two pieces each way
//
// Recursive doubling needs a power of two; other p take the allgather of Bruck et al. (stages/allgather.hpp) with the
// same number of rounds and bytes.
// Rounds 2 ceil(log2 p); 2 m (p - 1)/p serialized bytes when p divides m. When it does not: all but the longest piece
// for the scatter, and in each round of the allgather the run of pieces that begins with piece 0.
// Correct because ranks that agree in all but the lowest t bits hold the same pieces after t rounds of doubling.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/recursive_doubling.hpp"

#include <algorithm>
#include <bit>

namespace engine::algorithms::bcast_scatter_recursive_doubling_allgather {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto pieces = stages::pieces(problem.layout.whole(), p);
    Facts facts{.ranks = p};
    facts.repeats =
        "inner ranks of the scatter tree keep the pieces that went through them, and the allgather brings "
        "all";
    const auto scatter = stages::onAllFrom(p, problem.root, "scatter", stages::BinomialScatter{pieces});
    if (std::has_single_bit(static_cast<std::uint32_t>(p)))
        return then(facts, scatter,
                    stages::onAllFrom(p, problem.root, "recursive doubling", stages::DoublingAllgather{pieces}));
    return then(facts, scatter, stages::onAllFrom(p, problem.root, "Bruck allgather", stages::BruckAllgather{pieces}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const Range whole = problem.layout.whole();
    Cost cost{.startups = 2 * stages::ceilLog2(p), .volume = whole.size() - piece(whole, p, 0).size()};
    for (std::int32_t held = 1; held < p; held *= 2) cost.volume += piece(whole, p, std::min(held, p - held)).begin;
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/scatter-recursive-doubling-allgather",
        .collective = Collective::bcast,
        .title = "Scatter and recursive doubling allgather",
        .idea =
            "The message is scattered, then pairs at doubling distances exchange all pieces they have: few rounds and little volume.",
        .source = "Hasanov et al. 2014, formulas (6) and (16)",
        .formula = "2 ceil(log2 p) alpha + 2 (p - 1)/p beta m",
        .letters = "p ranks, m bytes",
        .errata = {{"text after formula (16)",
                    "two levels are said to double the latency; it stays 2 log2 p, and only the bytes grow, by less "
                    "than a factor of 2"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "scatter_allgather", .number = 8},
                    {.library = "MPICH", .call = "bcast", .name = "scatter_recursive_doubling_allgather"}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::bcast_scatter_recursive_doubling_allgather
