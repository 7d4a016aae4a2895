// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/window/projector.hpp"
#include "app/teaching/teaching.hpp"

#include <QLabel>
#include <QPushButton>
#include <QTextBrowser>
#include <QTimer>

namespace app::gui {

/// What only the speaker sees while the projector shows the run: what to say at this stop, what comes next, how long it
/// took so far, and the keys. On another screen than the window, where there is one.
class SpeakerWindow final : public QWidget {
    Q_OBJECT

public:
    /// `clock`: empty for that of the machine. `window` is what the room sees; all must outlive this.
    SpeakerWindow(QWidget& window, Playback& playback, TeachPanel& lesson, Projector& projector, Playback::Clock clock);

    [[nodiscard]] QString notes() const { return notes_->toPlainText(); }
    [[nodiscard]] QString following() const { return following_->toPlainText(); }
    /// "3:05"
    [[nodiscard]] QString elapsed() const { return time_->text(); }

protected:
    void closeEvent(QCloseEvent* event) override;

private:
    void follow(bool projected);
    void say();
    void tellTime();

    QWidget* window_;
    TeachPanel* lesson_;
    Playback::Clock clock_;
    std::chrono::nanoseconds begun_{};
    QTimer ticking_;
    QLabel* head_;
    QLabel* time_;
    QTextBrowser* notes_;
    QTextBrowser* following_;
    QPushButton* back_;
    QPushButton* next_;
};

}  // namespace app::gui
