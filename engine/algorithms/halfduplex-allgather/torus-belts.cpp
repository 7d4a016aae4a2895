// SPDX-License-Identifier: BSD-3-Clause
// Counter-rotating rings in every ring of a torus's first dimension, then ring allgathers along the other dimensions.
//
// Source: named as future work in Kang et al. (half duplex), section VI; the belts are those of
// engine/stages/counter_rotating_rings.hpp. Torus n_0 x n_1 x ... x n_(N-1), ranks row-major (the last dimension
// fastest). Group A is a slab, the first r_A layers of dimension 0: p = r_A * n_1 * ... * n_(N-1); group B is the other
// r_B = n_0 - r_A layers. k bytes each.
//
// Torus 3x2, A = layer 0 = ranks 0 1, B = ranks 2 3 / 4 5; two rings 0-2-4 and 1-3-5, r_A = 1, r_B = 2:
//
//   round   stage                      messages
//     1     belts, dimension 0         0->2 m0    1->3 m1
//     2                                2->4 m0    3->5 m1
//     3     ring, dimension 1 in B     2->3 m0    3->2 m1    4->5 m0    5->4 m1
//
// After the belts a receiver holds the r_A contributions of its ring; after dimension d those of all processes of A
// that differ from it in dimensions 0..d only: contributions at a stride of n_(d+1) * ... * n_(N-1).
// Startups r_A + ceil(r_B/2) - 1 + sum of (n_d - 1), d >= 1; serialized bytes k (p - 1 + ceil(r_B/2)), the bound. One
// more of both if r_A = 1 and r_B is even.
#include "engine/algorithm/algorithm.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/counter_rotating_rings.hpp"
#include "engine/stages/member_mapping.hpp"

#include <cstdlib>
#include <numeric>

namespace engine::algorithms::halfduplex_allgather_torus_belts {
namespace {

/// The torus the user named, or the most nearly square one of two dimensions with A as whole layers; empty if none.
std::vector<int> lengthsFor(const Problem& problem) {
    if (!problem.torus.empty()) return problem.torus;
    const std::int32_t n = problem.ranks();
    const std::int32_t common = std::gcd(problem.groupA, problem.groupB);
    std::int32_t best = 1;
    for (std::int32_t width = 2; width <= common; ++width)
        if (common % width == 0 && std::abs(n / width - width) < std::abs(n / best - best)) best = width;
    if (best == 1) return {};
    return {n / best, best};
}

/// Ranks of one layer of dimension 0.
std::int32_t layerOf(const std::vector<int>& lengths) {
    return std::accumulate(lengths.begin() + 1, lengths.end(), std::int32_t{1}, std::multiplies<>{});
}

Objection objects(const Problem& problem, const Options&) {
    const std::vector<int> lengths = lengthsFor(problem);
    if (lengths.empty())
        return text("the group sizes ", problem.groupA, " and ", problem.groupB,
                    " must have a common divisor above 1; ring-belts supports any sizes");
    const std::int32_t layer = layerOf(lengths);
    if (problem.groupA % layer != 0)
        return text("group A must be whole layers of the torus's first dimension: a layer of torus:",
                    showDimensions(lengths), " has ", layer, " ranks, which does not divide ", problem.groupA,
                    "; name a torus whose other lengths multiply to a divisor of ", problem.groupA);
    return std::nullopt;
}

/// The stage along dimension `d`: a ring allgather among the processes of B that differ in d only.
struct AlongDimension {
    std::int32_t length = 1;  ///< n_d
    std::int32_t stride = 1;  ///< n_(d+1) * ... : distance of neighbours along d
    std::int32_t known = 1;   ///< contributions that each process holds before

    template <class Out>
    void run(const Layout& layout, Rank rank, Round round, Out& out) const {
        const std::int32_t own = rank.value / stride % length;
        const auto each = [&](std::int32_t place, auto&& take) {
            const std::int32_t first = place * stride + rank.value % stride;
            for (std::int32_t i = 0; i < known; ++i) take(layout.block(first + i * stride * length));
        };
        const auto toGlobal = [&](Rank place) { return Rank{rank.value + (place.value - own) * stride}; };
        stages::runAsMember(Rank{own}, toGlobal, stages::RingAllgather{stages::Scattered{length, each}}, round, out);
    }
};

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::vector<int> lengths = lengthsFor(problem);
    const std::int32_t layer = layerOf(lengths);
    const stages::CounterRotatingRings belts{p / layer, lengths[0] - p / layer, 1};
    Facts facts{.ranks = problem.ranks(), .wiring = Wiring::torus(lengths)};
    const auto enter = [&](std::string name, std::int64_t rounds) {
        if (rounds > 0) facts.stages.push_back({std::move(name), Round{facts.rounds}, rounds});
        facts.rounds += rounds;
    };
    enter("belts along dimension 0", belts.rounds());
    std::vector<AlongDimension> dimensions;
    std::int32_t stride = layer;
    std::int32_t known = p / layer;
    for (std::size_t d = 1; d < lengths.size(); ++d) {
        stride /= lengths[d];
        dimensions.push_back({lengths[d], stride, known});
        known *= lengths[d];
        enter(text("ring along dimension ", d, " in B"), lengths[d] - 1);
    }
    return schedule(std::move(facts), [=, layout = problem.layout](Rank rank, Round round, auto& out) {
        if (round.value < belts.rounds()) {
            const std::int32_t ring = rank.value % layer;
            const auto block = [&](const auto& hop) { return layout.block(hop.sender * layer + ring); };
            const auto inRing = [&](Rank place) { return Rank{place.value * layer + ring}; };
            const Rank place{rank.value / layer};
            if (const auto hop = belts.sendOf(place, round)) out.send(inRing(hop->peer), block(*hop));
            if (const auto hop = belts.receiveOf(place, round)) out.receive(inRing(hop->peer), block(*hop));
            return;
        }
        if (rank.value < p) return;
        round = round - belts.rounds();
        for (const AlongDimension& dimension : dimensions) {
            if (round.value < dimension.length - 1) return dimension.run(layout, rank, round, out);
            round = round - (dimension.length - 1);
        }
    });
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::vector<int> lengths = lengthsFor(problem);
    const std::int32_t layersA = problem.groupA / layerOf(lengths);
    const std::int64_t belts = stages::CounterRotatingRings{layersA, lengths[0] - layersA, 1}.rounds();
    std::int64_t startups = belts;
    for (std::size_t d = 1; d < lengths.size(); ++d) startups += lengths[d] - 1;
    return Cost{.startups = startups, .volume = (belts + problem.groupA - layersA) * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "halfduplex-allgather/torus-belts",
        .collective = Collective::halfduplexAllgather,
        .title = "Torus belts",
        .idea =
            "Two belts run in every ring of the torus's first dimension at the same time. Then receivers gather along the other dimensions, with more contributions per message in each.",
        .source = "Kang et al. (half duplex), section VI (future work there)",
        .formula =
            "(rA + ceil(rB/2) - 1 + [rA = 1 and rB even] + sum of (n_d - 1)) alpha + (p - 1 + ceil(rB/2) + "
            "[rA = 1 and rB even]) beta k",
        .letters =
            "p senders, k bytes per contribution, torus n_0 x n_1 x ..., group A its first rA layers, "
            "rB = n_0 - rA, sum over d >= 1",
        .objects = objects,
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::halfduplex_allgather_torus_belts
