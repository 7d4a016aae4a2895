// SPDX-License-Identifier: BSD-3-Clause
// A message of a replay while it is under way.
#pragma once

#include "engine/run.hpp"

#include <cstdint>

namespace emulation {

struct ReplayLetter {
    static constexpr std::int32_t nobody = -1;

    engine::MessageRecord record;
    engine::Picoseconds cost{};
    std::int32_t collective = nobody;     ///< that it is of
    std::int32_t awaitsSend = nobody;     ///< the strand that waits until it has left
    std::int32_t awaitsReceive = nobody;  ///< likewise until it is there
    std::uint32_t order = 0;              ///< of messages whose sends begin together
    std::int32_t place = 0;               ///< among the sends of its rank, where links are shared fairly
    bool sendPosted = false;
    bool receivePosted = false;
    bool arrived = false;  ///< its last byte has come; where ports take messages byte by byte
    bool left = false;     ///< it is known when the send ends
    bool there = false;    ///< it is known when the receive ends
};

}  // namespace emulation
