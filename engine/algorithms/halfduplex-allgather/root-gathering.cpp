// SPDX-License-Identifier: BSD-3-Clause
// What MPI libraries do: one sender gathers, one receiver gets everything and broadcasts it. A baseline.
//
// Source: Kang et al. (half duplex), section III.A and table I ("root gathering").
// p senders a0..a(p-1) = ranks 0..p-1, q receivers b0..b(q-1) = ranks p..p+q-1, k bytes each, lg = ceil log2.
//
// p = 4, q = 4; "m0.2" are the contributions 0 and 1, s0..s3 the four quarters of all:
//
//   round   stage               messages
//     1     gather in A         a1->a0 m1     a3->a2 m3
//     2                         a2->a0 m2.2
//     3     root to root        a0->b0 m0.4
//     4     scatter in B        b0->b2 s2 s3
//     5                         b0->b1 s1     b2->b3 s3
//     6     allgather in B      each b(i) its quarter to b(i-1)
//     7                         each b(i) two quarters to b(i-2)
//
// Rounds lg p + 1 + 2 lg q, serialized bytes k(p - 1) + k p + 2 k p (1 - 1/q): about 4 times the bound k p.
// Correct because b0 holds everything after the second stage and the last two are a broadcast by van de Geijn's recipe,
// of which the allgather is the second half, Bruck's or another (`gather`).
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/group_allgather.hpp"
#include "engine/stages/member_mapping.hpp"

namespace engine::algorithms::halfduplex_allgather_root_gathering {
namespace {

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int32_t q = problem.groupB;
    const Group senders{0, p};
    const Group receivers{p, q};
    const auto shares = stages::pieces(problem.layout.whole(), q);
    Facts facts{.ranks = p + q};
    if (q > 1)
        facts.repeats =
            "the allgather brings the root in B, and others inside the scatter's tree, pieces they have "
            "passed on";
    return then(
        facts, stages::on(senders, "gather in A", stages::BinomialGather{stages::blocks(problem.layout, 0, p)}),
        Part{"root to root", 1,
             [p, all = problem.layout.whole()](Rank rank, Round, auto& out) {
                 if (rank == Rank{0}) out.send(Rank{p}, all);
                 if (rank == Rank{p}) out.receive(Rank{0}, all);
             }},
        stages::on(receivers, "scatter in B", stages::BinomialScatter{shares}),
        stages::on(receivers, "allgather in B", stages::GroupAllgather{stages::gatherBy(options, "gather"), shares}));
}

Objection objects(const Problem& problem, const Options& options) {
    return stages::againstGather(options, "gather", {problem.groupB});
}

/// Exact where everything can be cut into q equal pieces.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t p = problem.groupA;
    const std::int64_t q = problem.groupB;
    const Bytes all = problem.layout.total();
    if (!problem.layout.isRegular() || all % q != 0) return std::nullopt;
    return Cost{.startups = stages::ceilLog2(problem.groupA) + 1 + stages::ceilLog2(problem.groupB) +
                            stages::gatherRounds(stages::gatherBy(options, "gather"), problem.groupB),
                .volume = (p - 1) * problem.layout.largest() + all + 2 * (q - 1) * (all / q)};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/root-gathering",
        .collective = Collective::halfduplexAllgather,
        .title = "Root gathering",
        .idea =
            "One sender gathers all contributions and sends them to one receiver, which broadcasts them by scatter and allgather: simple, but most receivers wait most of the time.",
        .source = "Kang et al. (half duplex), section III.A and table I",
        .formula = "(lg p + 1 + 2 lg q) alpha + (p - 1 + p + 2p(1 - 1/q)) beta k",
        .letters = "p senders, q receivers, k bytes per contribution, lg = ceil(log2)",
        .options = {stages::gatherOption("gather", "how the receivers gather the pieces that were scattered")},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_root_gathering
