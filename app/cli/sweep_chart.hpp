// SPDX-License-Identifier: BSD-3-Clause
// From the rows of a sweep to a chart of time over what varies.
#pragma once

#include "app/cli/sweep_table.hpp"
#include "app/session/chart.hpp"

namespace app::cli {

/// Time over the first number that varies: ranks, groups, sizes, roots, ports, then options. Rows that differ in
/// anything else make lines of their own, named by that. Refused rows are left out. Throws Error when no number varies.
Chart chartOf(const std::vector<SweepRow>& rows);

}  // namespace app::cli
