// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/teaching/lessons/quiz_question.hpp"

#include <QLabel>
#include <QListWidget>
#include <QWidget>

namespace app::gui {

/// Asks one question: hides what it is about, takes a click in a picture or a choice here as the answer, and says at
/// once whether it is right, and why. After a wrong answer, of which it says what is true instead, there is a second
/// try.
class QuizBox final : public QWidget {
    Q_OBJECT

public:
    /// `playback` must ask nobody any more when the box is gone: both end with the window.
    explicit QuizBox(Playback& playback);

    /// Asks about the run shown, which must be able to answer.
    void ask(const Question& question);
    /// Takes the question back.
    void clear();
    [[nodiscard]] bool open() const { return question_ && !answered_; }
    [[nodiscard]] const std::optional<Question>& question() const { return question_; }
    [[nodiscard]] QString verdict() const { return verdict_->text(); }

Q_SIGNALS:
    /// The question is over; `right`: at the first try.
    void answered(bool right);

private:
    void answer(const Meaning& meaning);
    void uncover();

    Playback* playback_;
    std::optional<Question> question_;
    bool answered_ = false;
    bool asks_ = false;  ///< clicks are answers; false while a game takes them
    int tries_ = 0;
    std::vector<Choice> offered_;
    QLabel* words_;
    QLabel* how_;
    QListWidget* choices_;
    QLabel* verdict_;
};

}  // namespace app::gui
