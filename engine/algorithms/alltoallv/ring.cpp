// SPDX-License-Identifier: BSD-3-Clause
// All that is not for a rank itself goes on to its neighbour.
//
// Source: folklore; the ring of store and forward in textbooks (Kumar, Grama, Gupta, Karypis 1994, section 4.5).
// p ranks, m bytes for each pair; "13" is what rank 1 has for rank 3. p = 4:
//
//   round   0 -> 1       1 -> 2       2 -> 3       3 -> 0
//     1     01 02 03     10 12 13     20 21 23     30 31 32
//     2     31 32        02 03        10 13        20 21
//     3     21           32           03           10
//
// Rounds p - 1, p (p - 1)/2 m serialized bytes for equal sizes: where only neighbours are linked no algorithm that goes
// one way can do with less. Correct because what rank o has for o + j comes to o + j in round j, and goes no further.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/shapes/powers.hpp"

#include <algorithm>

namespace engine::algorithms::alltoallv_ring {
namespace {

SchedulePtr plan(const Problem& problem, const Options&) {
    const std::int32_t p = problem.groupA;
    const auto pass = [p, layout = problem.layout](Rank rank, Round round, auto& out) {
        const auto t = static_cast<std::int32_t>(round.value);
        // What `origin` has for those more than t behind it: p - 1 - t blocks, going round.
        const auto rest = [&](Rank origin) {
            const std::int32_t row = origin.value * p;
            const std::int32_t first = shapes::around(origin, t + 1, p).value;
            const std::int32_t straight = std::min(p - 1 - t, p - first);
            return RangePair{layout.blocks(row + first, straight), layout.blocks(row, p - 1 - t - straight)};
        };
        out.send(shapes::around(rank, 1, p), rest(shapes::around(rank, -t, p)));
        out.receive(shapes::around(rank, -1, p), rest(shapes::around(rank, -t - 1, p)));
    };
    return then(Facts{.ranks = p}, Part{"around the ring", p - 1, pass});
}

std::optional<Cost> predict(const Problem& problem, const Options&) {
    if (!problem.layout.isRegular()) return std::nullopt;
    const std::int64_t p = problem.groupA;
    return Cost{.startups = p - 1, .volume = p * (p - 1) / 2 * problem.layout.largest()};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "alltoallv/ring",
        .collective = Collective::alltoallv,
        .title = "Ring",
        .idea =
            "Every rank forwards to its neighbour all blocks that are not for itself: each message crosses one link, and each block p/2 links on average.",
        .source = "Kumar et al. 1994, section 4.5; folklore",
        .formula = "(p - 1)(alpha + p/2 beta m) for equal sizes",
        .letters = "p ranks, m bytes for each pair",
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::alltoallv_ring
