// SPDX-License-Identifier: BSD-3-Clause
// Why ranks stood still, added up: for every rank how long it waited, and how long it made others wait.
#pragma once

#include "engine/executor.hpp"
#include "engine/run.hpp"
#include "traces/grouped.hpp"

#include <vector>

namespace app::analysis {

/// Kept messages by index, rank by rank in the order of rounds: those that a rank sends, and those it receives.
struct RankMessages {
    traces::Grouped sent;
    traces::Grouped received;
};

/// Why ranks stood still before their last message ended. The partner of the message that ends a wait was late.
struct Waits {
    std::vector<engine::Picoseconds> forSender;    ///< per rank: waited for somebody to send
    std::vector<engine::Picoseconds> forReceiver;  ///< per rank: waited for somebody to receive
    std::vector<engine::Picoseconds> caused;       ///< per rank: made others wait
};

/// Of the kept messages of `run`, which `ends` has by rank. Throws Cancelled.
Waits waitsOf(const engine::Run& run, const RankMessages& ends, const engine::Progress& progress = {});

}  // namespace app::analysis
