// SPDX-License-Identifier: BSD-3-Clause
// Adds shapes to a scene; measures every text first, so that its box is exactly what it covers.
#pragma once

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/scene.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <QFont>
#include <QStringList>

namespace app::gui {

/// The font of the pictures: the same pixels on every device.
QFont fontOf(double points, bool bold = false);
QSizeF sizeOf(const QString& text, double points, bool bold = false);
/// Height of a line of text.
double lineHeight(double points);
/// Breaks `text` at spaces into lines at most `width` wide; a single longer word stays whole.
QStringList wrapped(const QString& text, double points, double width, bool bold = false);

/// As much of `text` as `room` pixels hold, with an ellipsis; empty where that is next to nothing.
QString elided(const QString& text, double points, double room, bool bold = false);
/// The same with the ellipsis in the middle: of a path the innermost calls stay.
QString elidedInside(const QString& text, double points, double room, bool bold = false);

/// Every how many items one may be labelled (1, 2, 5, 10, ...), if they are `pitch` apart and a label needs `room`.
std::int32_t labelStep(double pitch, double room);

class SceneBuilder {
public:
    SceneBuilder(Scene& scene, bool dark) : scene_{&scene}, palette_{paletteFor(dark)}, dark_{dark} {}

    [[nodiscard]] const Palette& palette() const { return palette_; }
    [[nodiscard]] bool dark() const { return dark_; }

    /// The added shape, for what is not in the arguments; valid until the next call.
    Shape& rectangle(const QRectF& box, const QColor& fill, const QColor& pen = {});
    /// `colours` stretched over `box`, a pixel a cell.
    Shape& cells(const QRectF& box, const QImage& colours);
    Shape& ellipse(const QRectF& box, const QColor& fill, const QColor& pen = {});
    Shape& line(QPointF from, QPointF to, const QColor& pen, double width = 1);
    Shape& arrow(QPointF from, QPointF to, const QColor& pen, double width = 1);
    /// `text` with the point of its box that `align` names at `at`: Qt::AlignLeft | Qt::AlignTop puts its upper left
    /// corner there, Qt::AlignCenter its middle.
    Shape& text(QPointF at, int align, const QString& text, double points, const QColor& pen, bool bold = false);
    /// The text in as many lines as it needs; the height they take.
    double paragraph(QPointF at, double width, const QString& text, double points, const QColor& pen);

    /// What was drawn so far, back to front.
    [[nodiscard]] const std::vector<Shape>& shapes() const { return scene_->shapes; }
    /// Whether no text of the scene touches `box`.
    [[nodiscard]] bool freeOfText(const QRectF& box) const;

private:
    Shape& add(Shape::Kind kind);

    Scene* scene_;
    Palette palette_;
    bool dark_;
};

/// Appends `part`, all of it `times` as large, moved by `by`.
void place(Scene& scene, const Scene& part, QPointF by, double times = 1);

/// Adds the shapes of `other` in front of those of `scene`. Returns the description of `other`.
QString putInFront(Scene& scene, Scene other);

}  // namespace app::gui
