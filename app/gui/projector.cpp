// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/projector.hpp"

#include <QApplication>

#include <algorithm>
#include <utility>

namespace app::gui {
namespace {

constexpr double projected = 1.6;  // times the usual size of letters

}  // namespace

Projector::Projector(QMainWindow& window, Docks& docks, Playback& playback)
    : window_{&window}, docks_{&docks}, playback_{&playback} {}

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
    playback_->setMagnification(projected);
    playback_->setSpeed(std::min(playback_->speed(), slowMotion));
    const QStringList ofALesson{"lesson", "explanation", "holdings"};
    for (QDockWidget* dock : docks_->all())
        if (!ofALesson.contains(dock->objectName())) dock->hide();
    for (const char* name : {"explanation", "holdings"}) (*docks_)[name].show();
    window_->setWindowState(window_->windowState() | Qt::WindowFullScreen);
}

void Projector::turnOff() {
    const Before before = *std::exchange(before_, std::nullopt);
    QApplication::setFont(before.font);
    playback_->setMagnification(1);
    playback_->setSpeed(before.speed);
    window_->setWindowState(before.window);
    docks_->bringBack(before.docks);
}

}  // namespace app::gui
