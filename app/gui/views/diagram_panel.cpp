// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/diagram_panel.hpp"

#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "app/gui/views/time_zoom.hpp"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace app::gui {

using engine::Picoseconds;

namespace {

constexpr double leastDrag = 4;  // pixels below which a drag is a click

}  // namespace

DiagramPanel::DiagramPanel(Playback& playback, const View& view, Arrangement arrangement)
    : ViewWidget{playback, view,
                 (tr("W and S zoom, A and D move, 0 shows the whole run, F fits the selection, Backspace undoes, M "
                     "measures. E and Q make rows higher and lower, Page Up and Page Down show others, G groups them, "
                     "Shift+G folds the groups. ") +
                  tr(view.keys))
                     .trimmed()},
      arrangement_{arrangement} {
    addTimeKeys();
    addRowKeys();
}

void DiagramPanel::addTimeKeys() {
    const auto add = [this](const QString& words, QKeySequence key, auto act) {
        timeActions_ << addKey(words, key, act);
    };
    add(tr("Zoom &in"), Qt::Key_W, [this] { zoom(zoomStep); });
    add(tr("Zoom &out"), Qt::Key_S, [this] { zoom(1 / zoomStep); });
    add(tr("&Earlier"), Qt::Key_A, [this] { playback().pan(-panStep); });
    add(tr("&Later"), Qt::Key_D, [this] { playback().pan(panStep); });
    add(tr("Fit &selection"), Qt::Key_F, [this] { playback().fitSelection(); });
    add(tr("&Whole run"), Qt::Key_0, [this] { playback().showAll(); });
    add(tr("&Measure the selection"), Qt::Key_M, [this] { toggleMark(); });
    add(tr("&Undo zoom"), Qt::Key_Backspace, [this] { playback().undoSpan(); });
}

std::optional<TimeAxis> DiagramPanel::axis() const {
    if (!playback().subject()) return std::nullopt;
    const TimeAxis axis = arrangement_.axis(*playback().subject(), playback().shown(), paper());
    const double times = playback().magnification();
    return TimeAxis{axis.begin(), axis.end(), axis.left() * times, axis.right() * times};
}

Picoseconds DiagramPanel::focusOfZoom() const {
    const Picoseconds time = playback().state().time;
    const Picoseconds begin = playback().spanBegin();
    const Picoseconds end = playback().spanEnd();
    return time >= begin && time <= end ? time : begin + (end - begin) / 2;
}

std::optional<std::uint32_t> DiagramPanel::messageAt(QPointF at) {
    const std::optional<Meaning> meaning = meaningAt(at);
    const std::optional<TimeAxis> axis = this->axis();
    if (!meaning || !axis) return std::nullopt;
    const bool isBar = meaning->kind == Meaning::Kind::rank || meaning->kind == Meaning::Kind::still;
    if (!isBar || at.x() < axis->left()) return ViewWidget::messageAt(at);
    return playback().subject()->messageOf(engine::Rank{static_cast<std::int32_t>(meaning->index)}, axis->time(at.x()));
}

std::optional<Mark> DiagramPanel::placeBelow(QPointF at) {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis || at.x() < axis->left() || at.x() > axis->right()) return std::nullopt;
    const std::optional<engine::Rank> rank =
        arrangement_.rankAt(*playback().subject(), playback().shown(), paper(), at.y() / playback().magnification());
    if (!rank) return std::nullopt;
    const Picoseconds time = std::clamp(axis->time(at.x()), Picoseconds{}, playback().duration());
    return Mark{.time = time, .note = {}, .on = notesOn(), .rank = rank, .link = {}};
}

void DiagramPanel::zoom(double factor) { playback().zoom(factor, focusOfZoom()); }

void DiagramPanel::paintEvent(QPaintEvent* event) {
    ViewWidget::paintEvent(event);
    QPainter painter{this};
    if (measured_) paintMeasure(painter);
    if (drag_ != Drag::ruler) return;
    QColor tint = palette().color(QPalette::Highlight);
    tint.setAlpha(70);
    const QRectF dragged{QPointF{std::min(dragFrom_.x(), dragTo_.x()), 0.0},
                         QSizeF{std::abs(dragTo_.x() - dragFrom_.x()), static_cast<qreal>(height())}};
    painter.fillRect(dragged, tint);
}

void DiagramPanel::wheelEvent(QWheelEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis) return;
    const double notches = notchesOf(*event).y();
    const double sideways = notchesOf(*event).x();
    if (event->modifiers().testFlag(Qt::ControlModifier))
        zoomRows(std::pow(1 / rowStep, notches + sideways), event->position().y());
    // With Alt, Qt turns the wheel sideways.
    else if (event->modifiers().testFlag(Qt::AltModifier)) scrollRows(-rowsPerNotch * (notches + sideways));
    else if (event->modifiers().testFlag(Qt::ShiftModifier)) playback().pan(-panStep * (notches + sideways));
    else if (notches != 0) playback().zoom(std::pow(zoomStep, notches), axis->time(event->position().x()));
    else if (sideways != 0) playback().pan(-panStep * sideways);
    event->accept();
}

void DiagramPanel::mousePressEvent(QMouseEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis || takeNote(*event)) return;
    dragFrom_ = dragTo_ = event->position();
    const std::optional<Meaning> meaning = meaningAt(event->position());
    if (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier)) {
        drag_ = Drag::measure;
        const Picoseconds here = axis->time(dragFrom_.x());
        measured_ = Distance{here, here};
    } else if (event->button() == Qt::MiddleButton) {
        drag_ = Drag::move;
    } else if (event->button() == Qt::LeftButton && meaning && meaning->kind == Meaning::Kind::axis) {
        drag_ = Drag::ruler;
    } else if (event->button() == Qt::LeftButton) {
        pressed_ = meaning;
        if (event->position().x() >= axis->left()) {
            drag_ = Drag::cursor;
            playback().seek(axis->time(event->position().x()));
        }
    }
}

void DiagramPanel::mouseMoveEvent(QMouseEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (drag_ == Drag::none || !axis) return ViewWidget::mouseMoveEvent(event);  // with a note, too
    const QPointF before = std::exchange(dragTo_, event->position());
    switch (drag_) {
        case Drag::measure:
            measured_->end = std::clamp(axis->time(dragTo_.x()), Picoseconds{}, playback().duration());
            Q_EMIT pointedAt(measure());
            return update();
        case Drag::cursor: return playback().seek(axis->time(dragTo_.x()));
        case Drag::move:
            if (const std::optional<RowsInSight> now = rows()) scrollRows((before.y() - dragTo_.y()) / now->pitch);
            return playback().pan((before.x() - dragTo_.x()) / (axis->right() - axis->left()));
        case Drag::ruler:
        case Drag::none: return update();
    }
}

void DiagramPanel::mouseReleaseEvent(QMouseEvent* event) {
    if (dropNote()) return;
    const std::optional<TimeAxis> axis = this->axis();
    const Drag drag = std::exchange(drag_, Drag::none);
    dragTo_ = event->position();
    update();
    const std::optional<Meaning> pressed = std::exchange(pressed_, std::nullopt);
    if (pressed && isClick(*event, dragFrom_)) {
        const std::optional<Picoseconds> time =
            drag == Drag::cursor && axis ? std::optional{axis->time(dragTo_.x())} : std::nullopt;
        playback().select(pressed);
        if (time) playback().seek(*time);
    }
    // A click with Shift takes the measure away.
    if (drag == Drag::measure && std::abs(dragTo_.x() - dragFrom_.x()) < leastDrag) measured_.reset();
    if (drag != Drag::ruler || !axis) return;
    if (std::abs(dragTo_.x() - dragFrom_.x()) < leastDrag) playback().seek(axis->time(dragTo_.x()));
    else playback().showSpan(axis->time(dragFrom_.x()), axis->time(dragTo_.x()));
}

QString DiagramPanel::measure() const {
    if (!measured_ || !playback().subject()) return {};
    const auto [begin, end] = std::minmax(measured_->begin, measured_->end);
    const auto& begins = playback().subject()->run().messages.sendBegin();
    const auto messages =
        std::count_if(begins.begin(), begins.end(), [&](Picoseconds time) { return time >= begin && time < end; });
    return tr("%1: %2 to %3, %4 messages begin")
        .arg(timeInWords(end - begin), timeInWords(begin), timeInWords(end))
        .arg(messages);
}

// The selected message, else the round in progress; the same again takes the measure away.
void DiagramPanel::toggleMark() {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject) return;
    if (measured_) {
        measured_.reset();
    } else if (playback().state().message) {
        const engine::MessageRecord message = subject->run().messages[*playback().state().message];
        measured_ = Distance{message.sendBegin, message.receiveEnd};
    } else {
        const auto round = playback().round().index();
        if (round >= subject->run().perRound.size()) return;
        measured_ = Distance{subject->run().perRound[round].begin, subject->run().perRound[round].end};
    }
    Q_EMIT pointedAt(measure());
    update();
}

void DiagramPanel::paintMeasure(QPainter& painter) const {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis) return;
    const auto [begin, end] = std::minmax(measured_->begin, measured_->end);
    const double left = std::clamp(axis->pixel(begin), axis->left(), axis->right());
    const double right = std::clamp(axis->pixel(end), axis->left(), axis->right());
    QColor tint = palette().color(QPalette::Highlight);
    tint.setAlpha(50);
    painter.fillRect(QRectF{left, 0.0, right - left, static_cast<qreal>(height())}, tint);
    painter.setPen(QPen{palette().color(QPalette::Highlight), 1.5});
    for (const double x : {left, right}) painter.drawLine(QPointF{x, 0}, QPointF(x, height()));
    const QString words = timeInWords(end - begin);
    painter.setFont(fontOf(points::normal, true));
    const QSizeF room = sizeOf(words, points::normal, true) + QSizeF{10, 4};
    const double at = std::clamp((left + right - room.width()) / 2, 0.0, std::max(0.0, width() - room.width()));
    const QRectF box{QPointF{at, height() / 2.0 - room.height() / 2}, room};
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette().color(QPalette::Highlight));
    painter.drawRoundedRect(box, 3, 3);
    painter.setPen(palette().color(QPalette::HighlightedText));
    painter.drawText(box, Qt::AlignCenter, words);
}

RunTimelinePanel::RunTimelinePanel(Playback& playback)
    : DiagramPanel{playback,
                   viewNamed("timeline"),
                   {.axis = runTimelineAxis,
                    .rows = runTimelineRows,
                    .groups = [](const DrawableRun& subject, ProgramTimelineView::Groups groups)
                        -> const std::vector<analysis::RankGroup>& { return subject.groupsBy(groups); },
                    .rankAt = runTimelineRankAt}} {}

}  // namespace app::gui
