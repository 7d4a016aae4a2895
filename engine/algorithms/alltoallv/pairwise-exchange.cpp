// SPDX-License-Identifier: BSD-3-Clause
// In every round each rank serves one other and is served by one: all pairs meet in p - 1 rounds.
//
// Source: Thakur, Rabenseifner, Gropp 2005, section 5. p ranks, m bytes for each pair. In round t (from 1) rank r sends
// its block for the peer: r xor t where p is a power of two, otherwise to r + t while it receives from r - t.
// p = 3 and p = 4:
//
//   round   p = 3                     p = 4
//     1     0 -> 1   1 -> 2   2 -> 0  0 <-> 1  2 <-> 3
//     2     0 -> 2   1 -> 0   2 -> 1  0 <-> 2  1 <-> 3
//     3                               0 <-> 3  1 <-> 2
//
// partners=shift takes r + t and r - t for every p.
// Rounds p - 1, each alpha + beta m for equal sizes. Correct because t goes through all distances, or all differences.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

#include <bit>

namespace engine::algorithms::alltoallv_pairwise_exchange {
namespace {

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const bool pairs = options.is("partners", "xor") && std::has_single_bit(static_cast<std::uint32_t>(p));
    return then(Facts{.ranks = p},
                Part{"pairwise", p - 1, [=, layout = problem.layout](Rank rank, Round round, auto& out) {
                         const auto t = static_cast<std::int32_t>(round.value) + 1;
                         const std::int32_t r = rank.value;
                         const std::int32_t to = pairs ? r ^ t : (r + t) % p;
                         const std::int32_t from = pairs ? r ^ t : (r - t + p) % p;
                         out.send(Rank{to}, layout.block(r * p + to));
                         out.receive(Rank{from}, layout.block(from * p + r));
                     }});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t rounds = problem.groupA - 1;
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "alltoallv/pairwise-exchange",
        .collective = Collective::alltoallv,
        .title = "Pairwise exchange",
        .idea = "Every rank exchanges blocks with one partner per round: each block is sent once.",
        .source = "Thakur et al. 2005, section 5",
        .formula = "(p - 1)(alpha + beta m) for equal sizes",
        .letters = "p ranks, m bytes for each pair",
        .knownAs = {{"Open MPI", "alltoall", "pairwise", 2},
                    {"Open MPI", "alltoallv", "pairwise", 2},
                    {"MPICH", "alltoall", "pairwise"}},
        .options = {{.name = "partners",
                     .kind = Option::Kind::choice,
                     .fallback = "xor",
                     .meaning =
                         "who meets on a power of two of ranks: pairs that swap (r xor t, as MPICH), or each serves "
                         "one and is served by another (r + t, r - t, as Open MPI)",
                     .choices = {"xor", "shift"}}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::alltoallv_pairwise_exchange
