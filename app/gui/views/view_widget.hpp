// SPDX-License-Identifier: BSD-3-Clause
// A widget that shows one picture of the run: paints it, says what is under the mouse, and turns clicks and keys into
// selections.
#pragma once

#include "app/gui/playback/playback.hpp"
#include "app/gui/scenes/picture/views.hpp"

#include <QAction>
#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace app::gui {

class ViewWidget : public QWidget {
    Q_OBJECT

public:
    /// Its description is the picture in words, followed by the keys of `view`, or `keys`.
    ViewWidget(Playback& playback, const View& view, const QString& keys);
    ViewWidget(Playback& playback, const View& view) : ViewWidget{playback, view, tr(view.keys)} {}

    /// The message that what lies at `at` is, or is about.
    [[nodiscard]] virtual std::optional<std::uint32_t> messageAt(QPointF at);
    /// The topmost thing at `at`, as on the screen now.
    [[nodiscard]] std::optional<Meaning> meaningAt(QPointF at);
    /// What hovering there says; of two runs, of which.
    [[nodiscard]] QString tipAt(QPointF at);
    /// What it shows now, as a table; waits until that is there.
    [[nodiscard]] Table table() const;
    /// Whether it shows the run; until then, and only for a moment, it says that it is still at work.
    [[nodiscard]] bool ready() const;
    /// In which picture notes stand that are left here; `moment`: this one has no places for any.
    [[nodiscard]] virtual Mark::On notesOn() const { return Mark::On::moment; }
    /// The place of a note that is left at `at`; nothing: none can be there.
    [[nodiscard]] std::optional<Mark> placeAt(QPointF at);
    /// The place that is selected, at the moment of the cursor.
    [[nodiscard]] std::optional<Mark> placeSelected() const;
    /// All shapes on the screen, back to front.
    [[nodiscard]] std::vector<Shape> shapes();

    [[nodiscard]] QSize sizeHint() const override { return view_.preferred; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

Q_SIGNALS:
    /// What the mouse is on, in words; empty when it is on nothing.
    void pointedAt(const QString& words);

protected:
    [[nodiscard]] Playback& playback() const { return *playback_; }
    /// The room that scenes have: smaller than the widget while they are magnified.
    [[nodiscard]] QSizeF paper() const { return QSizeF{size()} / playback_->magnification(); }

    /// The rank or link at `at`, seen from the pictures alone.
    [[nodiscard]] virtual std::optional<Mark> placeBelow(QPointF at);
    /// What of the layer that is kept lies there.
    [[nodiscard]] std::optional<Meaning> meaningInLower(QPointF at);
    // Of a note under the pointer: whether the mouse has it now.
    bool takeNote(const QMouseEvent& event);
    bool dragNote(const QMouseEvent& event);
    bool dropNote();
    [[nodiscard]] bool draggingNote() const { return dragged_.has_value(); }
    /// Whether a button that went down at `from` comes up where it was: a drag is no click.
    [[nodiscard]] static bool isClick(const QMouseEvent& event, QPointF from);

    template <class Do>
    QAction* addKey(const QString& words, QKeySequence key, Do act) {
        auto* action = new QAction{words, this};
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, act);
        addAction(action);
        return action;
    }

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] std::optional<Meaning> betweenShapes(QPointF at) const;
    void forget();
    void showAgain();
    void refresh();
    [[nodiscard]] bool isLowerOf(const DrawableRunPtr& subject, const ViewState& needed) const;
    void keepAsLower(Scene scene, const DrawableRunPtr& subject, const ViewState& needed);
    bool showMeanwhile();
    void keepLower();
    void describe();
    void editNote();

    /// A note on its way.
    struct Dragged {
        std::size_t mark = 0;
        QPointF from;
        bool moved = false;
    };

    Playback* playback_;
    View view_;
    QString keys_;
    std::optional<Dragged> dragged_;
    std::optional<QPointF> pressed_;  // where the left button went down
    bool fresh_ = false;              // both scenes are those of the present state
    bool early_ = false;              // lower_ is what is shown until it is ready
    QTimer again_;                    // until it is ready
    Scene upper_;
    Scene lower_;
    // What lower_ was made for
    DrawableRunPtr lowerSubject_;
    ViewState lowerState_;
    QSizeF lowerSize_;
    QPixmap lowerPicture_;  // null when lower_ changed since
};

}  // namespace app::gui
