// SPDX-License-Identifier: BSD-3-Clause
// Rabenseifner: pairs swap halves of the vector, then halves of that; finished blocks come back the same way.
//
// Source: Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 7. P = 2^k places, m bytes in P blocks. The
// nearest ranks meet first, so that partial results are of neighbours and combine in the order of ranks. P = 4:
//
//   round   0             1             2             3
//     1     b2 b3 -> 1    b0 b1 -> 0    b2 b3 -> 3    b0 b1 -> 2
//     2     b1 -> 2       b3 -> 3       b0 -> 0       b2 -> 1
//     3     b0 -> 2       b2 -> 3       b1 -> 0       b3 -> 1
//     4     b0 b1 -> 1    b2 b3 -> 0    b0 b1 -> 3    b2 b3 -> 2
//
// Where p is no power of two, neighbours 2i and 2i + 1 fold to one place until there are few enough
// (shapes/folding.hpp). fold=halves, as Rabenseifner has it: they swap halves, and the upper one hands its combined
// half to the lower one. fold=pairs: the lower one hands its whole vector to the upper one. In the end the other gets
// the result. Rounds 2 k, 2 (P - 1) m/P bytes sent, half of them combined; folding adds 3 rounds with 2 m bytes, m/2
// combined, or 2 rounds with 2 m bytes, m combined. Correct because after t rounds the places that agree in all but the
// lowest t bits are combined, each in its own 2^t-th part of the vector.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/folding.hpp"
#include "engine/stages/folded_members.hpp"
#include "engine/stages/recursive_doubling.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::algorithms::allreduce_reduce_scatter_allgather {
namespace {

/// The vector cut into one block for each place.
VectorCut blocksOfPlaces(const Problem& problem) {
    return {problem.layout.largest(), unitOf(problem), shapes::Folding{problem.groupA}.places()};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const shapes::Folding folding{problem.groupA};
    const VectorCut blocks = blocksOfPlaces(problem);
    const Bytes m = problem.layout.largest();
    const stages::FarDoublingAllgather allgather{stages::sharesOf(blocks)};
    const bool halves = options.is("fold", "halves");
    const auto front = halves ? stages::Front::lower : stages::Front::upper;
    const Bytes middle = blocks.start(folding.places() / 2);
    const auto swap = [=](Rank rank, Round round, auto& out) {
        if (!folding.paired(rank)) return;
        const Rank other = folding.partner(rank);
        const bool lower = rank < other;
        const stages::AsSpan below{Range{0, middle}};
        const stages::AsSpan above{Range{middle, m}};
        if (round.value == 0) {
            out.sendPartial(other, 0, lower ? above : below);
            out.receivePartial(other, 1, lower ? Action::append : Action::prepend, lower ? below : above);
        } else if (lower) {
            out.receivePartial(other, 1, Action::keep, above);
        } else {
            out.sendPartial(other, 0, above);
        }
    };
    auto hand = stages::foldIn(folding, m);
    if (halves) hand.rounds = 0;
    return then(Facts{.ranks = problem.groupA, .pieces = true},
                Part{"fold by halves", halves && folding.pairs() > 0 ? 2 : 0, swap}, hand,
                Part{"reduce-scatter", allgather.rounds(),
                     stages::onPlaces(folding, stages::reduceScatterOf(allgather), front)},
                Part{"allgather", allgather.rounds(), stages::onPlaces(folding, stages::ofResults(allgather), front)},
                stages::unfold(folding, m, front));
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const shapes::Folding folding{problem.groupA};
    const Bytes m = problem.layout.largest();
    const Bytes unit = unitOf(problem);
    const auto half = [unit](Bytes bytes) { return (bytes / unit + 1) / 2 * unit; };
    Cost cost{.startups = 2 * stages::ceilLog2(folding.places())};
    Bytes run = m;
    for (std::int64_t t = 0; 2 * t < cost.startups; ++t) cost.combined += run = half(run);
    cost.volume = 2 * cost.combined;
    if (folding.pairs() == 0) return cost;
    const bool halves = options.is("fold", "halves");
    cost.startups += halves ? 3 : 2;
    cost.volume += halves ? 2 * half(m) + m : 2 * m;
    cost.combined += halves ? half(m) : m;
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/reduce-scatter-allgather",
        .collective = Collective::allreduce,
        .title = "Rabenseifner: reduce-scatter and allgather",
        .idea =
            "Recursive halving followed by recursive doubling (Rabenseifner): little volume in few rounds, combined in the order of ranks.",
        .source = "Rabenseifner 2004; Thakur et al. 2005, section 7",
        .formula =
            "2 log2 P alpha + (P - 1)/P (2 beta + gamma) m; if p > P, folding adds 3 alpha + 2 beta m + gamma m/2 with "
            "fold=halves, 2 alpha + 2 beta m + gamma m with fold=pairs",
        .letters = "p ranks folded to P = 2^k places, m bytes",
        .knownAs = {{"Open MPI", "allreduce", "rabenseifner", 6}, {"MPICH", "allreduce", "reduce_scatter_allgather"}},
        .options = {{.name = "fold",
                     .kind = Option::Kind::choice,
                     .fallback = "halves",
                     .meaning =
                         "how two ranks become one for a number of ranks that is no power of two: they swap halves "
                         "(Rabenseifner, Open MPI), or one hands all to the other (MPICH)",
                     .choices = {"halves", "pairs"}}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::allreduce_reduce_scatter_allgather
