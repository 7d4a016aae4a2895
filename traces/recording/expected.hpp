// SPDX-License-Identifier: BSD-3-Clause
// What reading a trace will take, as far as its definitions and the sizes of its files tell.
#pragma once

#include <cstdint>
#include <functional>

namespace traces {

struct Expected {
    std::uint64_t events = 0;      ///< as the archive announces them; it may not know
    std::uint64_t eventBytes = 0;  ///< of its files of events

    /// Columns that stay, and what matching takes meanwhile: two and a half times the files, as measured with messages
    /// within calls.
    [[nodiscard]] std::uint64_t memory() const { return eventBytes / 2 * 5; }
    /// Of one core, as measured where 10^7 events took 0.7 s.
    [[nodiscard]] double coreSeconds() const { return static_cast<double>(eventBytes) * 5e-9; }
};

/// Reported before the first event is read, unless there is an index.
using TellExpected = std::function<void(const Expected& expected)>;

}  // namespace traces
