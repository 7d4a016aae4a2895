// SPDX-License-Identifier: BSD-3-Clause
// The cells of an answer as people read them, and as machines do.
#pragma once

#include "engine/base/table.hpp"

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// "12,345".
std::string counted(std::int64_t number);
/// "1 round", "12,345 rounds".
std::string counted(std::int64_t number, std::string_view noun);
/// "4 ranks", "2 of 128 ranks recorded".
std::string countedRanks(std::int64_t recorded, std::int64_t all);

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words);

/// "3 ms", "3 ms and 4 ms", of more times "3.5 ms (median)".
std::string medianInWords(std::vector<engine::Picoseconds> times);

/// part / whole; 0 if whole is not positive.
double ratio(engine::Picoseconds part, engine::Picoseconds whole);
/// The same as a cell, which is empty if whole is not positive.
engine::Cell ratioCell(engine::Picoseconds part, engine::Picoseconds whole);

/// "37.2%".
std::string percent(double share);

/// For people, with units; rounds from 1, "-" for what is not known.
std::string shown(const engine::Cell& cell, engine::Content content);

/// "bound_rank_bytes" as a heading: "bound rank". A column whose name in csv and json is not the word of the style page
/// ("begin_s", "wait") has that word as heading: "start", "wait state".
std::string heading(const engine::Column& column);

/// Whether people are shown the column, and it says something in any row.
bool says(const engine::Table& table, std::size_t column);

/// A header line and one line per row, plain numbers in the units of the columns; what is not known stays empty.
void writeCsv(const engine::Table& table, std::ostream& out);
/// The lines of the rows alone, behind those of a table with the same columns.
void writeCsvRows(const engine::Table& table, std::ostream& out);

}  // namespace app::analysis
