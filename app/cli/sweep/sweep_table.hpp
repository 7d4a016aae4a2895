// SPDX-License-Identifier: BSD-3-Clause
// What a sweep found, as the files that keep it.
#pragma once

#include "app/cli/output/console.hpp"
#include "app/cli/output/json.hpp"
#include "app/cli/sweep/sweep_points.hpp"
#include "app/session/sweep/sweep.hpp"

namespace app::cli {

struct SweepRow {
    std::vector<std::string> coordinates;
    SweepResult result;
};

/// The first line of the csv form, without its end.
std::string sweepHeader();
/// One row of the csv form, without its end. Times are in seconds, exact to the picosecond.
std::string toCsv(const SweepRow& row);
/// Reads a row back; nothing where it is none, or only the beginning of one.
std::optional<SweepRow> sweepRowFromCsv(std::string_view line);

/// The same of a result alone, behind the words that name its run.
std::string resultHeader();
std::string toCsv(const std::string& run, const SweepResult& result);
std::optional<std::pair<std::string, SweepResult>> resultFromCsv(std::string_view line);

Json sweepJson(const std::vector<SweepRow>& rows);

/// The coordinates that differ between rows, and the results, as a table for people. `how` times were
/// measured: "over MPI".
void writeSweep(const std::vector<SweepRow>& rows, const Console& console, std::string_view how = "over MPI");

}  // namespace app::cli
