// SPDX-License-Identifier: BSD-3-Clause
// The critical path: the chain of messages, of collectives, and of time between them, that decided when the run ended.
// Shortening anything else does not help.
//
// It goes back from the end. Where a rank had waited it goes over to the rank that was late, at the moment at which
// that one came: whoever waited is not on it while waiting.
#pragma once

#include "app/analysis/messages/message_ends.hpp"
#include "app/analysis/wait_states/blocking_calls.hpp"
#include "engine/run/run.hpp"

#include <vector>

namespace app::analysis {

/// One piece of the path; the next one begins where it ends.
struct PathStep {
    bool isMessage = false;  ///< else a collective, or time in which the rank computes or is not ready
    engine::Rank rank{};     ///< on the path; of a message the sender; of a collective the one that leaves it then
    engine::Rank to{};       ///< of a message the receiver; else the rank itself
    engine::Round round{};
    engine::Bytes bytes = 0;
    engine::Picoseconds begin{};
    engine::Picoseconds end{};

    std::uint32_t instance = Wait::none;  ///< of a recorded collective: which one
    ThreadNumber thread = 0;              ///< of `rank`
    bool isAfterLock = false;             ///< the rank takes over a lock for which it had waited

    friend bool operator==(const PathStep&, const PathStep&) = default;
};

/// From time 0 to the end of the run, without holes: the steps add up to run.duration. Empty for a run without kept
/// messages.
std::vector<PathStep> criticalPath(const engine::Run& run);

/// The chain that decided when one message arrived: from time 0 to the end of its receiving, likewise.
std::vector<PathStep> criticalPath(const engine::Run& run, std::uint32_t message);

/// A path with its messages.
struct Chain {
    std::vector<PathStep> steps;
    std::vector<std::uint32_t> messages;  ///< of the steps that are one, by index into Run::messages
};

/// Chains to one message after another: what all of them need is found once. `run` must outlive it.
class Chains {
public:
    explicit Chains(const engine::Run& run);

    /// The chain that decided when a message arrived; of a longer one the last `most` messages.
    [[nodiscard]] Chain to(std::uint32_t message, std::size_t most);
    /// The message that a rank is in at `time`, else the next one it has; nothing after its last one.
    [[nodiscard]] std::optional<std::uint32_t> ofRank(engine::Rank rank, engine::Picoseconds time);

private:
    const engine::Run& run_;
    OverEnds over_;
    std::vector<engine::Picoseconds> arrived_;
    std::vector<bool> seen_;  // none between two calls
};

/// The same of another tool's recording, through the calls in which its ranks waited, or would have had to. It ends
/// with the rank that was the last one to do something of its own: leaving the program is waiting for the others. From
/// the end of `within` back to its start. Where a thread had waited for another one of its rank it goes over to that
/// one.
std::vector<PathStep> criticalPath(const traces::Recording& recording, const std::vector<BlockingCall>& calls,
                                   traces::TimeSpan within);

/// What the path consists of.
struct PathTotals {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Picoseconds moving{};   ///< in messages
    engine::Picoseconds between{};  ///< between the messages
};
PathTotals totalsOf(const std::vector<PathStep>& path);

}  // namespace app::analysis
