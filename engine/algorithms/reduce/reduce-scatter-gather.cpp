// SPDX-License-Identifier: BSD-3-Clause
// Vectors are combined by halves until every rank has a block of the result; then the blocks are gathered on the root.
//
// Source: Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 7. p ranks, m bytes; 2^k is the largest power of
// two up to p. Of each of the first p - 2^k pairs of neighbours one rank hands in its vector and is done: the second
// one, unless it is the root. p = 5, root 0, four blocks; stages/vector_halving.hpp has the table of rounds 2 and 3:
//
//   round   1        2                  3                  4                   5
//           1 -> 0   0 <-> 2  3 <-> 4   0 <-> 3  2 <-> 4   3 -> 0  4 -> 2      2 -> 0
//                    halves             quarters           quarters            half
//
// Rounds 2k, and one for the pairs where p is no power of two; 2 (1 - 2^-k) m serialized bytes, and m more for the
// pairs. Correct because partial results are of consecutive ranks, which also keeps their order for any p and any root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/vector_halving.hpp"

#include <bit>

namespace engine::algorithms::reduce_reduce_scatter_gather {
namespace {

/// Who takes part in the halving: member i is one of a pair of neighbours, or a rank behind the pairs.
struct Folded {
    std::int32_t members;
    std::int32_t pairs;
    Rank root;

    explicit Folded(const Problem& problem)
        : members{static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(problem.groupA)))},
          pairs{problem.groupA - members},
          root{problem.root} {}

    [[nodiscard]] Rank rankOf(Rank member) const {
        if (member.value >= pairs) return member + pairs;
        return Rank{2 * member.value + (root.value == 2 * member.value + 1 ? 1 : 0)};
    }
    /// The member that a rank is, or its neighbour for it.
    [[nodiscard]] Rank memberFor(Rank rank) const {
        return rank.value < 2 * pairs ? Rank{rank.value / 2} : rank - pairs;
    }
    [[nodiscard]] bool paired(Rank rank) const { return rank.value < 2 * pairs; }
};

VectorCut blocks(const Problem& problem) {
    return {problem.layout.largest(), unitOf(problem), Folded{problem}.members};
}

template <class Kernel>
auto onMembers(const Folded& folded, std::string name, Kernel kernel) {
    return Part{std::move(name), kernel.rounds(), [=](Rank rank, Round round, auto& out) {
                    const Rank member = folded.memberFor(rank);
                    if (folded.rankOf(member) != rank) return;
                    const auto toGlobal = [&](Rank local) { return folded.rankOf(local); };
                    stages::runAsMember(member, toGlobal, kernel, round, out);
                }};
}

SchedulePtr plan(const Problem& problem, const Options&) {
    const Folded folded{problem};
    const auto handIn = [=, whole = Range{0, problem.layout.largest()}](Rank rank, Round, auto& out) {
        if (!folded.paired(rank)) return;
        const Rank peer{rank.value ^ 1};
        if (folded.rankOf(folded.memberFor(rank)) != rank) out.sendPartial(peer, 0, stages::AsSpan{whole});
        else out.receivePartial(peer, 1, peer > rank ? Action::append : Action::prepend, stages::AsSpan{whole});
    };
    return then(
        Facts{.ranks = problem.groupA, .pieces = true}, Part{"hand in", folded.pairs > 0 ? 1 : 0, handIn},
        onMembers(folded, "combine by halves", stages::vectorHalving(blocks(problem))),
        onMembers(folded, "gather", stages::HalvesGather{blocks(problem), folded.memberFor(problem.root).value}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const VectorCut cut = blocks(problem);
    if (cut.smallest() != cut.largest()) return std::nullopt;
    const std::int64_t pairs = Folded{problem}.pairs > 0 ? 1 : 0;
    const Bytes m = problem.layout.largest();
    return Cost{.startups = 2 * stages::ceilLog2(cut.count()) + pairs,
                .volume = 2 * (m - cut.largest()) + pairs * m,
                .combined = m - cut.largest() + pairs * m};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "reduce/reduce-scatter-gather",
        .collective = Collective::reduce,
        .title = "Reduce-scatter and gather",
        .idea =
            "A recursive-halving reduce-scatter, then a tree that gathers the blocks at the root: few rounds, and about twice the vector through each port.",
        .source = "Rabenseifner 2004; Thakur et al. 2005, section 7",
        .formula = "2 log2 P alpha + (P - 1)/P (2 beta + gamma) m + [p > P] (alpha + beta m + gamma m)",
        .letters = "p ranks folded to P = 2^k, m bytes, [condition] = 1 if it holds, else 0",
        .knownAs = {{.library = "Open MPI", .call = "reduce", .name = "rabenseifner", .number = 7},
                    {.library = "MPICH", .call = "reduce", .name = "reduce_scatter_gather"}},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::reduce_reduce_scatter_gather
