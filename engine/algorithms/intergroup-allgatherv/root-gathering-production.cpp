// SPDX-License-Identifier: BSD-3-Clause
// Root gathering as production libraries run it: one direction, its broadcast included, ends before the other begins.
// The paper's baseline.
//
// Source: Kang et al. 2019, section 3.1, equation (2); the order is that of MPICH's allgather between groups.
// Groups A (ranks 0..p-1, kA bytes each) and B (ranks p..p+q-1, kB each), roots a0 and b0, lg = ceil log2.
//
// p = 4, q = 2; "B.2" is the second quarter of all contributions of B:
//
//   round   stage               messages
//     1     gather              a1->a0    a3->a2    b1->b0
//     2                         a2->a0
//     3     A's root sends      a0->b0 A
//     4     scatter in B        b0->b1 second half of A
//     5     allgather in B      b0->b1 first half, b1->b0 second half of A
//     6     B's root sends      b0->a0 B
//     7     scatter in A        a0->a2 B.2 B.3
//     8                         a0->a1 B.1    a2->a3 B.3
//     9     allgather in A      a(i) its quarter to a(i-1)
//    10                         a(i) two quarters to a(i-2)
//
// Rounds lg max(p,q) + 2 + 2 lg p + 2 lg q, serialized bytes
// max((p-1) kA, (q-1) kB) + p kA + q kB + 2 (1 - 1/p) q kB + 2 (1 - 1/q) p kA: nearly 7 times the bound for p kA = q
// kB. In lockstep the gathers take D in place of the first term, since either group's message may be the larger of a
// round. Correct because a root holds its whole group's contributions after the gather, and scatter and allgather
// broadcast.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/both_groups.hpp"
#include "engine/stages/allgather.hpp"

namespace engine::algorithms::intergroup_allgatherv_root_gathering_production {
namespace {

auto oneWay(std::string name, Rank from, Rank to, Range what) {
    return Part{std::move(name), 1, [=](Rank rank, Round, auto& out) {
                    if (rank == from) out.send(to, what);
                    if (rank == to) out.receive(from, what);
                }};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const Range fromA = contributionsOf(problem, a);
    const Range fromB = contributionsOf(problem, b);
    const auto sharesA = stages::pieces(fromB, a.size);
    const auto sharesB = stages::pieces(fromA, b.size);
    Facts facts{.ranks = problem.ranks()};
    if (a.size > 1 || b.size > 1)
        facts.repeats =
            "the allgathers bring the roots, and others inside the scatter's tree, pieces they have passed "
            "on";
    const stages::GatherBy by = stages::gatherBy(options, "allgather");
    return withGather(problem, options, [&](auto gather) {
        return then(facts, std::move(gather), oneWay("A's root sends", Rank{a.first}, Rank{b.first}, fromA),
                    stages::on(b, "scatter in B", stages::BinomialScatter{sharesB}),
                    stages::on(b, "allgather in B", stages::GroupAllgather{by, sharesB}),
                    oneWay("B's root sends", Rank{b.first}, Rank{a.first}, fromB),
                    stages::on(a, "scatter in A", stages::BinomialScatter{sharesA}),
                    stages::on(a, "allgather in A", stages::GroupAllgather{by, sharesA}));
    });
}

Objection objects(const Problem& problem, const Options& options) {
    const auto members = {problem.groupA, problem.groupB};
    if (const Objection against = stages::againstGather(options, "gather", members)) return against;
    return stages::againstGather(options, "allgather", members);
}

/// Exact for equal sizes per group and equal pieces.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const auto kA = equalSize(problem, a);
    const auto kB = equalSize(problem, b);
    if (!kA || !kB) return std::nullopt;
    const Bytes fromA = a.size * *kA;
    const Bytes fromB = b.size * *kB;
    if (fromA % b.size != 0 || fromB % a.size != 0) return std::nullopt;
    const stages::GatherBy toRoots = stages::gatherBy(options, "gather");
    const stages::GatherBy by = stages::gatherBy(options, "allgather");
    return Cost{.startups = stages::gatherRounds(toRoots, std::max(a.size, b.size)) + 2 + stages::ceilLog2(a.size) +
                            stages::gatherRounds(by, a.size) + stages::ceilLog2(b.size) +
                            stages::gatherRounds(by, b.size),
                .volume = gatherBytes(toRoots, {a.size, *kA}, {b.size, *kB}) + fromA + fromB +
                          2 * (a.size - 1) * (fromB / a.size) + 2 * (b.size - 1) * (fromA / b.size)};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allgatherv/root-gathering-production",
        .collective = Collective::intergroupAllgatherv,
        .title = "Root gathering as in production libraries",
        .idea =
            "One root per group gathers. Then A's root sends and B broadcasts by scatter and allgather; only then B's root sends and A broadcasts: up to seven times the minimum volume.",
        .source = "Kang et al. 2019, section 3.1, equation (2)",
        .formula =
            "(lg max(p,q) + 2 + 2 lg p + 2 lg q) alpha + (D + p kA + q kB + 2(1 - 1/p) q kB + 2(1 - 1/q) p kA) beta",
        .letters =
            "p ranks of A with kA bytes each, q of B with kB; lg = ceil(log2). D is the bytes of both groups' gathers in "
            "lockstep: the larger of d_t(p) kA and d_t(q) kB of every round t added up, where d_t(n) = min(2^t, n - 2^t) "
            "while 2^t < n. D = max((p - 1) kA, (q - 1) kB) if the same group has the larger message in every round",
        .errata = {{"equation (2), startups", "a broadcast by scatter and allgather takes 2 lg n rounds, not lg n"},
                   {"Setting 7", "equals Setting 2 (improvement 4.84), not Setting 4"}},
        .options = {gatherToRootsOption(),
                    stages::gatherOption("allgather", "the second half of each group's broadcast, behind the scatter")},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_allgatherv_root_gathering_production
