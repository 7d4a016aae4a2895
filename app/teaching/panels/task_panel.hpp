// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/teaching/exercises/grading.hpp"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <QWidget>

#include <optional>
#include <vector>

namespace app::gui {

/// A task: what to write, its hints one by one, and what came of each check. It grades nothing itself.
class TaskPanel final : public QWidget {
    Q_OBJECT

public:
    TaskPanel();

    /// `playable`: its messages can be played by hand.
    void show(const Task& task, bool playable);
    /// No task was opened.
    [[nodiscard]] bool isEmpty() const { return task_.checks.empty(); }
    /// What came of the check of that number in the task; nothing: it is being looked at.
    void setMark(std::size_t check, const std::optional<Outcome>& mark);

    /// "6 of 8 points, 2 more for what is hidden".
    [[nodiscard]] QString score() const { return score_->text(); }
    /// What stands in the row of a check.
    [[nodiscard]] QString said(std::size_t check) const;
    /// The hints that are open.
    [[nodiscard]] QString hints() const { return hints_->text(); }

    [[nodiscard]] QSize sizeHint() const override { return {300, 330}; }

Q_SIGNALS:
    /// A script without a turn is to be begun with.
    void begun();
    /// The counterexample of that check is to be seen.
    void asked(std::size_t check);
    /// The messages are to be played by hand.
    void played();

protected:
    void changeEvent(QEvent* event) override;

private:
    void buildChecks();
    void write(std::size_t check);
    void addUp();
    void openHint();

    Task task_;
    std::vector<std::optional<Outcome>> marks_;
    std::size_t open_ = 0;  ///< hints
    QLabel* head_;
    QLabel* text_;
    QLabel* hints_;
    QPushButton* more_;
    QPushButton* play_;
    QVBoxLayout* checks_;
    std::vector<QLabel*> rows_;  ///< by check; null for those that are hidden
    QLabel* score_;
};

}  // namespace app::gui
