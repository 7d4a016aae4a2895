// SPDX-License-Identifier: BSD-3-Clause
// Two counter-rotating belts on the ring: as short as any schedule of whole contributions can be.
//
// Source: the bound is that of Kang et al. (half duplex), section IV.D; the schedule improves on that paper's by one
// round or more and is described in engine/stages/counter_rotating_rings.hpp. p senders 0..p-1, q receivers p..p+q-1, k
// bytes per contribution, each cut into g segments.
//
// Upwards the last sender's contribution goes first, downwards the first sender's; both belts leave every second place
// free, and the other belt uses it. p = q = 4, g = 1, upwards "2>3 m1", downwards "0>7 m0":
//
//   round   up                       down
//     1     3>4 m3                   0>7 m0
//     2     2>3 m2  4>5 m3           1>0 m1  7>6 m0
//     3     1>2 m1  3>4 m2  5>6 m3   0>7 m1  2>1 m2  6>5 m0
//     4     2>3 m1  4>5 m2  6>7 m3   1>0 m2  5>4 m0  7>6 m1
//     5     3>4 m1  5>6 m2           0>7 m2  6>5 m1
//
// Rounds p g + ceil(q/2) - 1, each alpha + beta k/g; one round more if p = 1 and q is even (the only sender can start
// one way only), and min(2 g + 1, g + q - 1) rounds if in addition g > q/2.
// Correct because contribution c reaches the first X(c) receivers on the way up and the other q - X(c) on the way down,
// so that each of the p contributions arrives at each receiver exactly once.
// Best number of segments: about sqrt((q/2 - 1) k beta / (p alpha)).
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/counter_rotating_rings.hpp"

namespace engine::algorithms::halfduplex_allgather_ring_belts {
namespace {

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t n = problem.ranks();
    const std::int64_t segments = options.number("segments");
    const stages::CounterRotatingRings belts{problem.groupA, problem.groupB, segments};
    Facts facts{.ranks = n, .wiring = Wiring::ring(n)};
    return then(facts, Part{"belts", belts.rounds(), [=, layout = problem.layout](Rank rank, Round round, auto& out) {
                                const auto bytes = [&](const stages::CounterRotatingRings::Hop& hop) {
                                    return piece(layout.block(hop.sender), segments, hop.segment);
                                };
                                if (const auto hop = belts.sendOf(rank, round)) out.send(hop->peer, bytes(*hop));
                                if (const auto hop = belts.receiveOf(rank, round)) out.receive(hop->peer, bytes(*hop));
                            }});
}

/// Exact where segments are equal; no round is without a message.
std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t segments = options.number("segments");
    if (!problem.layout.isRegular() || problem.layout.largest() % segments != 0) return std::nullopt;
    const std::int64_t rounds = stages::CounterRotatingRings{problem.groupA, problem.groupB, segments}.rounds();
    return Cost{.startups = rounds, .volume = rounds * (problem.layout.largest() / segments)};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/ring-belts",
        .collective = Collective::halfduplexAllgather,
        .title = "Ring belts",
        .idea =
            "Two belts run around the ring in opposite directions, each with a contribution in every second place. Each process forwards them by turns, so that receivers receive in every round.",
        .source = "bound: Kang et al. (half duplex), section IV.D; schedule: two belts, one round below that paper's",
        .formula = "(p g + ceil(q/2) - 1 + [p = 1 and q even])(alpha + beta k/g)",
        .letters =
            "p senders, q receivers, k bytes per contribution, g segments; if p = 1, q is even and g > q/2, the rounds "
            "are min(2 g + 1, g + q - 1)",
        .errata = {{"section IV.D",
                    "p + q/2 rounds are called optimal; p + ceil(q/2) - 1 are enough (one more only "
                    "for p = 1, q even), and with segments the term in q shrinks by g"}},
        .options = {{.name = "segments",
                     .kind = Option::Kind::integer,
                     .fallback = "1",
                     .meaning = "pieces that each contribution is cut into",
                     .high = 1 << 20}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_ring_belts
