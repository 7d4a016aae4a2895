// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/views/view_widget.hpp"

namespace app::gui {

/// The minimap: drag the window in it to move what the diagram shows, click beside it to bring it there, wheel or W and
/// S to zoom, A and D to move.
class OverviewPanel final : public ViewWidget {
    Q_OBJECT

public:
    explicit OverviewPanel(Playback& playback);

    [[nodiscard]] QSize sizeHint() const override { return {420, 40}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 26}; }

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] std::optional<engine::Picoseconds> timeAt(double x) const;

    std::optional<engine::Picoseconds> held_;  // how far behind the window's begin it was taken
};

}  // namespace app::gui
