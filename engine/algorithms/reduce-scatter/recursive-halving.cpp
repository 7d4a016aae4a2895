// SPDX-License-Identifier: BSD-3-Clause
// Pairs swap halves of the vector, then halves of that, with a partner half as far away each time.
//
// Source: Thakur, Rabenseifner, Gropp 2005, section 6. p ranks, m bytes in p blocks: the allgather of
// stages/recursive_doubling.hpp backwards. p = 4:
//
//   round   0             1             2             3
//     1     b2 b3 -> 2    b2 b3 -> 3    b0 b1 -> 0    b0 b1 -> 1
//     2     b1 -> 1       b0 -> 0       b3 -> 3       b2 -> 2
//
// Where p is no power of two, of neighbours 2i and 2i + 1 the first hands its vector to the second until there are few
// enough; they stand for one place that has the blocks of both, and get them apart in the end (shapes/folding.hpp).
// Rounds k = log2 p for p = 2^k and (p - 1) m/p bytes sent and combined; for other p two rounds more, one with the
// whole vector and one with a block. Correct because before round t the places that agree in all but t high bits are
// combined, in those blocks that agree with them. Distant ranks meet first: commutative operations only, from p = 4 on.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/folding.hpp"
#include "engine/stages/folded_members.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/recursive_doubling.hpp"
#include "engine/stages/reduce_scatter.hpp"

#include <algorithm>

namespace engine::algorithms::reduce_scatter_recursive_halving {
namespace {

/// The blocks that each place has.
auto sharesOfPlaces(const Problem& problem) {
    const shapes::Folding folding{problem.groupA};
    return stages::EndToEnd{folding.places(), [folding, blocks = blocksOf(problem)](std::int32_t place) {
                                return blocks.start(folding.first(place));
                            }};
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const shapes::Folding folding{p};
    const VectorCut blocks = blocksOf(problem);
    const stages::DoublingAllgather doubling{sharesOfPlaces(problem)};
    const auto apart = [=](Rank rank, Round, auto& out) {
        if (!folding.paired(rank)) return;
        const Rank other = folding.partner(rank);
        if (other < rank) out.sendPartial(other, 0, stages::AsSpan{blocks[other.value]});
        else out.receivePartial(other, 1, Action::keep, stages::AsSpan{blocks[rank.value]});
    };
    return then(
        Facts{.ranks = p, .pieces = true}, stages::foldIn(folding, problem.layout.largest()),
        Part{"halve the distance", doubling.rounds(), stages::onPlaces(folding, stages::reduceScatterOf(doubling))},
        Part{"take apart", folding.pairs() > 0 ? 1 : 0, apart});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const shapes::Folding folding{problem.groupA};
    const VectorCut blocks = blocksOf(problem);
    const auto shares = sharesOfPlaces(problem);
    Cost cost{.startups = stages::ceilLog2(folding.places())};
    for (std::int32_t run = folding.places() / 2; run > 0; run /= 2) {
        Bytes longest = 0;
        for (std::int32_t first = 0; first < folding.places(); first += run)
            longest = std::max(longest, shares.bytes(first, run));
        cost.volume += longest;
    }
    cost.combined = cost.volume;
    if (folding.pairs() == 0) return cost;
    Bytes apart = 0;
    for (std::int32_t i = 0; i < folding.pairs(); ++i) apart = std::max(apart, blocks[2 * i].size());
    return Cost{.startups = cost.startups + 2,
                .volume = problem.layout.largest() + cost.volume + apart,
                .combined = problem.layout.largest() + cost.combined};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce-scatter/recursive-halving",
        .collective = Collective::reduceScatter,
        .title = "Recursive halving",
        .idea =
            "Pairs exchange halves of their vectors and combine them, with half the data and half the distance in each round: the fewest rounds and the minimum volume on a power of two of ranks.",
        .source = "Thakur et al. 2005, section 6",
        .formula =
            "log2 p alpha + (p - 1)/p (beta + gamma) m for p = 2^k; for other p (floor(log2 p) + 2) alpha + (1 + (B + 1)/p) "
            "beta m + (1 + B/p) gamma m",
        .letters = "p ranks, m bytes, B blocks: the most that a pair exchanges in a round, added up over the rounds",
        .knownAs = {{"Open MPI", "reduce_scatter", "recursive_halving", 2},
                    {"Open MPI", "reduce_scatter_block", "recursive_halving", 3},
                    {"MPICH", "reduce_scatter", "recursive_halving"},
                    {"MPICH", "reduce_scatter_block", "recursive_halving"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem& problem, const Options&) { return problem.groupA <= 3; },
    };
}

}  // namespace engine::algorithms::reduce_scatter_recursive_halving
