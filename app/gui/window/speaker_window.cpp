// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/speaker_window.hpp"

#include <QAction>
#include <QCloseEvent>
#include <QFormLayout>
#include <QGuiApplication>
#include <QScreen>
#include <QVBoxLayout>

namespace app::gui {
namespace {

constexpr int tickMilliseconds = 500;  // of the time, which is shown in seconds

constexpr double ownLetters = 1.2;  // times the usual size

QTextBrowser* browser(const QString& name) {
    auto* made = new QTextBrowser;
    made->setAccessibleName(name);
    made->setFocusPolicy(Qt::NoFocus);  // Page Up and Page Down go through the lesson
    return made;
}

/// A screen on which `window` does not stand; null where there is only one.
QScreen* otherScreen(const QWidget& window) {
    for (QScreen* screen : QGuiApplication::screens())
        if (screen != window.screen()) return screen;
    return nullptr;
}

QString minutesAndSeconds(std::chrono::nanoseconds time) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char{'0'});
}

}  // namespace

SpeakerWindow::SpeakerWindow(QWidget& window, Playback& playback, TeachPanel& lesson, Projector& projector,
                             Playback::Clock clock)
    : window_{&window},
      lesson_{&lesson},
      clock_{clock ? std::move(clock) : [] { return std::chrono::steady_clock::now().time_since_epoch(); }},
      head_{new QLabel},
      time_{new QLabel},
      notes_{browser(tr("Notes for the speaker"))},
      following_{browser(tr("What comes next"))},
      back_{new QPushButton{tr("Back")}},
      next_{new QPushButton{tr("Next")}} {
    setObjectName("speaker");
    setWindowTitle(tr("Speaker's notes"));
    setAttribute(Qt::WA_ShowWithoutActivating);
    // Who stands beside it needs no letters for the back row.
    QFont own = font();
    own.setPointSizeF(ownLetters * own.pointSizeF());
    setFont(own);
    head_->setWordWrap(true);
    head_->setTextFormat(Qt::RichText);
    time_->setAccessibleName(tr("Time since the projector was turned on"));
    QFont large = own;
    large.setPointSizeF(2 * own.pointSizeF());
    large.setBold(true);
    time_->setFont(large);
    auto* above = new QHBoxLayout;
    above->addWidget(head_, 1);
    above->addWidget(time_);
    auto* next = new QLabel{tr("<b>Next</b>")};
    auto* keys =
        new QLabel{tr("Page Down, Page Up: next step, previous step. Space: play or pause. Right, Left: a round on, "
                      "a round back. F5: projector off.")};
    keys->setWordWrap(true);
    auto* buttons = new QHBoxLayout;
    back_->setAccessibleName(tr("Speaker: previous step"));
    next_->setAccessibleName(tr("Speaker: next step"));
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout{this};
    column->addLayout(above);
    column->addWidget(notes_, 3);
    column->addWidget(next);
    column->addWidget(following_, 2);
    column->addLayout(buttons);
    column->addWidget(keys);
    resize(640, 520);

    connect(back_, &QPushButton::clicked, lesson_, &TeachPanel::back);
    connect(next_, &QPushButton::clicked, lesson_, &TeachPanel::next);
    const auto key = [this](Qt::Key on, auto does) {
        auto* action = new QAction{this};
        action->setShortcut(QKeySequence{on});
        connect(action, &QAction::triggered, this, does);
        addAction(action);
    };
    key(Qt::Key_PageDown, [this] { lesson_->next(); });
    key(Qt::Key_PageUp, [this] { lesson_->back(); });
    key(Qt::Key_Space, [&playback] { playback.playOrPause(); });
    key(Qt::Key_Right, [&playback] { playback.step(+1); });
    key(Qt::Key_Left, [&playback] { playback.step(-1); });
    key(Qt::Key_F5, [&projector] { projector.set(false); });
    connect(&projector, &Projector::changed, this, &SpeakerWindow::follow);
    connect(lesson_, &TeachPanel::said, this, &SpeakerWindow::say);
    ticking_.setInterval(tickMilliseconds);
    connect(&ticking_, &QTimer::timeout, this, &SpeakerWindow::tellTime);
}

void SpeakerWindow::follow(bool projected) {
    if (!projected) {
        ticking_.stop();
        hide();
        return;
    }
    begun_ = clock_();
    ticking_.start();
    say();
    tellTime();
    if (const QScreen* screen = otherScreen(*window_))
        move(screen->availableGeometry().center() - QRect{QPoint{}, size()}.center());
    show();
    // On the only screen it stays behind what the room sees, until the speaker asks for it.
    if (otherScreen(*window_) == nullptr) window_->raise();
}

void SpeakerWindow::say() {
    if (!ticking_.isActive()) return;
    const Lesson* lesson = lesson_->lesson();
    back_->setEnabled(lesson != nullptr && lesson_->stop() > 0);
    next_->setEnabled(lesson != nullptr);
    following_->setEnabled(lesson != nullptr);
    if (lesson == nullptr) {
        head_->setText(tr("<b>No lesson is given</b>"));
        notes_->setPlainText(tr("Lessons are in the menu Teach. Their notes for the speaker are shown here."));
        following_->clear();
        return;
    }
    const std::size_t all = lesson->stops.size();
    const Stop& stop = lesson->stops[lesson_->stop()];
    head_->setText(tr("<b>%1</b><br>%2 of %3").arg(lesson->title.toHtmlEscaped()).arg(lesson_->stop() + 1).arg(all));
    // A stop without notes shows the text that everybody reads.
    notes_->setHtml(paragraphsOf(stop.notes.isEmpty() ? stop.text : stop.notes));
    following_->setHtml(lesson_->stop() + 1 < all ? paragraphsOf(lesson->stops[lesson_->stop() + 1].text)
                                                  : paragraphsOf(tr("This is the last step.")));
}

void SpeakerWindow::tellTime() { time_->setText(minutesAndSeconds(clock_() - begun_)); }

void SpeakerWindow::closeEvent(QCloseEvent* event) {
    ticking_.stop();
    QWidget::closeEvent(event);
}

}  // namespace app::gui
