// SPDX-License-Identifier: BSD-3-Clause
// Pairs at doubling distances swap the totals of their groups; the higher one also adds what came to its result.
//
// Source: MPI_Scan of MPICH and Open MPI, which they call recursive doubling. p ranks, m bytes. p = 4, totals
// and results after each round:
//
//   round              rank 0      1            2            3
//     1   r xor 1      0 1 | 0     0 1 | 0 1    2 3 | 2      2 3 | 2 3
//     2   r xor 2      0..3 | 0    0..3 | 0 1   0..3 | 0..2  0..3 | 0..3
//
// Rounds ceil(log2 p), each alpha + beta m, and 2 gamma m where a rank adds to both. A partner that does not exist is
// left out: the totals that miss it are those of the last ranks, which no rank behind them waits for. Correct because
// before round t (from 0) the total of a group of 2^t ranks is on each of them if any rank comes behind the group.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/exclusive.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/binomial.hpp"

namespace engine::algorithms::scan_recursive_doubling {
namespace {

constexpr int total = 0;
constexpr int result = 1;

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    Facts facts{.ranks = p};
    facts.slots = 2;
    facts.own = Slots{1} << total;
    if (!problem.exclusive) facts.own |= Slots{1} << result;
    facts.result = result;
    return then(facts, Part{"recursive doubling", stages::ceilLog2(p),
                            [p, m = problem.layout.largest()](Rank rank, Round round, auto& out) {
                                const Rank peer{rank.value ^ (std::int32_t{1} << round.value)};
                                if (peer.value >= p) return;
                                out.sendPartial(peer, total, m);
                                if (peer > rank) out.receivePartial(peer, Slots{1} << total, Action::append, m);
                                else
                                    out.receivePartial(peer, Slots{1} << total | Slots{1} << result, Action::prepend,
                                                       m);
                            }});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    const std::int64_t rounds = stages::ceilLog2(problem.groupA);
    const Bytes volume = rounds * problem.layout.largest();
    return Cost{.startups = rounds, .volume = volume, .combined = 2 * volume};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "scan/recursive-doubling",
        .collective = Collective::scan,
        .title = "Recursive doubling",
        .idea =
            "Pairs at doubling distances exchange the totals of their groups, and the later rank adds them to its result: the fewest rounds, and all ranks combine in each.",
        .source = "MPICH and Open MPI, MPI_Scan, recursive doubling",
        .formula = "ceil(log2 p) (alpha + beta m + 2 gamma m)",
        .letters = "p ranks, m bytes",
        .knownAs = {{.library = "Open MPI", .call = "scan", .name = "recursive_doubling", .number = 2},
                    {.library = "Open MPI", .call = "exscan", .name = "recursive_doubling", .number = 2},
                    {.library = "MPICH", .call = "scan", .name = "recursive_doubling"},
                    {.library = "MPICH", .call = "exscan", .name = "recursive_doubling"}},
        .options = {exclusiveOption()},
        .plan = plan,
        .predict = predict,
        .keepsOrder = [](const Problem&, const Options&) { return true; },
    };
}

}  // namespace engine::algorithms::scan_recursive_doubling
