// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/panels/space_time_panel.hpp"

#include <QAction>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <cmath>

namespace app::gui {

using engine::Picoseconds;

namespace {

constexpr double zoomStep = 0.8;       // of the span, per key or notch of the wheel
constexpr double panStep = 0.15;       // of the span
constexpr double leastDrag = 4;        // pixels below which a drag is a click
constexpr double anglePerNotch = 120;  // QWheelEvent::angleDelta of one notch

ViewState allButTime(const Subject&, ViewState state) {
    state.time = {};
    return state;
}

}  // namespace

SpaceTimePanel::SpaceTimePanel(Playback& playback)
    : ViewWidget{playback,
                 {.upper = spaceTimeForeground, .lower = spaceTimeBackground, .depends = allButTime},
                 tr("Space-time diagram"),
                 tr("W and S zoom, A and D move, 0 shows the whole run, F fits the selection, Backspace undoes.")} {
    addKey(tr("Zoom &in"), Qt::Key_W, [this] { zoom(zoomStep); });
    addKey(tr("Zoom &out"), Qt::Key_S, [this] { zoom(1 / zoomStep); });
    addKey(tr("&Earlier"), Qt::Key_A, [this] { this->playback().pan(-panStep); });
    addKey(tr("&Later"), Qt::Key_D, [this] { this->playback().pan(panStep); });
    addKey(tr("Fit &selection"), Qt::Key_F, [this] { this->playback().fitSelection(); });
    addKey(tr("&Whole run"), Qt::Key_0, [this] { this->playback().showAll(); });
    addKey(tr("&Undo zoom"), Qt::Key_Backspace, [this] { this->playback().undoSpan(); });
}

template <class Do>
void SpaceTimePanel::addKey(const QString& words, Qt::Key key, Do act) {
    auto* action = new QAction{words, this};
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, act);
    addAction(action);
}

std::optional<TimeAxis> SpaceTimePanel::axis() const {
    if (!playback().subject()) return std::nullopt;
    return spaceTimeAxis(*playback().subject(), playback().state(), QSizeF{size()});
}

Picoseconds SpaceTimePanel::focusOfZoom() const {
    const Picoseconds time = playback().state().time;
    const Picoseconds begin = playback().spanBegin();
    const Picoseconds end = playback().spanEnd();
    return time >= begin && time <= end ? time : begin + (end - begin) / 2;
}

void SpaceTimePanel::zoom(double factor) { playback().zoom(factor, focusOfZoom()); }

void SpaceTimePanel::paintEvent(QPaintEvent* event) {
    ViewWidget::paintEvent(event);
    if (drag_ != Drag::ruler) return;
    QPainter painter{this};
    QColor tint = palette().color(QPalette::Highlight);
    tint.setAlpha(70);
    const QRectF dragged{QPointF{std::min(dragFrom_.x(), dragTo_.x()), 0.0},
                         QSizeF{std::abs(dragTo_.x() - dragFrom_.x()), static_cast<qreal>(height())}};
    painter.fillRect(dragged, tint);
}

void SpaceTimePanel::wheelEvent(QWheelEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis) return;
    const double notches = event->angleDelta().y() / anglePerNotch;
    const double sideways = event->angleDelta().x() / anglePerNotch;
    if (event->modifiers().testFlag(Qt::ShiftModifier)) playback().pan(-panStep * (notches + sideways));
    else if (notches != 0) playback().zoom(std::pow(zoomStep, notches), axis->time(event->position().x()));
    else if (sideways != 0) playback().pan(-panStep * sideways);
    event->accept();
}

void SpaceTimePanel::mousePressEvent(QMouseEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (!axis) return;
    dragFrom_ = dragTo_ = event->position();
    const std::optional<Meaning> meaning = meaningAt(event->position());
    if (event->button() == Qt::MiddleButton) {
        drag_ = Drag::move;
    } else if (event->button() == Qt::LeftButton && meaning && meaning->kind == Meaning::Kind::axis) {
        drag_ = Drag::ruler;
    } else if (event->button() == Qt::LeftButton) {
        if (meaning) playback().select(meaning);
        if (event->position().x() >= axis->left()) {
            drag_ = Drag::cursor;
            playback().seek(axis->time(event->position().x()));
        }
    }
}

void SpaceTimePanel::mouseMoveEvent(QMouseEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    if (drag_ == Drag::none || !axis) return ViewWidget::mouseMoveEvent(event);
    const QPointF before = std::exchange(dragTo_, event->position());
    switch (drag_) {
        case Drag::cursor: return playback().seek(axis->time(dragTo_.x()));
        case Drag::move: return playback().pan((before.x() - dragTo_.x()) / (axis->right() - axis->left()));
        case Drag::ruler:
        case Drag::none: return update();
    }
}

void SpaceTimePanel::mouseReleaseEvent(QMouseEvent* event) {
    const std::optional<TimeAxis> axis = this->axis();
    const Drag drag = std::exchange(drag_, Drag::none);
    dragTo_ = event->position();
    update();
    if (drag != Drag::ruler || !axis) return;
    if (std::abs(dragTo_.x() - dragFrom_.x()) < leastDrag) playback().seek(axis->time(dragTo_.x()));
    else playback().showSpan(axis->time(dragFrom_.x()), axis->time(dragTo_.x()));
}

}  // namespace app::gui
