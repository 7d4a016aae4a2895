// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/teaching/lessons/lesson.hpp"
#include "app/teaching/panels/quiz_box.hpp"

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>

#include <set>

namespace app::gui {

/// A lesson, stop by stop; or, without one, questions before every round of whatever is shown ("predict").
class TeachPanel final : public QWidget {
    Q_OBJECT

public:
    explicit TeachPanel(Playback& playback);

    /// Begins at the first stop.
    void start(const Lesson& lesson);
    /// A lesson that is being written, at one of its stops. Of stops in `held` the run is not made.
    void showDraft(const Lesson& lesson, std::set<std::size_t> held, std::size_t stop);
    [[nodiscard]] bool showsDraft() const { return lesson_ == &draft_; }
    void goTo(std::size_t stop);
    /// To the next stop; from the last one to the end, where the next lesson is offered, and from there into it.
    void next();
    void back();
    /// Leaves lesson and prediction.
    void leave();
    /// Stops before every round and asks.
    void setPredicting(bool on);

    [[nodiscard]] bool predicting() const { return predicting_; }
    [[nodiscard]] const Lesson* lesson() const { return lesson_; }
    [[nodiscard]] std::size_t stop() const { return stop_; }
    [[nodiscard]] QuizBox& box() { return *box_; }
    /// Its links are those to lessons: "lesson:3" is the one of that number (see lessons()).
    [[nodiscard]] QTextBrowser& browser() { return *text_; }
    [[nodiscard]] QString text() const { return text_->toPlainText(); }
    /// "3 of 4 right"
    [[nodiscard]] QString score() const { return score_->text(); }

    [[nodiscard]] QSize sizeHint() const override { return {300, 330}; }

Q_SIGNALS:
    void runWanted(const app::RunWish& wish);
    void finished(const QString& title);
    void left();
    /// The problem of the run is to be played by hand.
    void playWanted();
    /// What the panel says is another thing: another stop, or no lesson any more.
    void said();

private:
    void show(std::size_t stop);
    void arrive();
    void watch();
    void count(bool right);
    void say();
    void fill();

    Playback* playback_;
    const Lesson* lesson_ = nullptr;
    const Lesson* over_ = nullptr;  ///< the lesson that was taken to its end just now
    Lesson draft_;
    std::set<std::size_t> held_;  ///< of the draft
    std::size_t stop_ = 0;
    std::optional<std::size_t> running_;  ///< stop whose run is shown or on its way
    bool awaiting_ = false;               ///< a run is on its way
    bool predicting_ = false;
    std::set<std::int64_t> asked_;    ///< rounds of the present run
    std::set<std::size_t> answered_;  ///< stops
    int turn_ = 0;
    int right_ = 0;
    int all_ = 0;
    QLabel* head_;
    QTextBrowser* text_;
    QuizBox* box_;
    QLabel* score_;
    QPushButton* play_;
    QPushButton* back_;
    QPushButton* next_;
    QPushButton* leave_;
};

}  // namespace app::gui
