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
//     notes: Ask who has it first.      what only the speaker sees while the projector is on; a paragraph a line
//     ask: block of rank 3 in round 2   also: sender to rank R, receiver from rank R, busiest link in round N
//     play: Play it yourself            a button that begins a game: the problem of the run, message by message
//     fact: 0 and 4 have it | holders of block 0 = 0 4
//                                       what words of the text say of the run: lesson_facts.hpp
//     ---                               between stops
#pragma once

#include "app/teaching/lessons/quiz_question.hpp"

#include <map>
#include <string>
#include <string_view>

namespace app::gui {

/// What words of a stop's text say of its run.
struct Fact {
    static constexpr std::string_view general = "general";  ///< a claim about more than one run

    QString words;
    std::string claim;
    std::string value;
    int line = 0;  ///< of its file
};

struct Stop {
    std::optional<RunWish> run{};  ///< another run than at the stop before
    enum class Where : std::uint8_t { begin, round, middle, end } where = Where::begin;
    engine::Round round{};
    std::optional<engine::Rank> rank{};
    QString text{};   ///< paragraphs, parted by empty lines
    QString notes{};  ///< for the speaker alone, likewise
    std::optional<Question> question{};
    QString play{};  ///< words of the button that begins a game with the run's problem; empty: none
    std::vector<Fact> facts{};
    int line = 1;  ///< of its file, at which it begins
    /// The line that says `key`; the first one of the stop where none does.
    [[nodiscard]] int lineOf(const std::string& key) const {
        const auto found = lines.find(key);
        return found == lines.end() ? line : found->second;
    }
    std::map<std::string, int> lines{};  ///< by key
};

struct Lesson {
    std::string name;  ///< "what-a-round-is": that of its file, without the number
    QString title;
    QString paper;
    int minutes = 0;
    std::vector<Stop> stops;
};

/// Throws Error{"name:line: reason"}.
Lesson readLesson(std::string_view words, const std::string& name);

/// The text of a lesson that comes with the program.
QString textOfLesson(const std::string& name);

/// All lessons that come with the program, in their order.
const std::vector<Lesson>& lessons();

/// The lesson called `word`, or in the file `word` that ends in .lesson. Throws Error where there is none.
Lesson lessonCalled(const std::string& word);

/// Paragraphs as rich text.
QString paragraphsOf(const QString& text);

/// The one that follows a lesson that comes with the program; null after the last, and after any other.
const Lesson* lessonAfter(const Lesson& lesson);

/// The moment that the stop is about.
engine::Picoseconds momentOf(const Stop& stop, const DrawableRun& subject);

/// What hides what a question is about: everything from the start of its round on.
engine::Picoseconds veilOf(const Question& question, const DrawableRun& subject);
/// The moment that is shown while `question` is asked: nothing of its round has been seen, all before it has.
engine::Picoseconds askedAt(const Question& question, const Stop& stop, const DrawableRun& subject);

}  // namespace app::gui
