// SPDX-License-Identifier: BSD-3-Clause
// Bytes of one group dealt out evenly to another: who sends which piece to whom, and in which round.
//
// The senders' contributions lie end to end, K bytes; receiver t gets the t-th of q balanced ranges of them, which cuts
// contributions at the ranges' ends. Sizes 3 5 2 9 4 7 (K = 30) for two receivers:
//
//   senders     |0  |1    |2 |3        |4   |5      |
//   receivers   |0              |1              |
//   pieces      0>0 1>0   2>0  3>0 3>1  4>1  5>1            7 pieces: at most p + q - 1
//
// A sender whose contribution is cut has several targets. Rounds follow from the order of the pieces at both ends: a
// piece comes one round after the later of the pieces before it at its sender and at its receiver.
#pragma once

#include "engine/base/types.hpp"
#include "engine/problem/block_layout.hpp"

#include <cstdint>
#include <vector>

namespace engine::stages {

/// What one message of the exchange carries. Sender and receiver are counted within their groups.
struct Cut {
    std::int32_t sender = 0;
    std::int32_t receiver = 0;
    Range bytes;
    std::int32_t round = 0;
};

/// In which order the two ends of the exchange take their pieces.
enum class CutOrder : std::uint8_t {
    /// Senders in rising order of receivers. A receiver first takes the piece of the sender that goes on to the next
    /// range, then those of senders that serve it alone, last the one of the sender that began in an earlier range.
    paper,
    /// Rising order at both ends: every piece waits for the one before it on the line.
    rank,
    /// Senders in rising order of receivers; a receiver takes whoever is ready (the lowest first) if messages take time
    /// in proportion to their bytes.
    greedy,
};

/// The exchange of one direction: answers what a rank sends and receives in a round, in O(log pieces).
class IntergroupPieces {
public:
    /// Contributions first, first+1, ... (senders of them) of `layout` for `receivers` ranks.
    IntergroupPieces(const Layout& layout, std::int32_t first, std::int32_t senders, std::int32_t receivers,
                     CutOrder order);

    [[nodiscard]] std::int64_t rounds() const { return rounds_; }
    /// All pieces in the order of the line; none is empty.
    [[nodiscard]] const std::vector<Cut>& pieces() const { return pieces_; }
    /// The piece that `sender` sends in `round`, or nullptr.
    [[nodiscard]] const Cut* sentBy(std::int32_t sender, Round round) const;
    /// The piece that `receiver` gets in `round`, or nullptr.
    [[nodiscard]] const Cut* receivedBy(std::int32_t receiver, Round round) const;

private:
    std::vector<Cut> pieces_;
    std::vector<std::int32_t> bySender_;    // indices of pieces by (sender, round)
    std::vector<std::int32_t> byReceiver_;  // indices of pieces by (receiver, round)
    std::int64_t rounds_ = 0;
};

}  // namespace engine::stages
