// SPDX-License-Identifier: BSD-3-Clause
// The window for a room full of people: full screen, large letters, slow motion, and only the panels that a lesson is
// about; of two runs their pictures alone. Off again, everything is as it was before.
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/settings/dock_areas.hpp"

#include <QFont>

namespace app::gui {

/// Share of the usual speed at which every message can be followed.
inline constexpr double slowMotion = 0.25;

class Projector final : public QObject {
    Q_OBJECT

public:
    /// `other`: the second run, while two are compared.
    Projector(QMainWindow& window, DockAreas& docks, Playback& playback, Playback& other);

    [[nodiscard]] bool on() const { return before_.has_value(); }
    void set(bool on);
    /// To be called when a comparison began or ended.
    void choosePanels();
    /// The window's, as it is without this: a window that leaves the full screen has its size again only later.
    [[nodiscard]] QByteArray geometry() const { return before_ ? before_->geometry : window_->saveGeometry(); }

Q_SIGNALS:
    void changed(bool on);

private:
    struct Before {
        QByteArray geometry;
        DockAreas::Arrangement docks;
        QFont font;
        double speed = 1;
        Qt::WindowStates window;
    };

    void turnOn();
    void turnOff();

    QMainWindow* window_;
    DockAreas* docks_;
    Playback* playback_;
    Playback* secondPlayback_;
    std::optional<Before> before_;
};

}  // namespace app::gui
