// SPDX-License-Identifier: BSD-3-Clause
// How fast virtual time is on this machine, and how fast SimGrid is where it is installed.
#pragma once

#include "engine/run/executor.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// One thing to time. Numbers are those of the whole case and of the shorter one for `quick`.
struct SpeedCase {
    std::string name{};     ///< a few words
    std::string command{};  ///< the run it times, as the command line takes it
    std::string goal{};     ///< what it must reach, in words
    double seconds = 0;     ///< it must not need more CPU time; 0 = not asked
    double rate = 0;        ///< it must do as many messages per CPU second; 0 = not asked
    double mebibytes = 0;   ///< it must not need more memory; 0 = not asked
    double gain = 0;        ///< two threads must be as many times as fast as one; 0 = not asked
    bool whole = false;     ///< goals in seconds hold: nothing was shortened
};

/// What another simulator needed for the same schedule on the same network.
struct PeerSpeed {
    double cpuSeconds = 0;       ///< of the whole process
    engine::Picoseconds time{};  ///< its virtual time
};

struct Speed {
    SpeedCase what;
    std::int64_t messages = 0;
    double cpuSeconds = 0;
    std::optional<double> mebibytes;  ///< most memory the process had; nothing where the system does not say
    engine::Picoseconds time{};       ///< virtual
    std::optional<double> gain{};     ///< how many times as fast two threads were, by the clock on the wall
    std::optional<PeerSpeed> simgrid;

    [[nodiscard]] double rate() const { return cpuSeconds > 0 ? static_cast<double>(messages) / cpuSeconds : 0; }
    /// Whether all goals are reached.
    [[nodiscard]] bool reached() const;
};

enum class Length : std::uint8_t { whole, quick };

/// Times every case, one after the other. `quick`: shorter ones, some seconds in all. Throws Cancelled.
std::vector<Speed> measureSpeed(Length length, const engine::Progress& progress = {});

}  // namespace app
