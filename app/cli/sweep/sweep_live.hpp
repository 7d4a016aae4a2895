// SPDX-License-Identifier: BSD-3-Clause
// The points of a sweep measured over MPI, beside their virtual time.
#pragma once

#include "app/cli/output/console.hpp"
#include "app/cli/sweep/sweep_table.hpp"
#include "app/session/options/run_options.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app::cli {

/// How points are measured: what of a Specification speaks of processes.
struct LiveWish {
    Specification how;
    std::string words;  ///< as flags: "--on mpi --repeat 5 --lab"
};

/// Whether the field is one of those that a sweep takes of processes.
bool isOfProcesses(const fields::Entry& entry);

/// Takes what speaks of processes out of `arguments`, so that its points are of virtual time; nothing without --on mpi.
/// Throws Error, also for what says nothing without it.
std::optional<LiveWish> takeLive(Arguments& arguments);

/// Throws Error where processes cannot be started.
void requireLive(const Console& console);

/// Where grants are left to the program: one decision for all points, so that no line changes its method midway.
/// Messages are granted where that adds little at every point.
void decideGrants(const std::vector<Point>& points, LiveWish& live);

/// Has the coordinates of `points` say how they are measured.
void sayHowMeasured(std::vector<Point>& points, const LiveWish& live);

/// The run of the point that is measured: what speaks of virtual time alone is left out. Throws Error.
Specification liveRun(const Point& point, const LiveWish& live);

/// Measures each of `points` after `results`, what they come to in virtual time, one after the other, and tells `add`
/// of each as it is done. A run that was refused stays so; what goes wrong with one point is kept with it. Throws
/// Error with what goes wrong before anything was measured, Cancelled.
void measureAll(const std::vector<Point>& points, std::vector<SweepResult> results, const LiveWish& live,
                const Console& console, const engine::Progress& progress,
                const std::function<void(std::size_t point, SweepResult result)>& add);

/// "Measured over MPI: 0.98 to 1.12 times as long as in virtual time; 3 of 4 points within 10%." Empty where nothing
/// was measured.
std::string measuredWords(const std::vector<SweepRow>& rows, std::string_view how = "over MPI");

}  // namespace app::cli
