// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/panels/view_widget.hpp"

#include <QAction>

namespace app::gui {

/// A picture over time, with a visible part that can be zoomed and moved; its actions are these keys.
///
/// | wheel, W, S           | zoom around the mouse or the cursor |
/// | Shift+wheel, A, D     | move                                |
/// | click                 | set the cursor; select what is hit  |
/// | drag on the ruler     | zoom to what was dragged over       |
/// | middle drag           | move                                |
/// | Backspace, 0, F       | undo, whole run, fit the selection  |
class DiagramPanel : public ViewWidget {
    Q_OBJECT

public:
    using AxisFunction = TimeAxis (*)(const Subject&, const ViewState&, QSizeF);

    /// `axis`: that of the picture.
    DiagramPanel(Playback& playback, View view, AxisFunction axis, const QString& name, const QString& keys);

    /// The axis on the screen; nothing before the first run.
    [[nodiscard]] std::optional<TimeAxis> axis() const;

    /// How long the measured span is and how many messages begin in it; empty when none is measured.
    [[nodiscard]] QString measure() const;

    /// Makes the visible span `factor` times as long, around the cursor where that is visible.
    void zoom(double factor);

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

    template <class Do>
    void addKey(const QString& words, QKeySequence key, Do act) {
        auto* action = new QAction{words, this};
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
    }

private:
    enum class Drag : std::uint8_t { none, ruler, cursor, move, measure };

    [[nodiscard]] engine::Picoseconds focusOfZoom() const;
    void toggleMark();
    void paintMeasure(QPainter& painter) const;

    struct Distance {
        engine::Picoseconds begin{};
        engine::Picoseconds end{};
    };

    AxisFunction axis_;
    Drag drag_ = Drag::none;
    std::optional<Distance> measured_;
    QPointF dragFrom_;
    QPointF dragTo_;
};

/// Ranks downwards, time to the right: messages and what ports do.
class SpaceTimePanel final : public DiagramPanel {
    Q_OBJECT

public:
    explicit SpaceTimePanel(Playback& playback);
};

}  // namespace app::gui
