// SPDX-License-Identifier: BSD-3-Clause
// Which algorithms MPI libraries choose, and the files that choose them: measured, checked, explained and converted.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"

namespace app::cli {

int tune(const Arguments& arguments, const Console& console);
int library(const Arguments& arguments, const Console& console);
/// tune COLLECTIVE,...
int measureRules(const Arguments& arguments, const Console& console);
/// tune map FILE
int drawTuningMap(const Arguments& arguments, const Console& console);
/// tune placement TRACE
int placeRanks(const Arguments& arguments, const Console& console);

}  // namespace app::cli
