// SPDX-License-Identifier: BSD-3-Clause
// A ring reduce-scatter, then a ring allgather of the finished blocks: the least volume, neighbours only.
//
// Source: Patarasuk and Yuan 2009; in segments as Open MPI's segmented ring. p ranks, m bytes in p blocks, each cut
// into X segments; stages/reduce_scatter.hpp and stages/allgather.hpp have the worked tables. Rounds 2 X (p - 1), each
// alpha + beta m/(pX), half of them with gamma m/(pX). Segment s of all blocks is combined in rounds s (p - 1) and on,
// so that a rank works on one of them while others are still in flight elsewhere. Correct because the reduce-scatter
// leaves block r complete on rank r, and the ring hands it to all.
#include "engine/algorithm/algorithm.hpp"
#include "engine/schedule/kernel.hpp"
#include "engine/stages/allgather.hpp"
#include "engine/stages/member_mapping.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::algorithms::allreduce_ring {
namespace {

/// Segment s of every block, as blocks of their own.
class Segments {
public:
    Segments(const Problem& problem, std::int64_t segments)
        : fine_{problem.layout.largest(), unitOf(problem), problem.groupA * segments},
          count_{problem.groupA},
          segments_{segments} {}

    [[nodiscard]] std::int32_t count() const { return count_; }
    [[nodiscard]] Range block(std::int32_t index, std::int64_t segment) const {
        return fine_[index * segments_ + segment];
    }
    [[nodiscard]] Bytes largest() const { return fine_.largest(); }

private:
    VectorCut fine_;
    std::int32_t count_;
    std::int64_t segments_;
};

SchedulePtr plan(const Problem& problem, const Options& options) {
    const std::int32_t p = problem.groupA;
    const std::int64_t segments = options.number("segments");
    const Segments blocks{problem, segments};
    const auto around = [p](std::int64_t i) { return static_cast<std::int32_t>((i % p + p) % p); };
    const auto combine = [=](Rank rank, Round round, auto& out) {
        const std::int64_t segment = round.value / (p - 1);
        const std::int64_t t = round.value % (p - 1);
        const std::int32_t r = rank.value;
        out.sendPartial(Rank{around(r + 1)}, 0, stages::AsSpan{blocks.block(around(r - 1 - t), segment)});
        out.receivePartial(Rank{around(r - 1)}, 1, Action::prepend,
                           stages::AsSpan{blocks.block(around(r - 2 - t), segment)});
    };
    const auto spread = [=](Rank rank, Round round, auto& out) {
        const std::int64_t segment = round.value / (p - 1);
        const std::int64_t t = round.value % (p - 1);
        const std::int32_t r = rank.value;
        out.sendPartial(Rank{around(r + 1)}, 0, stages::AsSpan{blocks.block(around(r - t), segment)});
        out.receivePartial(Rank{around(r - 1)}, 1, Action::keep,
                           stages::AsSpan{blocks.block(around(r - 1 - t), segment)});
    };
    const std::int64_t rounds = segments * (p - 1);
    return then(Facts{.ranks = p, .pieces = true}, Part{"reduce-scatter", rounds, combine},
                Part{"allgather", rounds, spread});
}

std::optional<Cost> predict(const Problem& problem, const Options& options) {
    const std::int64_t segments = options.number("segments");
    const Bytes m = problem.layout.largest();
    if (m % (problem.groupA * segments * unitOf(problem)) != 0) return std::nullopt;
    const std::int64_t rounds = segments * (problem.groupA - 1);
    const Bytes each = m / (problem.groupA * segments);
    return Cost{.startups = 2 * rounds, .volume = 2 * rounds * each, .combined = rounds * each};
}

}  // namespace

Algorithm algorithm() {
    return {
        .id = "allreduce/ring",
        .collective = Collective::allreduce,
        .title = "Ring",
        .idea =
            "A ring reduce-scatter followed by a ring allgather: minimum volume and messages between neighbours only, but many startups.",
        .source = "Patarasuk and Yuan 2009",
        .formula = "2 X (p - 1)(alpha + beta m/(p X)) + (p - 1)/p gamma m",
        .letters = "p ranks, m bytes, X segments of each block",
        .knownAs = {{"Open MPI", "allreduce", "ring", 4},
                    {"Open MPI", "allreduce", "segmented_ring", 5},
                    {"MPICH", "allreduce", "ring"},
                    {"NCCL", "allreduce", "ring"}},
        .options = {{.name = "segments",
                     .kind = Option::Kind::integer,
                     .fallback = "1",
                     .meaning = "pieces that each block is cut into (X)",
                     .high = 1 << 20}},
        .plan = plan,
        .predict = predict,
    };
}

}  // namespace engine::algorithms::allreduce_ring
