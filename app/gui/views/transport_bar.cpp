// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/transport_bar.hpp"

#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/style/icons.hpp"
#include "app/gui/views/scrub_bar.hpp"

#include <QEvent>
#include <QHBoxLayout>

#include <cmath>

namespace app::gui {
namespace {

constexpr int roundWidth = 70;  // pixels for the round, where the time has no room

}  // namespace

TransportBar::TransportBar(Playback& playback) : playback_{&playback} {
    begin_ = button(tr("Go to start"), tr("Go to start (Home)"));
    back_ = button(tr("One round back"), tr("One round back (Left)"));
    play_ = button(tr("Play"), tr("Play or pause (Space)"));
    forward_ = button(tr("One round forward"), tr("One round forward (Right)"));
    end_ = button(tr("To the end"), tr("To the end (End)"));
    loop_ = button(tr("Loop"), tr("Start over at the end (L)"));
    loop_->setCheckable(true);
    scrub_ = new ScrubBar{playback};
    whole_ = button(tr("Show all of the time"), {});
    whole_->setText(QStringLiteral("\u2194"));
    connect(whole_, &QToolButton::clicked, playback_, &Playback::showAll);
    position_ = new FittingLabel;
    position_->setTextInteractionFlags(Qt::NoTextInteraction);
    position_->setAccessibleName(tr("Where the cursor is"));
    speed_ = new QComboBox;
    speed_->setAccessibleName(tr("Speed"));
    speed_->setToolTip(tr("Speed (+ and -); at 1x a round takes about 0.8 s"));
    for (double speed = Playback::slowest; speed <= Playback::fastest; speed *= 2) {
        speed_->addItem(speed < 1 ? tr("1/%1x").arg(1 / speed) : tr("%1x").arg(speed), speed);
    }

    auto* row = new QHBoxLayout{this};
    row->setContentsMargins(4, 2, 6, 2);
    row->setSpacing(2);
    for (QToolButton* each : {begin_, back_, play_, forward_, end_, loop_}) row->addWidget(each);
    row->addSpacing(4);
    row->addWidget(scrub_, 1);
    row->addWidget(whole_);
    row->addSpacing(4);
    row->addWidget(position_);
    row->addSpacing(6);
    row->addWidget(speed_);

    connect(begin_, &QToolButton::clicked, playback_, &Playback::toBegin);
    connect(back_, &QToolButton::clicked, playback_, [this] { playback_->step(-1); });
    connect(play_, &QToolButton::clicked, playback_, &Playback::playOrPause);
    connect(forward_, &QToolButton::clicked, playback_, [this] { playback_->step(+1); });
    connect(end_, &QToolButton::clicked, playback_, &Playback::toEnd);
    connect(loop_, &QToolButton::toggled, playback_, &Playback::setLooping);
    connect(speed_, &QComboBox::activated, playback_,
            [this](int index) { playback_->setSpeed(speed_->itemData(index).toDouble()); });
    connect(playback_, &Playback::subjectChanged, this, &TransportBar::reserveWidth);
    connect(playback_, &Playback::changed, this, &TransportBar::follow);
    drawIcons();
    follow();
}

QToolButton* TransportBar::button(const QString& name, const QString& tip) {
    auto* made = new QToolButton;
    made->setAccessibleName(name);
    made->setToolTip(tip);
    made->setAutoRaise(true);
    made->setFocusPolicy(Qt::StrongFocus);
    made->setIconSize({18, 18});
    return made;
}

void TransportBar::drawIcons() {
    begin_->setIcon(icon(Sign::toBegin, palette()));
    back_->setIcon(icon(Sign::stepBack, palette()));
    play_->setIcon(icon(playback_->playing() ? Sign::pause : Sign::play, palette()));
    forward_->setIcon(icon(Sign::stepForward, palette()));
    end_->setIcon(icon(Sign::toEnd, palette()));
    loop_->setIcon(icon(Sign::loop, palette()));
}

void TransportBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange) drawIcons();
    // Qt keeps the least width that a box had with other letters.
    if (event->type() == QEvent::FontChange) speed_->setMinimumWidth(speed_->sizeHint().width());
    QWidget::changeEvent(event);
}

void TransportBar::setSlim(bool slim) { position_->setLeast(slim ? roundWidth : QWIDGETSIZE_MAX); }

// A label that grows and shrinks while playing would move the scrub bar under the mouse.
void TransportBar::reserveWidth() {
    if (!playback_->subject()) return;
    const QString rounds = QString::number(playback_->subject()->run().rounds);
    const QString widest = tr("rounds %1-%1/%1   %2 of %3")
                               .arg(rounds, QStringLiteral("888.88 \u00b5s"), timeInWords(playback_->duration()));
    position_->reserve(widest);
}

void TransportBar::follow() {
    const bool shown = playback_->subject() != nullptr;
    for (QToolButton* each : {begin_, back_, play_, forward_, end_}) each->setEnabled(shown);
    const QString name = playback_->playing() ? tr("Pause") : tr("Play");
    if (play_->accessibleName() != name) {
        play_->setAccessibleName(name);
        play_->setIcon(icon(playback_->playing() ? Sign::pause : Sign::play, palette()));
    }
    loop_->setChecked(playback_->looping());
    const QString part = scrub_->partInWords();
    whole_->setVisible(!part.isEmpty());
    whole_->setToolTip(tr("Show the whole time (0). %1").arg(part));
    const int index = static_cast<int>(std::lround(std::log2(playback_->speed() / Playback::slowest)));
    speed_->setCurrentIndex(index);
    if (!shown) return position_->setWords(tr("no run"));
    if (!playback_->subject()->hasRounds())
        return position_->setWords(
            tr("%1 of %2").arg(timeInWords(playback_->state().time), timeInWords(playback_->duration())));
    const auto rounds = playback_->subject()->run().rounds;
    const RoundSpan now = playback_->subject()->roundsAt(playback_->state().time);
    const QString which = rounds == 0 ? tr("round 0/0")
                          : now.one()
                              ? tr("round %1/%2").arg(now.last.value + 1).arg(rounds)
                              : tr("rounds %1-%2/%3").arg(now.first.value + 1).arg(now.last.value + 1).arg(rounds);
    position_->setWords(
        tr("%1   %2 of %3").arg(which, timeInWords(playback_->state().time), timeInWords(playback_->duration())));
}

}  // namespace app::gui
