// SPDX-License-Identifier: BSD-3-Clause
// The search for a schedule that is better than a run, as `run` and `describe` write it.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"
#include "app/cli/output/json.hpp"
#include "app/session/synthesis/better_schedule.hpp"

#include <chrono>
#include <optional>

namespace app::cli {

/// The time of --search; nothing without that flag. To be read before the run, which may take long.
std::optional<std::chrono::milliseconds> timeOfSearch(const Arguments& arguments);

/// Searches for that time; nothing without one.
std::optional<Better> searchedFor(std::optional<std::chrono::milliseconds> time, const Report& report,
                                  const ProblemWish& problem, const Console& console);

Json betterJson(const Better& better);

/// A sentence for each answer, and the command that writes a schedule that was found.
void writeBetter(const Better& better, const Console& console);

}  // namespace app::cli
