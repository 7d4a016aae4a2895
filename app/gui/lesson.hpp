// SPDX-License-Identifier: BSD-3-Clause
// A lesson is a plain file in resources/lessons: what to run, where to look, what to say, what to ask.
//
//     title: What a round is
//     paper: none                       what it belongs to
//     minutes: 8
//
//     run: bcast/binomial-tree -n 8     from here on; as the command line says it, with every flag of `run`
//     at: round 2                       begin, end, "round N" (all before it are over) or "middle of round N"
//     rank: 3                           the selected rank; without it none
//     Text of the stop. Paragraphs are parted by empty lines.
//     ask: block of rank 3 in round 2   also: sender to rank R, receiver from rank R, busiest link in round N
//     ---                               between stops
#pragma once

#include "app/gui/question.hpp"

#include <string_view>

namespace app::gui {

struct Stop {
    std::optional<RunWish> run{};  ///< another run than at the stop before
    enum class Where : std::uint8_t { begin, round, middle, end } where = Where::begin;
    engine::Round round{};
    std::optional<engine::Rank> rank{};
    QString text;  ///< paragraphs, parted by empty lines
    std::optional<Question> question{};
};

struct Lesson {
    QString title;
    QString paper;
    int minutes = 0;
    std::vector<Stop> stops;
};

/// Throws Error that names `name` and the line.
Lesson readLesson(std::string_view words, const std::string& name);

/// All lessons that come with the program, in their order.
const std::vector<Lesson>& lessons();

/// The moment that the stop shows.
engine::Picoseconds momentOf(const Stop& stop, const Subject& subject);

}  // namespace app::gui
