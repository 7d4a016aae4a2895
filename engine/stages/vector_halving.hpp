// SPDX-License-Identifier: BSD-3-Clause
// Members of a power of two that combine a vector by halves, nearest first, and bring the blocks together again.
//
// Four members; in round t (from 0) of the halving those that differ in bit t only swap halves of what they work on:
//
//   round   members   0 keeps   1 keeps   2 keeps   3 keeps
//     1     m xor 1   b0 b1     b2 b3     b0 b1     b2 b3     of two members each
//     2     m xor 2   b0        b2        b1        b3        of all four
//
// so that member m ends with block number (bits of m in reverse). Results are of consecutive members at any time, so
// the order is kept. Source: Rabenseifner 2004; Thakur, Rabenseifner, Gropp 2005, section 7.
#pragma once

#include "engine/problem/block_layout.hpp"
#include "engine/schedule/rounds.hpp"
#include "engine/schedule/schedule.hpp"
#include "engine/stages/binomial.hpp"
#include "engine/stages/partial_results.hpp"
#include "engine/stages/recursive_doubling.hpp"
#include "engine/stages/reduce_scatter.hpp"

namespace engine::stages {

/// What member m works on after `rounds` rounds of halving.
inline Range halvedRun(const VectorCut& blocks, std::int32_t m, std::int64_t rounds) {
    std::int32_t first = 0;
    for (std::int64_t bit = 0; bit < rounds; ++bit)
        if ((m >> bit & 1) != 0) first += blocks.count() >> (bit + 1);
    return blocks.blocks(first, blocks.count() >> rounds);
}

/// Everyone has a vector of as many blocks as there are members; in the end each has one block of the result: the way
/// back to all members (stages/recursive_doubling.hpp) backwards. log2 n rounds, all but one block in a row.
inline auto vectorHalving(const VectorCut& blocks) { return reduceScatterOf(FarDoublingAllgather{sharesOf(blocks)}); }

/// The way back to one member: those farthest from it come first, each with all that it has.
class HalvesGather : public ByRound<HalvesGather> {
public:
    HalvesGather(const VectorCut& blocks, std::int32_t root) : blocks_{blocks}, root_{root} {}

    [[nodiscard]] std::int64_t rounds() const { return ceilLog2(blocks_.count()); }

    template <class Use>
    void prepare(Round round, const Use& use) const {
        use([bit = rounds() - 1 - round.value, root = root_, blocks = blocks_](Rank member, auto& out) {
            const std::int32_t apart = (member.value ^ root) >> bit;
            const Rank peer{member.value ^ (std::int32_t{1} << bit)};
            if (apart == 1) out.sendPartial(peer, 0, AsSpan{halvedRun(blocks, member.value, bit + 1)});
            if (apart == 0) out.receivePartial(peer, 1, Action::keep, AsSpan{halvedRun(blocks, peer.value, bit + 1)});
        });
    }

private:
    VectorCut blocks_;
    std::int32_t root_;
};

}  // namespace engine::stages
