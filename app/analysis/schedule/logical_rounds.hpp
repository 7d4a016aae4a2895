// SPDX-License-Identifier: BSD-3-Clause
// Rounds of messages: as recorded, or recovered from the order in which each rank sent and received (logical time).
//
// The round of a message is the longest chain of messages that had to come before it:
//   sent after another one of the same rank was done         one round later
//   received after another one of the same rank was done     one round later
//   sent after its rank had received another one             one round later
// Messages that a rank had in flight at once share a round, as does what it sends and receives side by side.
#pragma once

#include "engine/run/run.hpp"
#include "traces/recording/recorded_rank_times.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace app::analysis {

/// The logical round of every message of `run`, by its index. Orders that contradict each other, as clocks that are
/// apart make them, are broken at the message that was sent first.
std::vector<engine::Round> logicalRounds(const engine::Run& run);

/// The same run with logical rounds instead of its own.
engine::Run inLogicalRounds(const engine::Run& run);

/// Messages in their rounds.
struct InRounds {
    std::vector<engine::Round> rounds;  ///< by message
    std::vector<std::uint32_t> order;   ///< messages by round, then by sender

    [[nodiscard]] std::int64_t count() const { return order.empty() ? 0 : rounds[order.back()].value + 1; }
};

/// The messages with these ends, put into logical rounds.
InRounds inLogicalRounds(const traces::BusyEnds& ends, std::int32_t ranks);

/// The same of one algorithm, which ranks that send and receive in the same order run alike: what a rank had received
/// before it sent comes before that only if it does on all of these. A rank that enters late finds more there than what
/// it needs.
InRounds inRoundsOfOneAlgorithm(const traces::BusyEnds& ends, std::int32_t ranks);

/// Adds messages to `run`, of which all but messages and what follows from them is there. `push(i, round)` adds message
/// i to run.messages.
void addInRounds(engine::Run& run, const InRounds& messages,
                 const std::function<void(std::uint32_t, engine::Round)>& push);

/// In how many rounds a rank could send and receive all its messages, at most one of each in a round, those of a later
/// round of `run` after all of its messages of earlier ones: at least what a lower bound of rounds with one port says.
/// Each message takes the first round that is free at both ends.
std::int64_t roundsOfOnePort(const engine::Run& run);

/// One round as people want to know it.
struct RoundRow {
    engine::Round round;
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Bytes largest = 0;
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    /// Of the time of all ranks between begin and end, how much no message of it filled; nothing where not all of them
    /// were kept.
    std::optional<double> idleShare{};

    friend bool operator==(const RoundRow&, const RoundRow&) = default;
};

/// Every round of `run` that has messages.
std::vector<RoundRow> rounds(const engine::Run& run);

}  // namespace app::analysis
