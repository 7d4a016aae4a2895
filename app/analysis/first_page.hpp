// SPDX-License-Identifier: BSD-3-Clause
// A trace in sentences: what its collectives did, how far from the bounds and why, what would have been faster.
#pragma once

#include "app/analysis/inquiry.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// How the sentence begins that says what was not recorded; it stands last.
inline constexpr std::string_view notRecordedHeading = "Not recorded, or to be known";

/// Whether the inquiry is asked anything else after its first page: else that may give up what it no longer needs.
enum class Afterwards : std::uint8_t { asked, over };

/// What the trace says, in a few sentences, the most important first.
std::vector<std::string> firstPage(Inquiry& inquiry, Afterwards afterwards = Afterwards::asked);

}  // namespace app::analysis
