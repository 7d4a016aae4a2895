// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/scrub_bar.hpp"

#include "app/gui/scenes/text/run_text.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace app::gui {

using engine::Picoseconds;

namespace {

constexpr int positions = 10'000;  // a slider counts in int; the run's length is divided into this many
constexpr double leastGap = 4;     // pixels between ticks

}  // namespace

ScrubBar::ScrubBar(Playback& playback) : QSlider{Qt::Horizontal}, playback_{&playback} {
    setRange(0, positions);
    setPageStep(positions / 10);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Time"));
    connect(&playback, &Playback::changed, this, &ScrubBar::follow);
    connect(this, &QSlider::actionTriggered, this,
            [this] { playback_->seek(timeOf(static_cast<double>(sliderPosition()) / positions)); });
}

namespace {

/// What the bar is of: the part of the run that pictures over time show, so that both have the cursor at one place. Of
/// a trace that ends with some milliseconds of work the whole would have it at the end all the time.
VisibleSpan seenOf(const Playback& playback) {
    const Picoseconds end = std::min(playback.spanEnd(), playback.duration());
    if (end <= playback.spanBegin()) return {{}, playback.duration()};
    return {playback.spanBegin(), end};
}

double shareIn(const VisibleSpan& seen, Picoseconds time) {
    if (seen.end <= seen.begin) return 0;
    return std::clamp(
        static_cast<double>((time - seen.begin).count()) / static_cast<double>((seen.end - seen.begin).count()), 0.0,
        1.0);
}

}  // namespace

double ScrubBar::shareOf(Picoseconds time) const { return shareIn(seenOf(*playback_), time); }

Picoseconds ScrubBar::timeOf(double share) const {
    const VisibleSpan seen = seenOf(*playback_);
    return seen.begin + Picoseconds{std::llround(share * static_cast<double>((seen.end - seen.begin).count()))};
}

void ScrubBar::follow() {
    setValue(static_cast<int>(std::lround(shareOf(playback_->state().time) * positions)));
    setEnabled(playback_->subject() != nullptr);
    const QString how = tr("Drag through the run; ticks mark the starts of rounds");
    const QString part = partInWords();
    setToolTip(part.isEmpty() ? how : how + '\n' + part);
    update();
}

QString ScrubBar::partInWords() const {
    const VisibleSpan seen = seenOf(*playback_);
    if (!playback_->subject() || (seen.begin <= Picoseconds{} && seen.end >= playback_->duration())) return {};
    return tr("It covers the visible part of the time: %1 to %2 of %3.")
        .arg(timeInWords(seen.begin), timeInWords(seen.end), timeInWords(playback_->duration()));
}

QRectF ScrubBar::groove() const { return QRectF{rect()}.adjusted(9, height() / 2.0 - 2, -9, -height() / 2.0 + 2); }

void ScrubBar::seekTo(double x) {
    playback_->seek(timeOf(std::clamp((x - groove().left()) / groove().width(), 0.0, 1.0)));
}

void ScrubBar::paintEvent(QPaintEvent*) {
    QPainter painter{this};
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF line = groove();
    const QColor text = palette().color(QPalette::WindowText);
    const QColor strong = palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::Highlight);
    QColor faint = text;
    faint.setAlphaF(0.25F);

    painter.setPen(Qt::NoPen);
    painter.setBrush(faint);
    painter.drawRoundedRect(line, 2, 2);
    // What is seen is found by measuring words: once, not for each of thousands of rounds.
    const VisibleSpan seen = seenOf(*playback_);
    const auto xIn = [&](Picoseconds time) { return line.left() + shareIn(seen, time) * line.width(); };
    const double here = xIn(playback_->state().time);
    painter.setBrush(strong);
    painter.drawRoundedRect(QRectF{line.topLeft(), QPointF{here, line.bottom()}}, 2, 2);

    if (playback_->subject()) {
        faint.setAlphaF(0.55F);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(faint);
        double last = -leastGap;
        for (const Picoseconds stop : playback_->subject()->stops()) {
            if (stop < seen.begin || stop > seen.end) continue;
            const double x = xIn(stop);
            if (x - last < leastGap) continue;
            last = x;
            painter.drawLine(QPointF{x, line.bottom() + 3}, QPointF{x, line.bottom() + 7});
        }
        painter.setRenderHint(QPainter::Antialiasing);
    }

    painter.setPen(QPen{hasFocus() ? text : strong, hasFocus() ? 2.0 : 1.0});
    painter.setBrush(hasFocus() ? strong : palette().color(QPalette::Button));
    painter.drawEllipse(QPointF{here, line.center().y()}, 6.5, 6.5);
}

void ScrubBar::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) seekTo(event->position().x());
}

void ScrubBar::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton)) seekTo(event->position().x());
}

void ScrubBar::wheelEvent(QWheelEvent* event) {
    playback_->step(event->angleDelta().y() < 0 ? +1 : -1);
    event->accept();
}

}  // namespace app::gui
