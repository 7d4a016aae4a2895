// SPDX-License-Identifier: BSD-3-Clause
// Blocks hop over distances that are the digits of how far they have to go: few rounds, and bytes travel several times.
//
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, section 3. p ranks, m bytes for each pair, radix z. What rank o
// has for o + i moves by the digits of i in base z, the lowest first: in the round of digit v at place j rank r sends
// to r + v z^j all blocks whose digit at place j is v. p = 5, z = 2, "13": from 1 for 3:
//
//   round   j  v   to   blocks of rank 0
//     1     0  1   1    01 03           (i = 1, 3)
//     2     1  1   2    02 42           (i = 2, 3)
//     3     2  1   4    04              (i = 4)
//
// Rounds: as many as there are v z^j < p, ceil(log2 p) for z = 2; with n ports n digits of one place go at once. For
// equal sizes the blocks whose digit is v, times m, in each. The source first and last rotates the blocks within each
// rank, which are no messages. Correct because before the rounds of place j the block is with o + (i mod z^j), and a
// block meets no rank twice.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace engine::algorithms::alltoallv_bruck {
namespace {

/// The digits of one place that are served in one round: first, first + 1, ... (count of them).
struct Step {
    std::int64_t weight;
    std::int64_t first;
    std::int64_t count;
};

std::vector<Step> stepsOf(const Problem& problem, const Options& options) {
    const std::int64_t radix = options.number("radix");
    std::vector<Step> steps;
    for (std::int64_t weight = 1; weight < problem.groupA; weight *= radix) {
        const std::int64_t last = std::min(radix - 1, (problem.groupA - 1) / weight);
        for (std::int64_t digit = 1; digit <= last; digit += problem.ports)
            steps.push_back({weight, digit, std::min<std::int64_t>(problem.ports, last - digit + 1)});
    }
    return steps;
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int64_t radix = options.number("radix");
    const std::vector<Step> steps = stepsOf(problem, options);
    const auto hop = [=, layout = problem.layout](Rank rank, Round round, auto& out) {
        const Step step = steps[round.index()];
        // What `from` sends whose digit is this one.
        const auto blocks = [&](Rank from, std::int64_t digit) {
            thread_local std::vector<Range> found;
            found.clear();
            for (std::int64_t i = digit * step.weight; i < p; i += step.weight * (radix - 1)) {
                for (const std::int64_t end = std::min<std::int64_t>(i + step.weight, p); i < end; ++i) {
                    const Rank origin = shapes::around(from, -(i % step.weight), p);
                    found.push_back(layout.block(origin.value * p + shapes::around(origin, i, p).value));
                }
            }
            return std::span<const Range>{found};
        };
        for (std::int64_t digit = step.first; digit < step.first + step.count; ++digit) {
            const std::int64_t distance = digit * step.weight;
            const Rank from = shapes::around(rank, -distance, p);
            out.send(shapes::around(rank, distance, p), blocks(rank, digit));
            out.receive(from, blocks(from, digit));
        }
    };
    const int ports = std::max(1, std::min(problem.ports, static_cast<int>(radix) - 1));
    return then(Facts{.ranks = p, .ports = ports}, Part{"hop", static_cast<std::int64_t>(steps.size()), hop});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t radix = options.number("radix");
    Cost cost;
    for (const Step& step : stepsOf(problem, options)) {
        const std::int64_t period = step.weight * radix;
        const std::int64_t blocks =
            problem.groupA / period * step.weight +
            std::clamp<std::int64_t>(problem.groupA % period - step.first * step.weight, 0, step.weight);
        ++cost.startups;
        cost.volume += blocks * problem.layout.largest();
    }
    return cost;
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "alltoallv/bruck",
        .collective = Collective::alltoallv,
        .title = "Bruck",
        .idea =
            "Blocks are combined into messages and forwarded over the digits of their distance: the fewest rounds for short messages. A larger radix takes more rounds and moves fewer bytes.",
        .source = "Bruck et al. 1997, section 3",
        .formula = "R alpha + D beta m for equal sizes; radix 2: R = ceil(log2 p), D the ones of 1 to p - 1 in binary",
        .letters =
            "p ranks, m bytes for each pair, n ports. Distances 1 to p - 1 are written in base radix. R rounds: each serves "
            "up to n digits v > 0 of one place. D adds up how many distances have the smallest v of each round",
        .knownAs = {{"Open MPI", "alltoall", "modified_bruck", 3}, {"MPICH", "alltoall", "brucks"}},
        .options =
            {{.name = "radix",
              .kind = Option::Kind::integer,
              .fallback = "2",
              .meaning =
                  "base in which distances are written; a block is sent once for each digit of its distance that is not 0",
              .low = 2,
              .high = 8}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::alltoallv_bruck
