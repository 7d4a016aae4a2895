// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/window/projector.hpp"

#include <QApplication>

#include <algorithm>
#include <utility>

namespace app::gui {
namespace {

constexpr double projected = 1.6;  // times the usual size of letters

}  // namespace

Projector::Projector(QMainWindow& window, DockAreas& docks, Playback& playback, Playback& other)
    : window_{&window}, docks_{&docks}, playback_{&playback}, secondPlayback_{&other} {}

void Projector::set(bool on) {
    if (on == this->on()) return;
    on ? turnOn() : turnOff();
    Q_EMIT changed(on);
}

void Projector::turnOn() {
    before_ = Before{window_->saveGeometry(), docks_->arrangement(), QApplication::font(), playback_->speed(),
                     window_->windowState()};
    QFont large = QApplication::font();
    large.setPointSizeF(large.pointSizeF() * projected);
    QApplication::setFont(large);
    for (Playback* each : {playback_, secondPlayback_}) each->setMagnification(projected);
    playback_->setSpeed(std::min(playback_->speed(), slowMotion));
    choosePanels();
    window_->setWindowState(window_->windowState() | Qt::WindowFullScreen);
}

void Projector::choosePanels() {
    if (!on()) return;
    for (const DockRow& row : dockRows()) {
        const bool isBeside = row.dock == Dock::explanation || row.dock == Dock::blockOwnership;
        if (isBeside && !secondPlayback_->subject()) (*docks_)[row.dock].show();
        else if (row.dock != Dock::lesson) (*docks_)[row.dock].hide();
    }
}

void Projector::turnOff() {
    const Before before = *std::exchange(before_, std::nullopt);
    QApplication::setFont(before.font);
    for (Playback* each : {playback_, secondPlayback_}) each->setMagnification(1);
    playback_->setSpeed(before.speed);
    window_->setWindowState(before.window);
    docks_->bringBack(before.docks);
}

}  // namespace app::gui
