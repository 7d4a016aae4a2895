// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/scene_builder.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"

#include <QFontMetricsF>
#include <QHash>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace app::gui {
namespace {

/// Pixels of a size in points.
int pixelsOf(double points) { return std::max(1, static_cast<int>(std::lround(points * 96 / 72))); }

/// Texts of one font as once measured: most are the same in the next frame.
class Measures {
public:
    /// Those of this thread.
    static Measures& of(double points, bool bold) {
        thread_local QFont family;
        thread_local std::vector<std::unique_ptr<Measures>> kept;
        // The application's font may have changed.
        if (const QFont now; now != family) {
            kept.clear();
            family = now;
        }
        const int pixels = pixelsOf(points);
        for (const std::unique_ptr<Measures>& each : kept)
            if (each->pixels_ == pixels && each->bold_ == bold) return *each;
        return *kept.emplace_back(new Measures{points, bold});
    }

    [[nodiscard]] double height() const { return height_; }

    QSizeF sizeOf(const QString& text) {
        const auto known = widths_.constFind(text);
        if (known != widths_.cend()) return {*known, height_};
        if (widths_.size() >= mostKept) widths_.clear();
        const double width = QFontMetricsF{fontOf(points_, bold_)}.horizontalAdvance(text);
        widths_.insert(text, width);
        return {width, height_};
    }

private:
    static constexpr qsizetype mostKept = 4096;

    Measures(double points, bool bold)
        : points_{points},
          pixels_{pixelsOf(points)},
          bold_{bold},
          height_{QFontMetricsF{fontOf(points, bold)}.height()} {}

    double points_;
    int pixels_;
    bool bold_;
    double height_;
    QHash<QString, double> widths_;
};

}  // namespace

QFont fontOf(double points, bool bold) {
    QFont font;
    font.setPixelSize(pixelsOf(points));
    font.setBold(bold);
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

QSizeF sizeOf(const QString& text, double points, bool bold) { return Measures::of(points, bold).sizeOf(text); }

double lineHeight(double points) { return Measures::of(points, false).height(); }

namespace {

/// Words of which none is a number without its unit.
QStringList unbroken(const QString& text) {
    constexpr qsizetype longestUnit = 4;  // letters, with what follows
    QStringList words;
    bool number = false;
    for (const QString& word : text.split(' ', Qt::SkipEmptyParts)) {
        if (number && word.size() <= longestUnit && !word.front().isDigit()) words.back() += ' ' + word;
        else words << word;
        number = word.back().isDigit();
    }
    return words;
}

}  // namespace

QStringList wrapped(const QString& text, double points, double width, bool bold) {
    Measures& measures = Measures::of(points, bold);
    QStringList lines;
    QString line;
    for (const QString& word : unbroken(text)) {
        const QString longer = line.isEmpty() ? word : line + ' ' + word;
        if (!line.isEmpty() && measures.sizeOf(longer).width() > width) {
            lines.push_back(line);
            line = word;
        } else {
            line = longer;
        }
    }
    if (!line.isEmpty()) lines.push_back(line);
    return lines;
}

namespace {

/// The longest cut of `text` that fits; `cut(n)` is the text shortened to n characters.
template <class Cut>
QString elidedBy(const QString& text, double points, double room, bool bold, const Cut& cut) {
    const double full = sizeOf(text, points, bold).width();
    if (full <= room) return text;
    constexpr qsizetype least = 3;  // letters
    for (auto fits = static_cast<qsizetype>(static_cast<double>(text.size()) * room / full); fits >= least; --fits)
        if (const QString shorter = cut(fits); sizeOf(shorter, points, bold).width() <= room) return shorter;
    return {};
}

}  // namespace

QString elided(const QString& text, double points, double room, bool bold) {
    return elidedBy(text, points, room, bold, [&](qsizetype letters) { return text.left(letters) + QChar{0x2026}; });
}

QString elidedInside(const QString& text, double points, double room, bool bold) {
    return elidedBy(text, points, room, bold, [&](qsizetype letters) {
        return text.left(letters - letters / 2) + QChar{0x2026} + text.right(letters / 2);
    });
}

std::int32_t labelStep(double pitch, double room) {
    std::int32_t step = 1;
    for (std::int32_t power = 1; step * pitch < room && power < 100'000'000; power *= 10)
        for (const std::int32_t factor : {1, 2, 5}) {
            step = power * factor;
            if (step * pitch >= room) break;
        }
    return step;
}

Shape& SceneBuilder::add(Shape::Kind kind) {
    Shape& shape = scene_->shapes.emplace_back();
    shape.kind = kind;
    return shape;
}

Shape& SceneBuilder::cells(const QRectF& box, const QImage& colours) {
    Shape& shape = add(Shape::Kind::cells);
    shape.box = box;
    shape.cells = colours;
    return shape;
}

Shape& SceneBuilder::rectangle(const QRectF& box, const QColor& fill, const QColor& pen) {
    Shape& shape = add(Shape::Kind::rectangle);
    shape.box = box;
    shape.fill = fill;
    shape.pen = pen;
    return shape;
}

Shape& SceneBuilder::ellipse(const QRectF& box, const QColor& fill, const QColor& pen) {
    Shape& shape = rectangle(box, fill, pen);
    shape.kind = Shape::Kind::ellipse;
    return shape;
}

Shape& SceneBuilder::line(QPointF from, QPointF to, const QColor& pen, double width) {
    Shape& shape = add(Shape::Kind::line);
    shape.from = from;
    shape.to = to;
    shape.pen = pen;
    shape.width = width;
    return shape;
}

Shape& SceneBuilder::arrow(QPointF from, QPointF to, const QColor& pen, double width) {
    Shape& shape = line(from, to, pen, width);
    shape.kind = Shape::Kind::arrow;
    return shape;
}

Shape& SceneBuilder::text(QPointF at, int align, const QString& text, double points, const QColor& pen, bool bold) {
    const QSizeF size = sizeOf(text, points, bold);
    const double x = (align & Qt::AlignLeft) ? 0 : (align & Qt::AlignRight) ? size.width() : size.width() / 2;
    const double y = (align & Qt::AlignTop) ? 0 : (align & Qt::AlignBottom) ? size.height() : size.height() / 2;
    Shape& shape = add(Shape::Kind::text);
    shape.box = {at - QPointF{x, y}, size};
    shape.pen = pen;
    shape.text = withoutControls(text);
    shape.align = align;
    shape.points = points;
    shape.bold = bold;
    return shape;
}

double SceneBuilder::paragraph(QPointF at, double width, const QString& text, double points, const QColor& pen) {
    const double height = lineHeight(points);
    double below = 0;
    for (const QString& line : wrapped(text, points, width)) {
        this->text(at + QPointF{0, below}, Qt::AlignLeft | Qt::AlignTop, line, points, pen);
        below += height;
    }
    return below;
}

bool SceneBuilder::freeOfText(const QRectF& box) const {
    return std::none_of(scene_->shapes.begin(), scene_->shapes.end(), [&](const Shape& shape) {
        return shape.kind == Shape::Kind::text && shape.box.intersects(box);
    });
}

void place(Scene& scene, const Scene& part, QPointF by, double times) {
    for (Shape shape : part.shapes) {
        shape.box = {shape.box.topLeft() * times + by, shape.box.size() * times};
        shape.from = shape.from * times + by;
        shape.to = shape.to * times + by;
        if (times != 1) {
            shape.width *= times;
            shape.points *= times;
            shape.radius *= times;
        }
        scene.shapes.push_back(std::move(shape));
    }
}

QString putInFront(Scene& scene, Scene other) {
    scene.shapes.insert(scene.shapes.end(), std::make_move_iterator(other.shapes.begin()),
                        std::make_move_iterator(other.shapes.end()));
    return other.description;
}

}  // namespace app::gui
