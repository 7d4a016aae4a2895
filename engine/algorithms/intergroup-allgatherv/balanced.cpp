// SPDX-License-Identifier: BSD-3-Clause
// Each group's bytes are dealt out evenly to the ranks of the other, whatever the sizes of the contributions.
//
// Source: Kang et al. 2019, Algorithm 2; gather: Bruck et al. 1997.
// Groups A (p ranks, kA_i bytes each, K_A in all) and B (q ranks, kB_j, K_B), lg = ceil log2. K_A is cut into q
// balanced ranges and K_B into p; a contribution that overlaps several ranges is sent in pieces (see
// stages/intergroup_pieces.hpp).
//
// kA = 3 5 2 9 4 7, kB = 11 4, order=paper; "a3->b0 5" moves 5 bytes:
//
//   round   from A to B              from B to A
//     1     a3->b0 5    a4->b1 4     b0->a0 3    b1->a4 2
//     2     a0->b0 3    a5->b1 7     b0->a1 3    b1->a5 2
//     3     a1->b0 5    a3->b1 4     b0->a2 3
//     4     a2->b0 2                 b0->a3 2
//    5-7    gather: Bruck among 6 ranks of A (3 3 3 2 2 2 bytes) and 2 of B (15 15)
//
// Rounds are no clock: a rank sends its next piece when its out-port has done the one before, and receives its next
// when its in-port has (Facts::uncoupled). Without startups, order=paper then takes exactly max(max kA_i, ceil(K_A/q))
// in each direction, the least possible; order=rank takes up to K_A, one long chain; order=greedy stays below twice the
// least. Pieces at most p + q - 1 per direction. Gather lg max(p, q) rounds, max((q-1) ceil(K_A/q), (p-1) ceil(K_B/p))
// bytes. Correct because the pieces cover each group's line once, and every rank then holds one range of it.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/subgroups.hpp"
#include "engine/stages/intergroup_pieces.hpp"

#include <memory>

namespace engine::algorithms::intergroup_allgatherv_balanced {
namespace {

stages::CutOrder orderOf(const Options& options) {
    if (options.is("order", "rank")) return stages::CutOrder::rank;
    return options.is("order", "greedy") ? stages::CutOrder::greedy : stages::CutOrder::paper;
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Group a = groupA(problem);
    const Group b = groupB(problem);
    const auto cut = [&](Group from, Group to) {
        return std::make_shared<const stages::IntergroupPieces>(problem.layout, from.first, from.size, to.size,
                                                                orderOf(options));
    };
    const auto toB = cut(a, b);
    const auto toA = cut(b, a);
    const auto cross = [=](Rank rank, Round round, auto& out) {
        const bool inA = a.contains(rank);
        const Group& others = inA ? b : a;
        const std::int32_t own = (inA ? a : b).local(rank).value;
        if (const stages::Cut* sent = (inA ? toB : toA)->sentBy(own, round))
            out.send(others.global(Rank{sent->receiver}), sent->bytes);
        if (const stages::Cut* received = (inA ? toA : toB)->receivedBy(own, round))
            out.receive(others.global(Rank{received->sender}), received->bytes);
    };
    const std::int64_t rounds = std::max(toA->rounds(), toB->rounds());
    return then(Facts{.ranks = problem.ranks(), .uncoupled = {Round{0}, rounds}}, Part{"exchange", rounds, cross},
                gatherInBoth(options, a, stages::pieces(contributionsOf(problem, b), a.size), b,
                             stages::pieces(contributionsOf(problem, a), b.size)));
}

Objection objects(const Problem& problem, const Options& options) {
    return stages::againstGather(options, "gather", {problem.groupA, problem.groupB});
}

/// Exact where no contribution of the larger group is cut and all shares of a gather are equal; any order.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const auto large = equalSize(problem, groups.large);
    const auto small = equalSize(problem, groups.small);
    const std::int32_t c = groups.largest();
    if (!large || !small || *large == 0 || *small == 0 || !groups.divides() || *small % c != 0) return std::nullopt;
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    return Cost{.startups = c + stages::gatherRounds(by, groups.large.size),
                .volume = exchangeBytes(groups, *large, *small, true) +
                          gatherBytes(by, {groups.large.size, *small / c}, {groups.small.size, c * *large})};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allgatherv/balanced",
        .collective = Collective::intergroupAllgatherv,
        .title = "Balanced exchange",
        .idea =
            "Each group's bytes are cut into equal ranges, one per rank of the other group, regardless of the boundaries of contributions. The following allgathers are therefore balanced for any distribution of sizes.",
        .source = "Kang et al. 2019, Algorithm 2",
        .formula =
            "(P/Q + lg P) alpha + (max(kL P/Q, kS) + D) beta for equal sizes and Q | P; for all sizes each group has at "
            "most M + max(max kA, max kB) serialized bytes",
        .letters =
            "P = max(p, q), Q = min(p, q); kL and kS bytes per rank of the larger and the smaller group; lg = ceil(log2). "
            "D is the bytes of both groups' gathers in lockstep: the larger of d_t(P) kS Q/P and d_t(Q) kL P/Q of every "
            "round t added up, where d_t(n) = min(2^t, n - 2^t) while 2^t < n. kA and kB are the bytes of a rank of "
            "group A (p ranks) and B (q ranks), M is the larger of the groups' sums K_A and K_B",
        .errata = {{"Algorithm 2, title and lines 3-4",
                    "it is Allgatherv, and the remainders are K_A mod q and K_B mod p"},
                   {"Algorithm 2, lines 7, 9, 17, 19",
                    "line 7 lacks i in the lower end, and all intervals are half-open; else bytes are sent twice"},
                   {"Algorithm 2, line 23", "b_i sends to a_k, not to b_k"},
                   {"proof of Theorem 3", "line 26 is meant for line 25; sizes are K_A/q and (q - 1) K_A/q; y >= 1"},
                   {"proof of Theorem 3",
                    "K_A/q <= max kA fails for p > q: the exchange takes max(max kA, "
                    "ceil(K_A/q)); the theorem holds up to the rounding of ranges, at most "
                    "max(p, q) bytes"},
                   {"Setting 8",
                    "4.84 needs the largest contributions of A and B equal; with one common step it is "
                    "about 4.23"}},
        .options = {{.name = "order",
                     .kind = Option::Kind::choice,
                     .fallback = "paper",
                     .meaning = "in which order receivers take their pieces in the exchange",
                     .choices = {"paper", "rank", "greedy"}},
                    gatherOption()},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_allgatherv_balanced
