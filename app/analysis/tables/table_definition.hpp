// SPDX-License-Identifier: BSD-3-Clause
// Definitions of the tables of a run or trace. The folder is the registry: the build lists
// app/analysis/tables/definitions/*.cpp and writes table_definitions.inc, so a new file appears in `open --tables`, its
// help, csv and json, the window's Analysis, and resources/docs/questions.md with no further edit. The file
// app/analysis/tables/definitions/<name>.cpp must define `TableDefinition definition()` in namespace
// app::analysis::tables::about_<name> (with _ for -), where its names meet no other's; a misnamed one is a link error.
//
// Nothing is guessed: what was not recorded stays empty in an answer, and its remarks say why.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"
#include "engine/base/table.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace app::analysis {

/// Which part of its row's place in the run a cell names. Times and ranks are those of the row's instance, where it has
/// one.
enum class CellLocation : std::uint8_t {
    nowhere,
    instance,      ///< number of an instance, from 1: all of it, unless another cell says more
    begin,         ///< a moment
    end,           ///< beside a begin: until when
    duration,      ///< beside a begin: how long
    rank,          ///< who is meant
    rankOfWorld,   ///< the same, not within the instance
    round,         ///< of the run, where its rounds are known
    plannedRound,  ///< where nothing stands in the column of `round`
};

/// One column of a table.
struct ColumnDefinition {
    std::string_view name;  ///< as csv and json promise it: "duration_s"
    engine::Content content = engine::Content::words;
    std::string_view meaning;  ///< one clause
    CellLocation leads = CellLocation::nowhere;
};

/// One table.
struct TableDefinition {
    std::string_view name;     ///< "rounds": as --tables takes it, that of its file and of its table
    int page = 0;              ///< its place in the order of reading; of two with the same the name decides
    std::string_view meaning;  ///< one clause
    std::string_view title;    ///< what the rows are, in a clause
    std::string_view how{};    ///< how the rows are found, for readers who ask how far to trust them; may be empty
    std::vector<ColumnDefinition> columns;
    /// Adds rows and remarks to a table that has all the rest.
    void (*answer)(TraceAnalysis& analysis, engine::Table& table) = nullptr;
};

/// In the order of reading.
std::span<const TableDefinition> tableDefinitions();

/// The definition of the table `name`; throws Error with the nearest name.
const TableDefinition& tableNamed(std::string_view name);

/// Computes the table. Throws Error and Cancelled.
engine::Table computeTable(const TableDefinition& definition, TraceAnalysis& analysis);

}  // namespace app::analysis
