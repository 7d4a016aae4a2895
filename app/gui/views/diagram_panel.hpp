// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "app/gui/views/view_widget.hpp"

namespace app::gui {

/// A picture over time, with a visible part that can be zoomed and moved; its actions are these keys.
///
/// | wheel, W, S           | zoom around the mouse or the cursor |
/// | Shift+wheel, A, D     | move                                |
/// | click                 | set the cursor; select what is hit  |
/// | drag on the ruler     | zoom to what was dragged over       |
/// | middle drag           | move, rows as well                  |
/// | Backspace, 0, F       | undo, whole run, fit the selection  |
/// | Ctrl+wheel, E, Q      | rows higher, lower                  |
/// | Alt+wheel, Page Up, Page Down | other rows                  |
/// | G, Shift+G            | other groups of ranks; fold or unfold all of them |
class DiagramPanel : public ViewWidget {
    Q_OBJECT

public:
    /// What a picture says of its own arrangement.
    struct Arrangement {
        TimeAxis (*axis)(const DrawableRun&, const ViewState&, QSizeF);
        /// Nothing where there are no rows.
        std::optional<RowsInSight> (*rows)(const DrawableRun&, const ViewState&, QSizeF);
        /// The groups that its rows can stand in.
        const std::vector<analysis::RankGroup>& (*groups)(const DrawableRun&, ProgramTimelineView::Groups);
        /// The rank whose row lies at a height; nothing where none does, or a group that is folded.
        std::optional<engine::Rank> (*rankAt)(const DrawableRun&, const ViewState&, QSizeF, double);
    };

    DiagramPanel(Playback& playback, const View& view, Arrangement arrangement);

    /// The axis on the screen; nothing before the first run.
    [[nodiscard]] std::optional<TimeAxis> axis() const;

    /// How long the measured span is and how many messages begin in it; empty when none is measured.
    [[nodiscard]] QString measure() const;

    /// Also that which a rank at `at` is in then, or waits for.
    [[nodiscard]] std::optional<std::uint32_t> messageAt(QPointF at) override;
    [[nodiscard]] Mark::On notesOn() const override { return Mark::On::ranks; }

    /// Makes the visible span `factor` times as long, around the cursor where that is visible.
    void zoom(double factor);

    /// Makes rows `factor` times as high, with the one at `y` (pixels) kept in place, else that in the middle.
    void zoomRows(double factor, std::optional<double> y = {});
    /// Shows rows so many rows below (> 0) or above.
    void scrollRows(double rows);
    /// The actions that are about rows, and those about time.
    [[nodiscard]] const QList<QAction*>& rowActions() const { return rowActions_; }
    [[nodiscard]] const QList<QAction*>& timeActions() const { return timeActions_; }

protected:
    [[nodiscard]] std::optional<Mark> placeBelow(QPointF at) override;
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

    template <class Do>
    void addRowKey(const QString& words, QKeySequence key, Do act) {
        rowActions_ << addKey(words, key, act);
    }
    void addRowAction(QAction* action) {
        addAction(action);
        rowActions_ << action;
    }

    /// The next one of values that are numbered from 0.
    template <class Value>
    static Value next(Value value, int values) {
        return static_cast<Value>((static_cast<int>(value) + 1) % values);
    }

private:
    enum class Drag : std::uint8_t { none, ruler, cursor, move, measure };

    void addTimeKeys();
    void addRowKeys();
    [[nodiscard]] std::optional<RowsInSight> rows() const;
    void groupNext();
    void foldAll();

    [[nodiscard]] engine::Picoseconds focusOfZoom() const;
    void toggleMark();
    void paintMeasure(QPainter& painter) const;

    struct Distance {
        engine::Picoseconds begin{};
        engine::Picoseconds end{};
    };

    Arrangement arrangement_;
    QList<QAction*> timeActions_;
    QList<QAction*> rowActions_;
    Drag drag_ = Drag::none;
    std::optional<Meaning> pressed_;  // what the left button went down on
    std::optional<Distance> measured_;
    QPointF dragFrom_;
    QPointF dragTo_;
};

/// Ranks downwards, time to the right: messages and what ports do.
class RunTimelinePanel final : public DiagramPanel {
    Q_OBJECT

public:
    explicit RunTimelinePanel(Playback& playback);
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 92}; }
};

}  // namespace app::gui
