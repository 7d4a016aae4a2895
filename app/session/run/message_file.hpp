// SPDX-License-Identifier: BSD-3-Clause
// The messages of a run as a table that other programs read.
#pragma once

#include "engine/run/run.hpp"

#include <ostream>

namespace app {

/// One line per message; times in seconds, ranges as "begin-end" joined by spaces.
void writeMessagesCsv(const engine::Run& run, std::ostream& out);

}  // namespace app
