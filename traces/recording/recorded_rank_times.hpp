// SPDX-License-Identifier: BSD-3-Clause
// How ranks spent their time, from when messages kept them busy.
#pragma once

#include "engine/run/run.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace traces {

/// Both ends of messages as columns, and what ranks did by themselves: message i keeps from[i] busy in [sendBegin[i],
/// sendEnd[i]), and to[i] likewise.
struct BusyEnds {
    std::span<const engine::Rank> from;
    std::span<const engine::Rank> to;
    std::span<const engine::Picoseconds> sendBegin;
    std::span<const engine::Picoseconds> sendEnd;
    std::span<const engine::Picoseconds> receiveBegin;
    std::span<const engine::Picoseconds> receiveEnd;
    std::span<const engine::LocalWork> work{};  ///< by rank, then time
};

BusyEnds endsOf(const engine::Messages& messages);

/// Times of one rank overlap in any way. Where each rank's ends are in the order of time, as in most traces, this takes
/// 8 bytes a message.
std::vector<engine::RankTimes> rankTimes(const BusyEnds& ends, std::int32_t ranks, engine::Picoseconds duration);

}  // namespace traces
