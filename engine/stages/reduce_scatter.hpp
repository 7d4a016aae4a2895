// SPDX-License-Identifier: BSD-3-Clause
// Ways for members 0..n-1 to combine a vector so that member i ends with block i of the result.
#pragma once

#include "engine/problem/block_layout.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/member_shares.hpp"
#include "engine/stages/partial_results.hpp"

namespace engine::stages {

/// Blocks go round a ring and grow: in round t (from 0) member m sends block m - 1 - t to m + 1. Four members:
///
///   round   0 sends   1 sends   2 sends   3 sends
///     1     b3        b0        b1        b2
///     2     b2        b3        b0        b1
///     3     b1        b2        b3        b0
///
/// n - 1 rounds of one block; neighbours on a ring only. Correct because block b leaves b + 1 with its vector alone,
/// and is complete when it comes to b. It combines b + 1, b + 2, ..., b, going round: commutative operations only.
class RingReduceScatter : public ByRound<RingReduceScatter> {
public:
    explicit RingReduceScatter(const VectorCut& blocks) : blocks_{blocks} {}

    [[nodiscard]] std::int64_t rounds() const { return blocks_.count() - 1; }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        const auto t = static_cast<std::int32_t>(round.value);
        use([n = blocks_.count(), t, blocks = blocks_](Rank member, auto& out) {
            const std::int32_t m = member.value;
            const auto around = [n](std::int32_t i) { return (i % n + n) % n; };
            out.sendPartial(Rank{around(m + 1)}, 0, AsSpan{blocks[around(m - 1 - t)]});
            out.receivePartial(Rank{around(m - 1)}, 1, Action::prepend, AsSpan{blocks[around(m - 2 - t)]});
        });
    }

private:
    VectorCut blocks_;
};

/// `allgather`, a kernel that hands every member every block of a vector once, run backwards: it combines the blocks on
/// their members, in the order of the members' numbers where each message brings neighbours of what it meets.
template <class Allgather>
auto reduceScatterOf(Allgather allgather) {
    const std::int64_t rounds = allgather.rounds();
    return ReversedBroadcast{std::move(allgather), rounds, Backwards{.whole = false, .action = std::nullopt}};
}

/// Where the blocks of a vector begin.
struct CutStarts {
    VectorCut blocks;

    Bytes operator()(std::int32_t i) const { return blocks.start(i); }
};

/// The blocks of a vector as shares of members.
inline auto sharesOf(const VectorCut& blocks) { return EndToEnd{blocks.count(), CutStarts{blocks}}; }

/// Bytes of the longest run of `run` blocks among those that begin at each block and go round, or at each multiple of
/// `run`, a divisor of their number: on average it has run/p of the vector's units, and none differs by a whole unit.
inline Bytes longestRun(const Problem& problem, std::int64_t run) {
    const std::int64_t units = problem.layout.largest() / unitOf(problem);
    return (run * units + problem.ranks() - 1) / problem.ranks() * unitOf(problem);
}

}  // namespace engine::stages
