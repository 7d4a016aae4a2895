// SPDX-License-Identifier: BSD-3-Clause
// What a recorded program asks of its MPI library: its collectives by call, ranks and bytes.
#pragma once

#include "app/analysis/trace/trace.hpp"
#include "app/session/tune/installed.hpp"
#include "app/session/tune/measurements.hpp"

namespace app::tune {

struct ProgramCases {
    std::vector<Cell> cells{};           ///< without candidates; those that took the program the longest first
    std::vector<std::string> remarks{};  ///< which collectives are left out, and why
};

/// Longest time between the entries of two ranks that a measurement waits for.
inline constexpr std::int64_t mostGapOfArrivals = 20'000'000;  // nanoseconds
/// The first rank enters at 0, and longer gaps between a rank and the one after it are `mostGapOfArrivals`.
std::vector<std::int64_t> shortened(std::vector<std::int64_t> arrivals);

/// The blocking collectives within one group whose algorithms `installed` can choose. The arrivals of a cell are the
/// means over its calls, shortened and rotated so that rank 0 is the root. Throws Error where there are none.
ProgramCases casesOf(const analysis::Trace& trace, const Installed& installed);

}  // namespace app::tune
