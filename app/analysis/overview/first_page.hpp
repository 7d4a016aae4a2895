// SPDX-License-Identifier: BSD-3-Clause
// A trace in sentences: which rank waited for which, and where in the program that came from, the costliest cause
// first; what its collectives did, how far from the bounds and why, what would have been faster.
#pragma once

#include "app/analysis/findings/inquiry.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace app::analysis {

/// Whether the inquiry is asked anything else after its first page: else that may give up what it no longer needs.
enum class Afterwards : std::uint8_t { asked, over };

/// What the trace says, in at most eight paragraphs and those on what is wrong with the program, the most important
/// first.
std::vector<std::string> firstPage(Inquiry& inquiry, Afterwards afterwards = Afterwards::asked);

}  // namespace app::analysis
