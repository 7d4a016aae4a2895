// SPDX-License-Identifier: BSD-3-Clause
// As Bruck, but the farthest ranks come first, when there is least to send.
//
// Source: Loch and Koslovski 2021 (Sparbit). p ranks, rank i brings m_i bytes. Distances d are 2^(k-1), ..., 2, 1,
// k = ceil(log2 p). Before the round of distance d rank r holds contributions r, r - 2d, r - 4d, ..., ceil(p/2d) of
// them, and sends the first floor(ceil(p/d)/2) of these to r + d. p = 6, "4 2" is two contributions:
//
//   round   d   0            1            2            3            4            5
//     1     4   0 -> 4       1 -> 5       2 -> 0       3 -> 1       4 -> 2       5 -> 3
//     2     2   0 -> 2       1 -> 3       2 -> 4       3 -> 5       4 -> 0       5 -> 1
//     3     1   0 4 2 -> 1   1 5 3 -> 2   2 0 4 -> 3   3 1 5 -> 4   4 2 0 -> 5   5 3 1 -> 0
//
// Rounds k, the fewest there can be; for equal sizes (p - 1) m serialized bytes, most of them to the next rank. Correct
// because r then holds r, r - d, r - 2d, ..., ceil(p/d) of them, and in the end ceil(p/1).
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/doubling_cost.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/halving.hpp"
#include "engine/stages/binomial.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace engine::algorithms::allgatherv_sparbit {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const std::int64_t rounds = stages::ceilLog2(p);
    const auto exchange = [=, layout = problem.layout](Rank rank, Round round, auto& out) {
        const std::int64_t level = rounds - 1 - round.value;
        const std::int32_t distance = std::int32_t{1} << level;
        const std::int32_t count = shapes::halved(p, level) / 2;
        const auto what = [&](std::int32_t first) {
            thread_local std::vector<std::int32_t> blocks;
            thread_local std::vector<Range> ranges;
            blocks.clear();
            ranges.clear();
            for (std::int64_t i = 0; i < count; ++i)
                blocks.push_back(static_cast<std::int32_t>((first - 2 * i * distance + 2 * std::int64_t{p}) % p));
            std::sort(blocks.begin(), blocks.end());
            for (const std::int32_t block : blocks) ranges.push_back(layout.block(block));
            return std::span<const Range>{ranges};
        };
        const std::int32_t from = (rank.value - distance + p) % p;
        out.send(Rank{(rank.value + distance) % p}, what(rank.value));
        out.receive(Rank{from}, what(from));
    };
    return then(Facts{.ranks = p}, Part{"halve the distance", rounds, exchange});
}

std::optional<Cost> predict(const Problem& problem, const Options&) { return doublingCost(problem); }

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allgatherv/sparbit",
        .collective = Collective::allgatherv,
        .title = "Sparbit",
        .idea =
            "Blocks are sent over large distances first, while there are few of them, and then over small ones: the fewest rounds for any number of ranks, with most bytes between near ranks.",
        .source = "Loch and Koslovski 2021",
        .formula = "ceil(log2 p) alpha + (p - 1) beta m for equal sizes",
        .letters = "p ranks, m bytes of each",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allgatherv_sparbit
