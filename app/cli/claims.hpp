// SPDX-License-Identifier: BSD-3-Clause
// What the papers say can be gained, as runs that anybody can repeat.
#pragma once

#include <optional>
#include <span>
#include <string>
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
    /// Whether `expected` has the paper's equation (2) above the line, with its 2 p kA + 2 q kB, not the slow run.
    bool byEquation = false;
};

/// In the order of the papers.
std::span<const Claim> claims();

/// What came out for one claim.
struct Gain {
    double runs = 0;                 ///< time of the slow run over that of the fast one
    std::optional<double> equation;  ///< the equation over the fast run

    /// The number that is to be held against Claim::expected.
    [[nodiscard]] double compared() const { return equation.value_or(runs); }
};

/// Runs both in virtual time.
Gain gainOf(const Claim& claim);

/// Whether the gain is the expected one to 1 %, or to 3 % where an equation leaves out that ranks wait.
bool holds(const Claim& claim, const Gain& gain);

}  // namespace app::cli
