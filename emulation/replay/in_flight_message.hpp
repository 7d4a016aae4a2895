// SPDX-License-Identifier: BSD-3-Clause
// A message of a replay while it is in flight.
#pragma once

#include "engine/run/run.hpp"

#include <cstdint>

namespace emulation {

struct ReceiverQueue;

struct InFlightMessage {
    static constexpr std::int32_t nobody = -1;

    engine::MessageRecord record;
    engine::Picoseconds cost{};
    engine::Picoseconds startup{};        ///< beside that, under LogGP
    ReceiverQueue* queue = nullptr;       ///< of a collective's to its receiver, under LogGP
    std::int32_t collective = nobody;     ///< that it is of
    std::int32_t awaitsSend = nobody;     ///< the process that waits until it has left
    std::int32_t awaitsReceive = nobody;  ///< likewise until it is there
    std::uint32_t order = 0;              ///< of messages whose sends begin together
    /// Among the sends of its turn; where links are shared fairly, of its rank.
    std::int32_t place = 0;
    std::uint32_t before = 0;  ///< messages of earlier rounds that the queue awaits
    std::uint32_t taken = 0;   ///< that the in-port had taken before; under LogGP, when it has arrived
    bool synchronous = false;  ///< a rendezvous, whatever its bytes
    bool sendPosted = false;
    bool receivePosted = false;
    bool wanted = false;  ///< under LogGP: its receiver works on it when it is there
    bool arrived =
        false;           ///< where ports take messages byte by byte: its last byte has come; under LogGP: a port has it
    bool left = false;   ///< it is known when the send ends
    bool there = false;  ///< it is known when the receive ends
};

}  // namespace emulation
