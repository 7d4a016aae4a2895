// SPDX-License-Identifier: BSD-3-Clause
// Each half of the message goes down one half of a binary tree; in the end ranks of both halves swap in pairs.
//
// Source: Hasanov et al. 2014, formula (7), corrected; the algorithm is that of Pjesivac-Grbovic et al. 2007.
// p ranks, m bytes, X >= 2 segments: the first ceil(X/2) make the left half, the others the right half. Left of the
// root hang ranks 1..ceil((p-1)/2), right the others, both in heap order. p = 6, root 0, X = 2, L and R the halves:
//
//   round   1          2                     3                     4
//           0 -L-> 1   0 -R-> 4   1 -L-> 2   1 -L-> 3   4 -R-> 5   1 <-> 4   2 <-> 5   0 -R-> 3
//
// The root feeds left and right in turn, every other rank its two children: a segment every two rounds. Rounds
// max(1 + A(l) + 2(ceil(X/2) - 1), 2 + A(r) + 2(floor(X/2) - 1)) with A the latest arrival in a heap of l or r ranks,
// and one round of up to half the message for the swap: 2(log2(p + 1) + X/2 - 2) + 1 on a complete tree, X even.
// Correct because the halves differ by at most one rank: the i-th left rank swaps with the i-th right one, and a left
// rank without partner gets the right half from the root.
#include "engine/algorithm/algorithm.hpp"
#include "engine/algorithms/segments.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/pipelines.hpp"

#include <algorithm>
#include <array>

namespace engine::algorithms::bcast_split_binary_tree {
namespace {

/// The two halves of ranks and message, and when their segments move.
struct Halves {
    std::int32_t ranks[2];
    std::int64_t segments[2];
    Range bytes[2];
    std::int32_t period;

    Halves(const Problem& problem, std::int64_t segmentCount) {
        const Range whole = problem.layout.whole();
        ranks[0] = problem.groupA / 2;
        ranks[1] = problem.groupA - 1 - ranks[0];
        segments[0] = (segmentCount + 1) / 2;
        segments[1] = segmentCount - segments[0];
        bytes[0] = {0, piece(whole, segmentCount, segments[0] - 1).end};
        bytes[1] = {bytes[0].end, whole.end};
        period = ranks[1] > 0 ? 2 : 1;
    }

    /// The side's ranks as members of a tree of their own, one round (left) or two (right) after the root began.
    [[nodiscard]] stages::HeapPipeline tree(int side) const {
        return {ranks[side], period, bytes[side], segments[side]};
    }
    [[nodiscard]] std::int32_t top(int side) const { return side == 0 ? 1 : 1 + ranks[0]; }
    [[nodiscard]] std::int64_t roundsOf(int side) const {
        if (ranks[side] == 0) return 0;
        return 1 + side + shapes::heapLatest(ranks[side]) + period * (segments[side] - 1);
    }
    [[nodiscard]] std::int64_t rounds() const { return std::max(roundsOf(0), roundsOf(1)); }

    /// The longest segment of a side in flight in a round, counted from 0.
    [[nodiscard]] Bytes longest(int side, std::int64_t round) const {
        if (ranks[side] == 0) return 0;
        const std::int64_t since = round - side;
        const std::int64_t late = since - shapes::heapLatest(ranks[side]);
        const std::int64_t first = late <= 0 ? 0 : (late + period - 1) / period;
        const bool moving = since >= first * period && first < segments[side];
        return moving ? piece(bytes[side], segments[side], first).size() : 0;
    }
};

std::int64_t segments(const Problem& problem, const Options& options) {
    const std::int64_t filling = problem.groupA < 2 ? 0 : shapes::heapLatest(problem.groupA) - 2;
    return segmentsOf(options, filling, problem.layout.total(), 2);
}

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const Halves halves{problem, segments(problem, options)};
    const auto down = [=, trees = std::array{halves.tree(0), halves.tree(1)}](Rank member, Round round, auto& out) {
        const std::int64_t turn = round.value % halves.period;
        if (member.value == 0) {
            const auto side = static_cast<int>(turn);
            if (const std::int64_t segment = round.value / halves.period; segment < halves.segments[side])
                out.send(Rank{halves.top(side)}, piece(halves.bytes[side], halves.segments[side], segment));
            return;
        }
        const int side = member.value < halves.top(1) ? 0 : 1;
        const std::int32_t top = halves.top(side);
        const std::int64_t since = round.value - side;  // the root's sends to this side began then
        const std::int64_t segment = since / halves.period;
        if (member.value == top && since >= 0 && since % halves.period == 0 && segment < halves.segments[side])
            out.receive(Rank{0}, piece(halves.bytes[side], halves.segments[side], segment));
        const auto toGlobal = [&](Rank local) { return Rank{top + local.value}; };
        if (since >= 1)
            stages::runAsMember(Rank{member.value - top}, toGlobal, trees[asSize(side)], Round{since - 1}, out);
    };
    const auto swap = [=](Rank member, Round, auto& out) {
        const Rank lonely{halves.ranks[0] > halves.ranks[1] ? halves.ranks[0] : -1};
        if (member.value == 0) {
            if (lonely.value > 0) out.send(lonely, halves.bytes[1]);
            return;
        }
        const int side = member.value < halves.top(1) ? 0 : 1;
        const Rank partner = side == 0 ? member + halves.ranks[0] : member - halves.ranks[0];
        if (member != lonely) out.send(partner, halves.bytes[side]);
        out.receive(member == lonely ? Rank{0} : partner, halves.bytes[1 - side]);
    };
    return then(Facts{.ranks = p},
                Part{"halves down the tree", p > 1 ? halves.rounds() : 0, stages::fromRoot(p, problem.root, down)},
                Part{"swap halves", p > 1 ? 1 : 0, stages::fromRoot(p, problem.root, swap)});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    if (problem.groupA == 1) return Cost{};
    const Halves halves{problem, segments(problem, options)};
    Cost cost{.startups = halves.rounds() + 1,
              .volume = problem.groupA > 2 ? halves.bytes[0].size() : halves.bytes[1].size()};
    for (std::int64_t round = 0; round < halves.rounds(); ++round)
        cost.volume += std::max(halves.longest(0, round), halves.longest(1, round));
    return cost;
}

Choices choose(const Problem& problem, const Options& options) {
    return chosenSegments(options, segments(problem, options));
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "bcast/split-binary-tree",
        .collective = Collective::bcast,
        .title = "Split binary tree",
        .idea =
            "Each half of the message goes down one half of a binary tree in segments, then pairs of ranks from both halves exchange them: every link of the tree carries half of the message.",
        .source = "Hasanov et al. 2014, formulas (7) and (17); Pjesivac-Grbovic et al. 2007",
        .formula = "(A + X - 2)(alpha + beta m/X) + alpha + beta m/2, A = 2(log2(p + 1) - 1) on the complete tree",
        .letters =
            "p ranks, m bytes, X segments (even), A rounds until the last rank holds the first segment of its half",
        .errata = {{"formula (7)",
                    "has no number of segments and lies below the lower bound, e.g. m/2 for p = 3 and alpha = 0; right "
                    "is 2(ceil(log2(p + 1)) + ceil(X/2) - 2)(alpha + beta m/X) + alpha + beta m/2"},
                   {"formula (17)", "uses the X that (7) lacks; it agrees with the corrected (7) for even X"}},
        .knownAs = {{.library = "Open MPI", .call = "bcast", .name = "split_binary_tree", .number = 4}},
        .options = {segmentsOption("auto", 2)},
        .plan = plan,
        .predict = predict,
        .choose = choose,
    };
}

}  // namespace engine::algorithms::bcast_split_binary_tree
