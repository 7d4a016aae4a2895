// SPDX-License-Identifier: BSD-3-Clause
// A widget that shows one picture of the run: paints it, says what is under the mouse, and turns clicks and keys into
// selections.
#pragma once

#include "app/gui/playback.hpp"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace app::gui {

/// How a picture is made. A lower layer, where there is one, is painted once and kept while `depends` stays the same.
struct View {
    using SceneFunction = Scene (*)(const Subject&, const ViewState&, QSizeF);

    using TableFunction = Table (*)(const Subject&, const ViewState&);

    SceneFunction upper;
    TableFunction table;
    SceneFunction lower = nullptr;
    /// The state with everything blanked that the lower layer does not depend on.
    ViewState (*depends)(const Subject&, ViewState) = nullptr;
    /// Whether what it shows is there without waiting; null: always.
    bool (*ready)(const Subject&) = nullptr;
    /// What lies where no shape says so; null: nothing.
    std::optional<Meaning> (*at)(const Subject&, const ViewState&, QSizeF, QPointF) = nullptr;
};

/// The upper layer of a picture that has one layer.
inline Scene noScene(const Subject&, const ViewState&, QSizeF) { return {}; }

class ViewWidget : public QWidget {
    Q_OBJECT

public:
    /// `name`: what a screen reader calls it; its description is the picture in words, followed by `keys`.
    ViewWidget(Playback& playback, View view, const QString& name, const QString& keys);

    /// The topmost thing at `at`, as on the screen now.
    [[nodiscard]] std::optional<Meaning> meaningAt(QPointF at);
    /// What hovering there says.
    [[nodiscard]] QString tipAt(QPointF at);
    /// What it shows now, as a table; waits until that is there.
    [[nodiscard]] Table table() const;
    /// Whether it shows the run; until then, and only for a moment, it says that it is still at work.
    [[nodiscard]] bool ready() const;
    /// Where a note about `meaning`, pointed at with the mouse at `at` or with keys, is put; nothing: this picture has
    /// no notes, or none there.
    [[nodiscard]] virtual std::optional<PinnedNote> placeOf(const std::optional<Meaning>& meaning,
                                                            std::optional<QPointF> at) const;
    /// Asks for a note about what is selected; false: nothing is that can have one.
    bool putNote();
    /// All shapes on the screen, back to front.
    [[nodiscard]] std::vector<Shape> shapes();

    [[nodiscard]] QSize sizeHint() const override { return {420, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, 80}; }

Q_SIGNALS:
    /// What the mouse is on, in words; empty when it is on nothing.
    void pointedAt(const QString& words);

protected:
    [[nodiscard]] Playback& playback() const { return *playback_; }
    /// The room that scenes have: smaller than the widget while they are magnified.
    [[nodiscard]] QSizeF paper() const { return QSizeF{size()} / playback_->magnification(); }

    /// The rank that `meaning` is about: of a message its sender.
    [[nodiscard]] std::optional<engine::Rank> rankOf(const std::optional<Meaning>& meaning) const;

    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    [[nodiscard]] std::optional<Meaning> betweenShapes(QPointF at) const;
    void forget();
    void refresh();
    void keepLower();
    void describe();

    Playback* playback_;
    View view_;
    QString keys_;
    bool fresh_ = false;  // both scenes are those of the present state
    QTimer again_;        // until it is ready
    Scene upper_;
    Scene lower_;
    // What lower_ was made for
    SubjectPtr lowerSubject_;
    ViewState lowerState_;
    QSizeF lowerSize_;
    QPixmap lowerPicture_;  // null when lower_ changed since
};

}  // namespace app::gui
