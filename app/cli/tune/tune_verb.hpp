// SPDX-License-Identifier: BSD-3-Clause
// Files that choose the algorithms of MPI libraries: measured, checked, explained and converted.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"
#include "engine/live/records/collective_records.hpp"

namespace app::cli {

int tune(const Arguments& arguments, const Console& console);
/// tune COLLECTIVE,...
int measureRules(const Arguments& arguments, const Console& console);
/// tune map FILE.measured
int drawTuningMap(const Arguments& arguments, const Console& console);
/// tune placement TRACE
int placeRanks(const Arguments& arguments, const Console& console);

/// The blocking collective of that name. Throws Error.
engine::live::Called calledOf(const std::string& word);

}  // namespace app::cli
