// SPDX-License-Identifier: BSD-3-Clause
// What a recorded program asks of its MPI library: its collectives by call, ranks and bytes.
#pragma once

#include "app/analysis/findings/trace.hpp"
#include "app/session/tune/installed.hpp"
#include "app/session/tune/measurements.hpp"

namespace app::tune {

struct ProgramCases {
    std::vector<Cell> cells{};           ///< without candidates; those that took the program the longest first
    std::int64_t calls = 0;              ///< of them
    std::vector<std::string> remarks{};  ///< which collectives are left out, and why
};

/// The blocking collectives within one group whose algorithms `installed` can choose. The arrivals of a cell are the
/// means over its calls, rotated so that rank 0 is the root. Throws Error where there are none.
ProgramCases casesOf(const analysis::Trace& trace, const Installed& installed);

}  // namespace app::tune
