// SPDX-License-Identifier: BSD-3-Clause
// Every rank of the smaller group serves a subgroup of the larger one, cutting its contribution into as many pieces.
//
// Source: Kang et al. 2019, Algorithm 1; gather: Bruck et al. 1997, or a ring.
// P >= Q are the sizes of the larger and the smaller group, kL and kS the bytes of each of their ranks, lg = ceil log2.
//
// p = 6, q = 2: A = a0..a5, B = b0 b1; "n1.2" is piece 2 of b1's contribution n1:
//
//   round   stage      messages
//     1     exchange   a0->b0 m0    b0->a0 n0.0    a3->b1 m3    b1->a3 n1.0
//     2                a1->b0 m1    b0->a1 n0.1    a4->b1 m4    b1->a4 n1.1
//     3                a2->b0 m2    b0->a2 n0.2    a5->b1 m5    b1->a5 n1.2
//     4     gather     b0->b1 m0 m1 m2    b1->b0 m3 m4 m5    every a(i) 1 piece  to a(i-1)
//     5                                                      every a(i) 2 pieces to a(i-2)
//     6                                                      every a(i) 2 pieces to a(i-4)
//
// Rounds ceil(P/Q) + lg P with Bruck or recursive doubling, ceil(P/Q) + P - 1 with a ring, which needs links between
// neighbours only: 2 P + Q in all with those of the exchange. For Q | P and (P/Q) | kS serialized bytes, per lane:
//     max(kL P/Q, kS) + max(kL (P - P/Q), kS (Q - Q/P))  <=  M + kS,  M = max(P kL, Q kS), the bound.
// In lockstep both lanes' Bruck messages differ in size from round to round, so that it is up to 1.31 times as much.
// pad=yes moves all shares of a gather at the size of the largest, as an allgather that knows one size only: when Q
// does not divide P that costs up to twice as much (P = Q + 1, P = 2Q - 1).
// Correct because shares lie end to end in rank order: of the larger group's ranks the pieces of n0, n1, ..., of the
// smaller group's ranks whole subgroups.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/intergroup-allgatherv/subgroups.hpp"

namespace engine::algorithms::intergroup_allgatherv_segmented {
namespace {

/// The largest shares that the ranks of the two groups hold after the exchange, for equal contributions per group.
struct Largest {
    Bytes ofLarge = 0;
    Bytes ofSmall = 0;
};

Largest largestShares(const Subgroups& groups, Bytes large, Bytes small) {
    const std::int32_t smallest = groups.size(groups.small.size - 1);
    return {piece({0, small}, smallest, 0).size(), large * groups.largest()};
}

auto padded(const Problem& problem, Group group, Bytes each, auto shares) {
    return stages::Padded{std::move(shares), each,
                          [layout = problem.layout, group](std::int32_t i) { return layout.block(group.first + i); }};
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    Facts facts{.ranks = problem.ranks()};
    const auto withGather = [&](auto ofLarge, auto ofSmall) {
        return then(facts, exchange(groups, problem.layout, true),
                    gatherInBoth(options, groups.large, ofLarge, groups.small, ofSmall));
    };
    const auto ofLarge = sharesOfLarge(groups, problem.layout);
    const auto ofSmall = sharesOfSmall(groups, problem.layout);
    if (options.is("pad", "no")) return withGather(ofLarge, ofSmall);
    facts.repeats = "padding repeats bytes so that all messages of a gather have one size";
    const Largest largest = largestShares(groups, *equalSize(problem, groups.large), *equalSize(problem, groups.small));
    return withGather(padded(problem, groups.large, largest.ofLarge, ofLarge),
                      padded(problem, groups.small, largest.ofSmall, ofSmall));
}

Objection objects(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    if (options.is("pad", "yes") && (!equalSize(problem, groups.large) || !equalSize(problem, groups.small)))
        return "pad=yes stands for an allgather of equal contributions, but sizes within a group differ; use pad=no";
    return stages::againstGather(options, "gather", {groups.large.size, groups.small.size});
}

/// Exact for equal sizes per group, if besides all shares of a gather are equal or padded to be so.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const Subgroups groups{problem};
    const auto large = equalSize(problem, groups.large);
    const auto small = equalSize(problem, groups.small);
    if (!large || !small) return std::nullopt;
    if (options.is("pad", "no") && !(groups.divides() && *small % groups.largest() == 0)) return std::nullopt;
    const Largest shares = largestShares(groups, *large, *small);
    const std::int32_t p = groups.large.size;
    const std::int32_t q = groups.small.size;
    const stages::GatherBy by = stages::gatherBy(options, "gather");
    return Cost{.startups = groups.largest() + stages::gatherRounds(by, p),
                .volume = exchangeBytes(groups, *large, *small, true) +
                          gatherBytes(by, {p, shares.ofLarge}, {q, shares.ofSmall})};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "intergroup-allgatherv/segmented",
        .collective = Collective::intergroupAllgatherv,
        .title = "Segmented exchange",
        .idea =
            "Pairs of ranks of both groups exchange contributions, those of the smaller group in segments, so that each byte crosses once. Then each group gathers.",
        .source = "Kang et al. 2019, Algorithm 1",
        .formula =
            "(ceil(P/Q) + lg P) alpha + (max(kL P/Q, kS) + D) beta for Q | P; with gather=ring (P/Q + P - 1) alpha + "
            "(max(kL P/Q, kS) + (Q - 1) max(kS Q/P, kL P/Q) + (P - Q) kS Q/P) beta",
        .letters =
            "P = max(p, q), Q = min(p, q); kL and kS bytes per rank of the larger and the smaller group; lg = ceil(log2). "
            "D is the bytes of both groups' gathers in lockstep: the larger of d_t(P) kS Q/P and d_t(Q) kL P/Q of every "
            "round t added up, where d_t(n) = min(2^t, n - 2^t) while 2^t < n. The paper has max(kL (P - P/Q), "
            "kS (Q - Q/P)) in place of D. That is at most D: it adds up each group's bytes and takes the larger sum",
        .errata =
            {{"text on Algorithm 1", "the partner of a_i is floor(i q/p), not floor(i/q)"},
             {"Algorithm 1, line 9",
              "a_j brings piece j mod (p/q) of m_B[floor(j q/p)], not of m_B[j], where m_B are the contributions of group B"},
             {"Algorithm 1, line 11", "b_j holds A's blocks (p/q) j + i, not q i + j"},
             {"proof of Theorem 1",
              "a piece has kB q/p bytes, not kB p/q, where kB is the bytes of each contribution of group B"},
             {"Figure 2, text", "the second of the two sizes said of B, kB/2, is A's"},
             {"section 4, end", "its own count of links gives 2p + q, not p + q + p/q"},
             {"section 4, q not dividing p",
              "an allgather with the largest send size costs up to twice the "
              "bound; 'balanced' does not"}},
        .options = {gatherOption(),
                    {.name = "pad",
                     .kind = Option::Kind::choice,
                     .fallback = "no",
                     .meaning = "whether the gather fills all shares up to the largest",
                     .choices = {"no", "yes"}}},
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::intergroup_allgatherv_segmented
