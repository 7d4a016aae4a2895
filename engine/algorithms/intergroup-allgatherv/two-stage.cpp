// SPDX-License-Identifier: BSD-3-Clause
// The segmented exchange, after which the larger group gathers in two steps: inside subgroups and across them.
//
// Source: Kang, Traeff, Al-Bahrani, Agrawal, Choudhary, Liao 2018 (EuroMPI), as told in kang2019, sections 1 and 4.
// P >= Q are the sizes of the larger and the smaller group, Q | P, c = P/Q; kL and kS their bytes each, lg = ceil log2.
//
// p = 6, q = 2; "n1.2" is piece 2 of b1's contribution n1; inside first:
//
//   round   stage      in A                                            in B
//    1-3    exchange   as in 'segmented': a0 n0.0  a1 n0.1  a2 n0.2    b0 m0 m1 m2
//                                         a3 n1.0  a4 n1.1  a5 n1.2    b1 m3 m4 m5
//     4     gather     a0 a1 a2 swap pieces of n0, a3 a4 a5 of n1      b0 and b1 swap what they hold
//     5                (Bruck on 3 ranks takes two rounds)
//     6                a0-a3, a1-a4, a2-a5 swap n0 and n1
//
// Across first swaps the pieces n0.i and n1.i in the first step and gathers pairs of them inside.
// segmented=no sends whole contributions in the exchange, c times each; then A gathers across only.
// Rounds c + max(lg c + lg Q, lg Q), without segments c + lg Q. Bytes in a row of A's gather
//     (c - 1) kS Q/P + (Q - 1) kS  =  kS (Q - Q/P)  in either order, as much as in one step;
// without segments the exchange takes c max(kL, kS), which no multiple of the bound limits.
// Correct because after the step inside every rank of subgroup j holds n_j, and across there is one rank of each j.
#include "engine/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/subgroups.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/text.hpp"

namespace engine::algorithms {
namespace {

/// A Bruck allgather of `shares` inside the subgroup of each rank of the larger group: `sharesOf(j)` for subgroup j.
template <class SharesOf>
auto inside(const Subgroups& groups, SharesOf sharesOf) {
    return Part{"inside", stages::ceilLog2(groups.largest()), [=](Rank rank, Round round, auto& out) {
                    if (!groups.large.contains(rank)) return;
                    const std::int32_t j = groups.of(groups.large.local(rank).value);
                    const Group subgroup{groups.large.first + groups.first(j), groups.largest()};
                    onGroup(subgroup, stages::BruckAllgather{sharesOf(j)})(rank, round, out);
                }};
}

/// A Bruck allgather among the i-th ranks of all subgroups: `sharesOf(i)` for place i.
template <class SharesOf>
auto across(const Subgroups& groups, SharesOf sharesOf) {
    return Part{"across", stages::ceilLog2(groups.small.size), [=](Rank rank, Round round, auto& out) {
                    if (!groups.large.contains(rank)) return;
                    const std::int32_t i = groups.large.local(rank).value % groups.largest();
                    const Group column{groups.large.first + i, groups.small.size, groups.largest()};
                    onGroup(column, stages::BruckAllgather{sharesOf(i)})(rank, round, out);
                }};
}

/// One part after the other as one part.
template <class First, class Second>
auto inTurn(Part<First> first, Part<Second> second) {
    return Part{std::string{}, first.rounds + second.rounds, [=](Rank rank, Round round, auto& out) {
                    if (round.value < first.rounds) first.kernel(rank, round, out);
                    else second.kernel(rank, round - first.rounds, out);
                }};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const bool segmented = options.is("segmented", "yes");
    const Layout layout = problem.layout;
    const Facts facts{.ranks = problem.ranks()};
    const auto contribution = [=](std::int32_t j) { return layout.block(groups.small.first + j); };
    const auto small = stages::on(groups.small, "", stages::BruckAllgather{sharesOfSmall(groups, layout)});
    const auto wholes = [=, each = stages::blocks(layout, groups.small.first, groups.small.size)](std::int32_t) {
        return each;
    };
    const auto finish = [&](auto large) {
        return then(facts, exchange(groups, layout, segmented), alongside("gather", std::move(large), small));
    };
    if (!segmented) return finish(across(groups, wholes));
    const std::int32_t c = groups.largest();
    if (options.is("order", "inside-first"))
        return finish(inTurn(inside(groups, [=](std::int32_t j) { return stages::pieces(contribution(j), c); }),
                             across(groups, wholes)));
    const auto pieceOfEach = [=](std::int32_t i) {  // share j: piece i of contribution j
        return stages::Scattered{groups.small.size,
                                 [=](std::int32_t j, auto&& take) { take(piece(contribution(j), c, i)); }};
    };
    const auto columns = [=](std::int32_t) {  // share i: piece i of every contribution
        return stages::Scattered{c, [=](std::int32_t i, auto&& take) {
                                     for (std::int32_t j = 0; j < groups.small.size; ++j)
                                         take(piece(contribution(j), c, i));
                                 }};
    };
    return finish(inTurn(across(groups, pieceOfEach), inside(groups, columns)));
}

Objection objects(const Problem& problem, const Options&) {
    const Subgroups groups{problem};
    if (!groups.divides())
        return text("the smaller group must divide the larger one, but ", groups.small.size, " does not divide ",
                    groups.large.size, "; 'segmented' takes any sizes");
    return std::nullopt;
}

/// Exact for equal sizes per group and, if segmented, equal pieces.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const bool segmented = options.is("segmented", "yes");
    const auto large = equalSize(problem, groups.large);
    const auto small = equalSize(problem, groups.small);
    const std::int32_t c = groups.largest();
    const std::int32_t q = groups.small.size;
    if (!large || !small || (segmented && *small % c != 0)) return std::nullopt;
    const Doubling wholes{q, *small};
    const Doubling pieces{c, *small / c};
    const Doubling piecesAcross{q, *small / c};
    const Doubling columns{c, *small / c * q};
    const bool insideFirst = options.is("order", "inside-first");
    const Doubling none{};
    const Doubling first = !segmented ? none : insideFirst ? pieces : piecesAcross;
    const Doubling second = !segmented || insideFirst ? wholes : columns;
    const std::int32_t roundsFirst = stages::ceilLog2(first.members);
    const std::int32_t roundsSecond = stages::ceilLog2(second.members);
    Bytes gathered = 0;
    for (std::int32_t t = 0; t < roundsFirst + roundsSecond; ++t) {
        const Bytes inLarge = t < roundsFirst ? doublingRun(first.members, t) * first.share
                                              : doublingRun(second.members, t - roundsFirst) * second.share;
        gathered += std::max(inLarge, doublingRun(q, t) * c * *large);
    }
    return Cost{.startups = c + roundsFirst + roundsSecond,
                .volume = exchangeBytes(groups, *large, *small, segmented) + gathered};
}

}  // namespace

Algorithm intergroup_allgatherv_two_stage() {
    return {
        .id = "intergroup-allgatherv/two-stage",
        .collective = Collective::intergroupAllgatherv,
        .title = "Exchange and two gathers",
        .idea =
            "After the segmented exchange the larger group gathers inside its subgroups and across them, so that "
            "one of the steps can stay within nodes; without segments it shows why segments are needed.",
        .source = "Kang et al. 2018 (EuroMPI), as told in kang2019, sections 1 and 4",
        .formula = "(P/Q + lg(P/Q) + lg Q) alpha + (max(kL P/Q, kS) + D) beta",
        .letters =
            "P >= Q ranks in the larger and the smaller group, Q | P, kL and kS bytes each, lg = ceil(log2); D bytes of "
            "the gathers in lockstep, the larger group's two against the smaller group's one, the larger message of "
            "every round added up: at least max(kL (P - P/Q), kS (Q - Q/P)), which counts lane by lane",
        .options = {{.name = "order",
                     .kind = Option::Kind::choice,
                     .fallback = "inside-first",
                     .meaning = "which gather of the larger group comes first",
                     .choices = {"inside-first", "across-first"}},
                    {.name = "segmented",
                     .kind = Option::Kind::choice,
                     .fallback = "yes",
                     .meaning = "whether the smaller group cuts its contributions for the exchange",
                     .choices = {"yes", "no"}}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms
