// SPDX-License-Identifier: BSD-3-Clause
// What of a recording answers look at: what was asked for, as far as there is room for it.
#pragma once

#include "app/analysis/selection/message_subset.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "traces/recording/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace app::analysis {

/// How much of a selection answers look at: the messages that were sent first, the collectives that began first.
struct AnswerRoom {
    static constexpr std::size_t mostMessages = 30'000'000;
    static constexpr std::size_t mostParts = 200'000'000;

    std::size_t messages = mostMessages;
    std::size_t parts = mostParts;  ///< of ranks in collectives

    friend bool operator==(const AnswerRoom&, const AnswerRoom&) = default;
};

/// What is asked for, by what it holds of each message and of each rank's part in a collective, in bytes beside the
/// recording. Measured with messages within calls of MPI, and with collectives of eight ranks.
struct AnswerSize {
    std::uint64_t message = 0;
    std::uint64_t part = 0;
};
inline constexpr AnswerSize sizeOfPage{.message = 210, .part = 150};
inline constexpr AnswerSize sizeOfTables{.message = 380, .part = 320};

/// As much as answers can look at within half of `memory` bytes, half of that for collectives as far as there are
/// `parts` of ranks in them; but never fewer than 100,000 of each.
AnswerRoom roomWithin(std::uint64_t memory, std::size_t parts, AnswerSize each = sizeOfTables);

/// What is looked at: a part, on some communicators.
struct Selection {
    Part part;                                ///< ranks are places in the world
    std::vector<std::int32_t> communicators;  ///< indices into Recording::communicators; empty: all
    AnswerRoom most{};

    [[nodiscard]] bool has(std::int32_t communicator) const;
    /// Whether it has the message at place `i`.
    [[nodiscard]] bool has(const traces::Messages& messages, std::size_t i) const;
};

/// The selected messages, rank by rank in the order of sending.
ChosenMessages selectedMessages(const traces::Recording& recording, const Selection& selection);

/// Until when all messages and collectives of the selection are looked at: the start of the first one for which there
/// is no room, but some time after the selection's begin; nothing where there is room for all.
std::optional<engine::Picoseconds> endOfRoom(const traces::Recording& recording, const Selection& selection);

/// The collectives of the selection, as far as they are looked at: places among the recording's, rising.
std::vector<std::uint32_t> selectedCollectives(const traces::Recording& recording, const Selection& selection);

/// From when the first rank was in it until the last one was out.
traces::TimeSpan spanOf(std::span<const traces::Participant> parts);

}  // namespace app::analysis
