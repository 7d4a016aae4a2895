// SPDX-License-Identifier: BSD-3-Clause
// An answer as rows and columns: what questions about runs and traces come out as. The command line prints it as text,
// csv or json, the window shows it; both find all they need here.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace engine {

/// What the cells of a column are: decides how people see them. Machines get plain numbers in the column's unit.
enum class Content : std::uint8_t {
    words,
    rank,    ///< counted from 0 everywhere
    round,   ///< counted from 0; people see it from 1
    count,   ///< of anything
    bytes,   ///< column names end in _bytes
    time,    ///< column names end in _s
    rate,    ///< seconds per byte; column names end in _s_per_byte
    share,   ///< 0..1; column names end in _share
    number,  ///< any other number
};

struct Column {
    std::string name;  ///< as csv and json call it: "duration_s"
    Content content = Content::words;
    std::string heading{};  ///< for people, where the name says too little; empty: made of the name
    bool isShown = true;    ///< to people, whom other columns tell the same in parts of one whole

    friend bool operator==(const Column&, const Column&) = default;
};

/// Nothing: not recorded, or not known. Never a guess.
using Cell = std::variant<std::monostate, std::string, std::int64_t, double, Picoseconds>;

struct Table {
    std::string name;   ///< one word, as --tables takes it
    std::string title;  ///< what the rows are, in a clause
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::vector<std::string> remarks{};  ///< what a reader must know: what was not recorded, what was left out

    friend bool operator==(const Table&, const Table&) = default;
};

inline Cell cell(std::string words) { return words.empty() ? Cell{} : Cell{std::move(words)}; }
inline Cell cell(Rank rank) { return std::int64_t{rank.value}; }
inline Cell cell(Round round) { return round.value; }
inline Cell cell(Rate rate) { return static_cast<double>(rate.femtosecondsPerByte) / 1e15; }  // seconds per byte

}  // namespace engine
