// SPDX-License-Identifier: BSD-3-Clause
// The messages of a split-phase run.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/by_id.hpp"
#include "engine/run/executor.hpp"

#include <vector>

namespace emulation {

/// A message: what it costs, and what it waits for at its receiver.
struct SplitMessage {
    engine::MessageRecord record;
    engine::Picoseconds cost{};
    std::size_t step = 0;  ///< of its receiver
};

/// What a rank does in a round.
struct SplitStep {
    engine::Round round{};
    std::size_t first = 0;  ///< of its messages, which follow each other
    std::size_t sends = 0;
    std::int64_t missing = 0;  ///< messages that it waits for
    engine::Bytes combined = 0;
    engine::Picoseconds began{};
    engine::Picoseconds complete{};  ///< all its messages are there and have been seen
    engine::Picoseconds ended{};     ///< all is combined
};

/// All messages of a schedule, in the order of rounds, senders and places, and what every rank does with them.
struct SplitMessages {
    std::vector<SplitMessage> all;
    engine::ById<Rank, std::vector<SplitStep>> steps;
    Congestion congestion;
};

/// Throws Error for more than 20 million messages, and when time runs out; Cancelled.
SplitMessages splitMessagesOf(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                              const engine::Progress& progress);

}  // namespace emulation
