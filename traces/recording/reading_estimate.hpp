// SPDX-License-Identifier: BSD-3-Clause
// What reading a trace will take, as far as its definitions and the sizes of its files tell.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

namespace traces {

struct Expected {
    std::uint64_t events = 0;                     ///< as the archive announces them; it may not know
    std::uint64_t eventBytes = 0;                 ///< of its files of events
    std::uint64_t memory = 0;                     ///< bytes at the most, a guess
    double coreSeconds = 0;                       ///< of one core, likewise
    int cores = std::numeric_limits<int>::max();  ///< that can work on it at once
    bool inFiles = true;                          ///< what exceeds the budget of memory is kept in files
};

/// Reported before the first event is read, unless there is an index.
using TellExpected = std::function<void(const Expected& expected)>;

}  // namespace traces
