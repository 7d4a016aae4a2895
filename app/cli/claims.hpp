// SPDX-License-Identifier: BSD-3-Clause
// What the papers say can be gained, as runs that anybody can repeat.
#pragma once

#include <span>
#include <string_view>

namespace app::cli {

/// A gain that a paper reports, and the two runs behind it.
struct Claim {
    std::string_view paper;  ///< "hasanov2014"
    std::string_view place;  ///< where in the paper, and of what
    std::string_view print;  ///< what the paper reports
    double expected;         ///< what its own model gives, worked out apart from this program
    std::string_view slow;   ///< words behind `collscope run`
    std::string_view fast;
};

/// In the order of the papers.
std::span<const Claim> claims();

/// Runs both in virtual time: the slow run's time over that of the fast one.
double gainOf(const Claim& claim);

/// Whether the gain is the expected one to 1 %.
bool holds(const Claim& claim, double gain);

}  // namespace app::cli
