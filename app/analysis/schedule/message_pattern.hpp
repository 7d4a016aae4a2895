// SPDX-License-Identifier: BSD-3-Clause
// What messages make up together: a shift, an exchange, a tree, all to all.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace app::analysis {

/// Who sends to whom; how often does not matter.
struct Ends {
    engine::Rank from;
    engine::Rank to;

    friend auto operator<=>(const Ends&, const Ends&) = default;
};

enum class PatternKind : std::uint8_t {
    none,      ///< none of them all
    shift,     ///< everybody sends to the rank that is the same number of ranks away
    exchange,  ///< whoever sends to somebody receives from that one, too
    tree,      ///< down from one rank or up to it, along one edge for each of the others
    allToAll   ///< everybody sends to everybody
};

struct MessagePattern {
    PatternKind kind = PatternKind::none;
    std::int32_t ranks = 0;  ///< that send or receive
    /// Of a shift how many ranks further, below 0 how many back; of an exchange the partners that a rank has at most.
    std::int32_t by = 0;
    std::int32_t pairs = 0;  ///< of a sender and a receiver
    bool isStar = false;     ///< of a tree: one rank sends all of its messages, or receives them

    friend bool operator==(const MessagePattern&, const MessagePattern&) = default;
};

/// Of messages among `ranks` ranks, at least three of which take part, or two that exchange. No message may fall out of
/// the pattern; those to oneself count for nothing. Where several fit, the one that says most: all to all, an exchange,
/// a shift, a tree.
MessagePattern patternOf(std::vector<Ends> messages, std::int32_t ranks);

/// "a shift by 1 among 8 ranks", "an all-to-all exchange among 3 ranks"; empty of none.
std::string inWords(const MessagePattern& pattern);

}  // namespace app::analysis
