// SPDX-License-Identifier: BSD-3-Clause
// Pairs at doubling distances swap all they have.
//
// Source: Thakur, Rabenseifner, Gropp 2005 and earlier folklore; named in Träff et al. 2010 as the choice for short
// messages; stages/recursive_doubling.hpp has the worked table. p = 2^k ranks, rank i brings m_i bytes.
// Rounds log2 p; for equal sizes (p - 1) m serialized bytes. Correct because ranks that agree in all but the lowest t
// bits hold the same contributions before round t (from 0): exactly theirs.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/algorithms/power_of_two.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/recursive_doubling.hpp"

namespace engine::algorithms::allgatherv_recursive_doubling {
namespace {

Objection objects(const Problem& problem, const Options&) { return needsPowerOfTwo(problem, "allgatherv/bruck"); }

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    return then(Facts{.ranks = p}, stages::on(Group{0, p}, "double the distance",
                                              stages::DoublingAllgather{stages::blocks(problem.layout, 0, p)}));
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/recursive-doubling",
        .collective = Collective::allgatherv,
        .title = "Recursive doubling",
        .idea = "Pairs at doubling distances exchange all they have: the fewest rounds on a power of two of ranks.",
        .source = "Thakur et al. 2005; Träff et al. 2010, section 2.1",
        .formula = "log2 p alpha + (p - 1) beta m for equal sizes",
        .letters = "p = 2^k ranks, m bytes of each",
        .knownAs = {{"Open MPI", "allgather", "recursive_doubling", 3},
                    {"MPICH", "allgather", "recursive_doubling"},
                    {"MPICH", "allgatherv", "recursive_doubling"}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_recursive_doubling
