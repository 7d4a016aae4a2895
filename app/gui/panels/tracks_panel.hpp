// SPDX-License-Identifier: BSD-3-Clause
// A traced program: its tracks, where its time went, and its iterations.
#pragma once

#include "app/gui/panels/diagram_panel.hpp"

namespace app::gui {

/// What every rank and every other location did when. Beside the keys of diagrams over time:
///
/// | Ctrl+wheel, E, Q      | rows higher, lower                   |
/// | Alt+wheel, Page Up, Page Down | other rows                   |
/// | middle drag           | moves rows as well                   |
/// | O, G                  | another order, other groups of ranks |
class TracksPanel final : public DiagramPanel {
    Q_OBJECT

public:
    explicit TracksPanel(Playback& playback);

    /// Makes rows `factor` times as high, with the one at `y` (pixels) kept in place, else that in the middle.
    void zoomRows(double factor, std::optional<double> y = {});
    /// Shows rows so many rows below (> 0) or above.
    void scrollRows(double rows);

protected:
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    /// The height of a row and the rows in sight; nothing without a program.
    struct Rows {
        double pitch = 1;
        double above = 0;  ///< pixels over the first one
        double top = 0;
        double seen = 0;
    };
    [[nodiscard]] std::optional<Rows> rows() const;
    void show(TracksView view);

    std::optional<double> dragged_;  ///< where the middle button was last
};

/// The call tree, with a cell for each rank.
class WherePanel final : public ViewWidget {
    Q_OBJECT

public:
    explicit WherePanel(Playback& playback);
    [[nodiscard]] QSize sizeHint() const override { return {520, 220}; }
};

/// A bar for each iteration.
class WhenPanel final : public ViewWidget {
    Q_OBJECT

public:
    explicit WhenPanel(Playback& playback);
    [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }
};

}  // namespace app::gui
