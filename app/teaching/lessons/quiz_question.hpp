// SPDX-License-Identifier: BSD-3-Clause
// Questions about the next round, judged from the schedule: what rank R gets, from whom, to whom it sends, and which
// link is busiest.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

struct Question {
    enum class Kind : std::uint8_t { block, sender, receiver, link };
    Kind kind = Kind::block;
    engine::Rank rank{};  ///< of whom it is asked; does not matter for links
    engine::Round round{};

    friend bool operator==(const Question&, const Question&) = default;
};

/// An answer that can be chosen without the mouse: its words, and what a click that means it would hit.
struct Choice {
    QString words;
    Meaning meaning;
};

struct Judgement {
    bool right = false;
    QString reason;   ///< what really happens, as a sentence
    QString mistake;  ///< what is true of a wrong answer instead, as a sentence: "Rank 5 sends nothing in round 3."
};

/// Whether `question` has an answer: somebody sends, links are known, contents are known.
bool canBeAsked(const DrawableRun& subject, const Question& question);
/// "Which block does rank 3 receive in round 2?"
QString inWords(const DrawableRun& subject, const Question& question);
/// Where to click: "Click a column of the holdings."
QString howToAnswer(const Question& question);
/// At most a dozen, right ones among them, in their natural order.
std::vector<Choice> choices(const DrawableRun& subject, const Question& question);
/// Nothing when the click hit something that is no answer.
std::optional<Judgement> judge(const DrawableRun& subject, const Question& question, const Meaning& answer);
/// A question about `round`; other ones for other `turn`s. Nothing when there is nothing to ask.
std::optional<Question> questionFor(const DrawableRun& subject, engine::Round round, int turn);

}  // namespace app::gui
