// SPDX-License-Identifier: BSD-3-Clause
// The critical path: the chain of messages, and of time between them, that decided when the run ended. Shortening
// anything else does not help.
#pragma once

#include "engine/run.hpp"

#include <vector>

namespace app::analysis {

/// One piece of the path; the next one begins where it ends.
struct PathStep {
    bool isMessage = false;  ///< else time a rank let pass between two messages: computing, or late for its turn
    engine::Rank rank;       ///< who let it pass; of a message the sender
    engine::Rank to;         ///< of a message the receiver; else the rank itself
    engine::Round round;
    engine::Bytes bytes = 0;
    engine::Picoseconds begin{};
    engine::Picoseconds end{};

    friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// From time 0 to the end of the run, without holes: the steps add up to run.duration. Empty for a run without kept
/// messages.
std::vector<PathStep> criticalPath(const engine::Run& run);

/// What the path consists of.
struct PathTotals {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Picoseconds moving{};   ///< in messages
    engine::Picoseconds between{};  ///< between them
};
PathTotals totalsOf(const std::vector<PathStep>& path);

}  // namespace app::analysis
