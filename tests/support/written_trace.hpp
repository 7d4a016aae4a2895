// SPDX-License-Identifier: BSD-3-Clause
// Large traces as another program would record them, written by the OTF2 library event by event.
#pragma once

#include <cstdint>
#include <filesystem>

namespace support {

enum class Pattern : std::uint8_t {
    /// In every round each rank sends to the next one and receives from the one before, in one call; a barrier every 64
    /// rounds: 65 events in 16 rounds.
    ring,
    /// In every round each rank has one call, in which it sends to both neighbours, to the one before under two tags
    /// that its receives name in the other order, and a message that nobody receives; then a barrier: 13 events.
    mixed,
    /// In every round all ranks take part in one reduction of 64 bytes: 4 events.
    reductions
};

constexpr std::uint32_t writtenRanks = 8;

/// Writes `folder`/traces.otf2 of some `events` events over all ranks, one nanosecond a tick. Every run of the program
/// writes the same bytes. Throws Error when nothing can be written there.
void writeTrace(const std::filesystem::path& folder, Pattern pattern, std::uint64_t events);

}  // namespace support
