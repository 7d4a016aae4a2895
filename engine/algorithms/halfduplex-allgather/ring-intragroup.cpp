// SPDX-License-Identifier: BSD-3-Clause
// Every contribution travels once around the ring, as in the allgather within one group: the paper's baseline.
//
// Source: Kang et al. (half duplex), section V.A ("intra-group Allgather emulated under the same environment"), Table
// II. p senders 0..p-1, q receivers p..p+q-1, n = p + q ranks, k bytes per contribution.
//
// Rank r passes contribution (r - t) mod n to r + 1 in round t, counted from 0; p = 2, q = 3:
//
//   round   0 -> 1   1 -> 2   2 -> 3   3 -> 4   4 -> 0
//     1       m0       m1
//     2                m0       m1
//     3                         m0       m1
//     4                                  m0       m1
//
// Receivers have nothing to bring, so a link rests while one of their empty places in the belt goes by. A contribution
// goes on until it comes back to its owner. Rounds p + q - 1, each alpha + beta k.
// Correct because contribution i reaches rank i + 1 + t in round t, hence every rank within n - 1 rounds.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"

namespace engine::algorithms::halfduplex_allgather_ring_intragroup {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int32_t n = problem.ranks();
    Facts facts{.ranks = n, .wiring = Wiring::ring(n)};
    return then(facts, Part{"around the ring", n - 1, [=, layout = problem.layout](Rank rank, Round round, auto& out) {
                                const auto at = [&](std::int32_t place) {
                                    const std::int32_t origin = place - static_cast<std::int32_t>(round.value);
                                    return origin < 0 ? origin + n : origin;
                                };
                                const std::int32_t passed = at(rank.value);
                                const std::int32_t right = rank.value + 1 < n ? rank.value + 1 : 0;
                                if (passed < p) out.send(Rank{right}, layout.block(passed));
                                const std::int32_t left = rank.value > 0 ? rank.value - 1 : n - 1;
                                const std::int32_t coming = at(left);
                                if (coming < p) out.receive(Rank{left}, layout.block(coming));
                            }});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t rounds = problem.ranks() - 1;
    return Cost{.startups = rounds, .volume = rounds * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/ring-intragroup",
        .collective = Collective::halfduplexAllgather,
        .title = "Ring allgather over both groups",
        .idea =
            "Every contribution travels around the whole ring once, also through senders that do not need it: the baseline of the paper.",
        .source = "Kang et al. (half duplex), section V.A and table II",
        .formula = "(p + q - 1)(alpha + beta k)",
        .letters = "p senders, q receivers, k bytes per contribution",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_ring_intragroup
