// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/views/overview_panel.hpp"

#include "app/gui/scenes/time/overview.hpp"
#include "app/gui/views/time_zoom.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace app::gui {

using engine::Picoseconds;

namespace {

ViewState looksAndHorizon(const DrawableRun&, ViewState state) {
    ViewState kept;
    kept.dark = state.dark;
    kept.horizon = state.horizon;
    return kept;
}

}  // namespace

OverviewPanel::OverviewPanel(Playback& playback)
    : ViewWidget{playback,
                 {.heading = "Overview of the whole run",
                  .table = overviewTable,
                  .upper = overviewForeground,
                  .lower = overviewBackground,
                  .depends = looksAndHorizon,
                  .ready = [](const DrawableRun& subject) { return !subject.isProgram() || subject.programReady(); },
                  .keys = "W and S zoom the diagram, A and D move it, 0 shows the whole run."}} {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

std::optional<Picoseconds> OverviewPanel::timeAt(double x) const {
    const DrawableRunPtr& subject = playback().subject();
    if (!subject) return std::nullopt;
    return std::clamp(overviewAxis(*subject, playback().state(), paper()).time(x / playback().magnification()),
                      Picoseconds{}, playback().duration());
}

void OverviewPanel::wheelEvent(QWheelEvent* event) {
    const auto time = timeAt(event->position().x());
    if (time) playback().zoom(std::pow(zoomStep, notchesOf(*event).y()), *time);
    event->accept();
}

void OverviewPanel::mousePressEvent(QMouseEvent* event) {
    const auto time = timeAt(event->position().x());
    if (!time || event->button() != Qt::LeftButton) return;
    const Picoseconds begin = playback().spanBegin();
    const Picoseconds length = playback().spanEnd() - begin;
    const bool inside = *time >= begin && *time <= begin + length;
    held_ = inside ? *time - begin : length / 2;
    if (!inside) mouseMoveEvent(event);
}

void OverviewPanel::mouseMoveEvent(QMouseEvent* event) {
    const auto time = timeAt(event->position().x());
    if (!held_ || !time) return ViewWidget::mouseMoveEvent(event);
    const Picoseconds length = playback().spanEnd() - playback().spanBegin();
    if (length >= playback().duration()) return playback().seek(*time);
    const double by = static_cast<double>((*time - *held_ - playback().spanBegin()).count());
    playback().pan(by / static_cast<double>(length.count()));
}

void OverviewPanel::mouseReleaseEvent(QMouseEvent*) { held_.reset(); }

void OverviewPanel::keyPressEvent(QKeyEvent* event) {
    const Picoseconds middle = playback().spanBegin() + (playback().spanEnd() - playback().spanBegin()) / 2;
    switch (event->key()) {
        case Qt::Key_W: return playback().zoom(zoomStep, middle);
        case Qt::Key_S: return playback().zoom(1 / zoomStep, middle);
        case Qt::Key_A: return playback().pan(-panStep);
        case Qt::Key_D: return playback().pan(panStep);
        case Qt::Key_0: return playback().showAll();
        default: ViewWidget::keyPressEvent(event);
    }
}

}  // namespace app::gui
