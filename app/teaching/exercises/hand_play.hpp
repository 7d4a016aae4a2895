// SPDX-License-Identifier: BSD-3-Clause
// A game for teaching: somebody plays the messages of a schedule round by round, and the search reports after each
// round whether the optimum can still be reached.
#pragma once

#include "app/teaching/exercises/puzzle.hpp"

#include <string>
#include <vector>

namespace app {

class HandPlay {
public:
    explicit HandPlay(Puzzle puzzle) : puzzle_{std::move(puzzle)} {}

    [[nodiscard]] const Puzzle& puzzle() const { return puzzle_; }
    /// Rounds that are over.
    [[nodiscard]] std::int32_t played() const { return played_; }
    /// All messages, one for each block; a step is a round.
    [[nodiscard]] const std::vector<engine::synthesis::Send>& moves() const { return moves_; }
    /// Those of the present round.
    [[nodiscard]] std::vector<engine::synthesis::Send> present() const;
    /// Whether the rank holds the block before the present round.
    [[nodiscard]] bool holds(std::int32_t rank, std::int32_t block) const;
    /// Blocks that the sender holds and the receiver neither holds nor receives in this round.
    [[nodiscard]] std::vector<std::int32_t> blocksFor(std::int32_t from, std::int32_t to) const;
    /// All ranks hold what they need.
    [[nodiscard]] bool isOver() const;

    /// Sends a block in the present round. Throws Error, in one sentence, for a message that cannot be sent.
    void send(std::int32_t from, std::int32_t to, std::int32_t block);
    /// Throws Error where the round has no message.
    void endRound();
    /// Takes back the last message of the round; where it has none, the end of the round before.
    void undo();
    void restart();
    [[nodiscard]] bool isBegun() const { return !moves_.empty(); }

    /// How many rounds are lost and needed after the rounds that are over. Rounds that were decided before are not
    /// searched again. Throws Cancelled.
    void judge(std::chrono::milliseconds time, const engine::Progress& progress = {});
    /// What judge() found, in one to three sentences; empty before.
    [[nodiscard]] std::string verdict() const;
    /// Takes over what another copy has found about the same rounds.
    void learnFrom(const HandPlay& other);

    /// The messages so far as an algorithm file.
    [[nodiscard]] std::string schedule() const;

private:
    [[nodiscard]] std::size_t chunkOf(std::int32_t block) const;
    /// The last rounds that took too long are searched again.
    void forgetUndecided();

    Puzzle puzzle_;
    std::vector<engine::synthesis::Send> moves_;
    std::int32_t played_ = 0;
    std::vector<engine::synthesis::RemainingRounds> remaining_;  ///< [rounds that are over], as far as they are known
};

}  // namespace app
