// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/replay/replay_answer.hpp"
#include "app/gui/replay/replay_form.hpp"
#include "app/gui/widgets/run_progress.hpp"
#include "app/gui/widgets/scroll_area.hpp"

#include <QButtonGroup>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace app::gui {

/// What the pictures show of a trace and its replay.
enum class ReplayShown : std::uint8_t { recorded, both, replay };

/// A recorded program again: what is to be another way, what it came to, and which of both the pictures show. In a low
/// panel one of both is seen: what it came to once that is known, and the fields when they are unfolded.
class ReplayPanel final : public QWidget {
    Q_OBJECT

public:
    ReplayPanel();

    [[nodiscard]] ReplayForm& form() { return *form_; }
    [[nodiscard]] ReplayAnswer& answer() { return *answer_; }
    /// What it came to, brought to where it is seen.
    void show(const Replaying& replaying);
    [[nodiscard]] RunProgress& progress() { return *progress_; }
    /// Shows a refusal beside its field, or below all of them.
    void refuse(const QString& sentence);
    /// What is wrong, wherever it stands; empty when all is well.
    [[nodiscard]] QString refusal() const;
    void clearRefusal();
    /// The command that repeats what the answer tells; empty: there is none.
    void setCommand(const QString& command);
    [[nodiscard]] QString command() const { return command_->text(); }
    /// Which of both are shown, and whether there is a replay that could be.
    void setShown(ReplayShown shown, bool possible);

    [[nodiscard]] QSize sizeHint() const override { return {400, 640}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 120}; }

Q_SIGNALS:
    void wanted();
    void cleared();
    void cancelled();
    void shownWanted(app::gui::ReplayShown shown);
    void saveWanted();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* buildActions();
    QWidget* buildShown();
    QWidget* buildCommand();
    void unfold(bool unfolded);
    void setLow(bool low);

    ReplayForm* form_;
    QWidget* upper_;  // the form; in a low panel also what stands below the answer in a higher one
    QWidget* below_;  // which of both are shown, and the command
    QLayout* actions_ = nullptr;
    QToolButton* fold_;
    QPushButton* clear_;
    bool low_ = false;
    Scrolled* fields_;
    ReplayAnswer* answer_;
    RunProgress* progress_;
    QLabel* refusal_;
    QButtonGroup* shown_;
    QPushButton* save_;
    QLineEdit* command_;
    QPushButton* copy_;
};

}  // namespace app::gui
