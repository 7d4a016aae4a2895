// SPDX-License-Identifier: BSD-3-Clause
// What a sweep of replays found, as rows of csv and as a table.
#pragma once

#include "app/session/replay/replay_sweep.hpp"
#include "engine/base/table.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::cli {

/// The first line of the csv form, without its end.
std::string replaySweepHeader();
/// One row of it, without its end; what is not known, or was not replayed, stays empty.
std::string replaySweepRow(const std::vector<std::string>& coordinates, const SweptReplay& result);
/// Reads a row back; nothing where it is none, or only the beginning of one.
std::optional<std::vector<engine::Cell>> replaySweepCells(std::string_view line);

/// All columns of rows that replaySweepCells reads. Throws Error for others.
engine::Table replaySweepTable(const std::vector<std::string>& rows);
/// What people look at: the coordinates that vary and what changes with them, of replays that came to their ends.
engine::Table replaySweepSummary(const engine::Table& all);

}  // namespace app::cli
