// SPDX-License-Identifier: BSD-3-Clause
// A trace in sentences: what its collectives did, how far from the bounds and why, what would have been faster.
#pragma once

#include "app/analysis/inquiry.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// What the trace says, in a few sentences, the most important first.
std::vector<std::string> firstPage(Inquiry& inquiry);

}  // namespace app::analysis
