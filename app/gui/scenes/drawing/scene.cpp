// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/drawing/scene.hpp"

#include "app/gui/scenes/drawing/scene_builder.hpp"

#include <QPaintEngine>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <map>

namespace app::gui {
namespace {

// Antialiased lines cost forty times as much as plain ones, and many small ellipses ten times as much as pictures of
// them; above these numbers nobody sees the difference.
constexpr std::ptrdiff_t mostSmoothLines = 300;         // of a frame
constexpr std::ptrdiff_t mostSmoothInPicture = 20'000;  // a second
constexpr std::ptrdiff_t mostRealEllipses = 500;
constexpr double largestSprite = 24;
constexpr std::size_t mostSprites = 1024;  // kept between frames

/// Pictures of small ellipses, one for each look. They stay for the next frames, whose looks are mostly the same.
class Sprites {
public:
    /// Those of this thread, for a device with `ratio` pixels per unit.
    static Sprites& forDevice(double ratio) {
        thread_local Sprites kept;
        if (kept.ratio_ != ratio || kept.sprites_.size() > mostSprites) {
            kept.sprites_.clear();
            kept.last_ = kept.sprites_.end();
            kept.ratio_ = ratio;
        }
        return kept;
    }

    void draw(QPainter& painter, const Shape& shape) {
        const Look look{shape.box.width(), shape.box.height(), shape.fill.isValid() ? shape.fill.rgba() : 0,
                        shape.pen.isValid() ? shape.pen.rgba() : 0, shape.width};
        if (last_ == sprites_.end() || last_->first != look) {
            last_ = sprites_.find(look);
            if (last_ == sprites_.end()) last_ = sprites_.emplace(look, make(shape, ratio_)).first;
        }
        const double half = last_->second.width() / (2 * ratio_);
        const QPointF corner = shape.box.center() - QPointF{half, half};
        painter.drawImage(QPointF{std::round(corner.x()), std::round(corner.y())}, last_->second);
    }

private:
    using Look = std::tuple<double, double, QRgb, QRgb, double>;

    Sprites() = default;

    static QImage make(const Shape& shape, double ratio) {
        const double side = std::ceil(std::max(shape.box.width(), shape.box.height()) + shape.width);
        const int pixels = static_cast<int>(std::ceil(side * ratio));
        QImage image{pixels, pixels, QImage::Format_ARGB32_Premultiplied};
        image.setDevicePixelRatio(ratio);
        image.fill(Qt::transparent);
        QPainter painter{&image};
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(shape.pen.isValid() ? QPen{shape.pen, shape.width} : QPen{Qt::NoPen});
        painter.setBrush(shape.fill.isValid() ? QBrush{shape.fill} : QBrush{Qt::NoBrush});
        painter.drawEllipse(QPointF{side / 2, side / 2}, shape.box.width() / 2, shape.box.height() / 2);
        return image;
    }

    double ratio_ = 0;
    std::map<Look, QImage> sprites_;
    std::map<Look, QImage>::iterator last_ = sprites_.end();
};

QPen penOf(const Shape& shape) {
    if (!shape.pen.isValid()) return QPen{Qt::NoPen};
    QPen pen{shape.pen, shape.width, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin};
    if (shape.dashed) pen.setDashPattern({3 / std::max(1.0, shape.width), 3 / std::max(1.0, shape.width)});
    return pen;
}

/// Lines of our own instead of a brush, whose pattern would not grow with the picture nor reach SVG and PDF alike.
void hatch(QPainter& painter, const Shape& shape) {
    const QRectF& box = shape.box;
    const QPointF middle = box.center();
    const bool round = shape.kind == Shape::Kind::ellipse;
    painter.setPen(QPen{shape.pen, 1});
    // Lines x + y = sum, at places of the paper and not of the box: neighbouring boxes continue each other's hatch.
    const double first = std::ceil((box.left() + box.top()) / hatchApart) * hatchApart;
    QList<QLineF> lines;
    for (double sum = first; sum < box.right() + box.bottom(); sum += hatchApart) {
        double low = std::max(box.left(), sum - box.bottom());
        double high = std::min(box.right(), sum - box.top());
        if (round) {
            const double across = (sum - middle.x() - middle.y()) / 2;
            const double rest = box.width() * box.width() / 8 - across * across;
            if (rest <= 0) continue;
            low = middle.x() + across - std::sqrt(rest);
            high = middle.x() + across + std::sqrt(rest);
        }
        if (high > low) lines.push_back({low, sum - low, high, sum - high});
    }
    painter.drawLines(lines);
}

void drawArrowHead(QPainter& painter, const Shape& shape) {
    const std::optional<ArrowHead> head = arrowHeadOf(shape);
    if (!head) return;
    painter.setPen(Qt::NoPen);
    painter.setBrush(shape.pen);
    painter.drawConvexPolygon(head->data(), static_cast<int>(head->size()));
}

/// What lies around a line, below it.
void drawCasing(QPainter& painter, const Shape& shape) {
    painter.setPen(QPen{shape.casing, shape.width + 2 * casingWidth, Qt::SolidLine, Qt::FlatCap});
    painter.drawLine(shape.from, shape.to);
}

/// A plain line. Strokes cost ten times as much as boxes, which those along an axis are.
void drawPlainLine(QPainter& painter, const Shape& shape) {
    const QPointF along = shape.to - shape.from;
    const double half = shape.width / 2;
    const bool level = along.y() == 0;
    if (shape.width <= 1 || shape.dashed || !shape.pen.isValid() || (!level && along.x() != 0)) {
        painter.setPen(penOf(shape));
        painter.drawLine(shape.from, shape.to);
        return;
    }
    const QPointF aside = level ? QPointF{0, half} : QPointF{half, 0};
    painter.fillRect(QRectF{shape.from, shape.to}.normalized().adjusted(-aside.x(), -aside.y(), aside.x(), aside.y()),
                     shape.pen);
}

void drawText(QPainter& painter, const Shape& shape) {
    painter.setFont(fontOf(shape.points, shape.bold));
    painter.setPen(shape.pen);
    const int align = shape.align | Qt::TextDontClip | Qt::TextSingleLine;
    // Fonts have whole pixels: in an enlarged picture a text may become wider than what was measured for it.
    const QSizeF size = sizeOf(shape.text, shape.points, shape.bold);
    if (size.width() <= shape.box.width() + 0.5) return painter.drawText(shape.box, align, shape.text);
    painter.save();
    painter.translate(shape.box.topLeft());
    painter.scale(shape.box.width() / size.width(), 1);
    painter.drawText(QRectF{0, 0, size.width(), shape.box.height()}, align, shape.text);
    painter.restore();
}

/// Distance of `at` from the shape; 0 inside.
double distance(const Shape& shape, QPointF at) {
    if (shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow) {
        const QPointF along = shape.to - shape.from;
        const double square = QPointF::dotProduct(along, along);
        const double share =
            square == 0 ? 0 : std::clamp(QPointF::dotProduct(at - shape.from, along) / square, 0.0, 1.0);
        const QPointF apart = at - (shape.from + share * along);
        return std::max(0.0, std::hypot(apart.x(), apart.y()) - shape.width / 2);
    }
    if (shape.kind == Shape::Kind::ellipse) {
        const QPointF apart = at - shape.box.center();
        return std::max(0.0, std::hypot(apart.x(), apart.y()) - shape.box.width() / 2);
    }
    const double x = std::max({shape.box.left() - at.x(), at.x() - shape.box.right(), 0.0});
    const double y = std::max({shape.box.top() - at.y(), at.y() - shape.box.bottom(), 0.0});
    return std::hypot(x, y);
}

/// The topmost shape that says something and lies at `at`; lines are given some width to be hit.
const Shape* shapeAt(const Scene& scene, QPointF at) {
    for (auto shape = scene.shapes.rbegin(); shape != scene.shapes.rend(); ++shape) {
        if (shape->meaning.kind == Meaning::Kind::none && shape->tip.isEmpty()) continue;
        const bool thin = shape->kind == Shape::Kind::line || shape->kind == Shape::Kind::arrow;
        if (distance(*shape, at) <= (thin ? 4 : 1)) return &*shape;
    }
    return nullptr;
}

}  // namespace

std::optional<ArrowHead> arrowHeadOf(const Shape& arrow) {
    const QPointF along = arrow.to - arrow.from;
    const double length = std::hypot(along.x(), along.y());
    if (length < 1) return std::nullopt;
    const double size = std::min(length, 3.5 + 2 * arrow.width);
    const QPointF back = along / length * size;
    const QPointF aside{-back.y() * 0.4, back.x() * 0.4};
    return ArrowHead{arrow.to, arrow.to - back + aside, arrow.to - back - aside};
}

void paint(QPainter& painter, const Scene& scene, Strokes strokes) {
    std::ptrdiff_t lines = 0;
    std::ptrdiff_t ellipses = 0;
    for (const Shape& shape : scene.shapes) {
        lines += shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow ? 1 : 0;
        ellipses += shape.kind == Shape::Kind::ellipse ? 1 : 0;
    }
    const bool raster = painter.paintEngine()->type() == QPaintEngine::Raster;
    const bool plainLines = raster && lines > (strokes == Strokes::smooth ? mostSmoothInPicture : mostSmoothLines);
    const bool useSprites =
        raster && painter.transform().type() <= QTransform::TxTranslate && ellipses > mostRealEllipses;
    Sprites& sprites = Sprites::forDevice(painter.device()->devicePixelRatioF());
    painter.save();
    bool smoothNow = painter.testRenderHint(QPainter::Antialiasing);
    for (const Shape& shape : scene.shapes) {
        // Edges of boxes with square corners lie on whole pixels as they are; smoothing would only blur them.
        const bool line = shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow;
        const bool square = shape.kind == Shape::Kind::rectangle && shape.radius == 0 && !shape.pen.isValid();
        const bool smooth = !square && !(line && plainLines);
        if (smoothNow != smooth) {
            painter.setRenderHint(QPainter::Antialiasing, smooth);
            smoothNow = smooth;
        }
        switch (shape.kind) {
            case Shape::Kind::text: drawText(painter, shape); continue;
            case Shape::Kind::line:
            case Shape::Kind::arrow:
                if (plainLines) {
                    drawPlainLine(painter, shape);
                } else {
                    if (shape.casing.isValid()) drawCasing(painter, shape);
                    painter.setPen(penOf(shape));
                    painter.drawLine(shape.from, shape.to);
                }
                if (shape.kind == Shape::Kind::arrow) drawArrowHead(painter, shape);
                continue;
            case Shape::Kind::cells:
                painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
                painter.drawImage(shape.box, *shape.cells);
                continue;
            case Shape::Kind::rectangle:
            case Shape::Kind::ellipse: break;
        }
        if (useSprites && shape.kind == Shape::Kind::ellipse && !shape.hatched && !shape.dashed &&
            shape.box.width() <= largestSprite) {
            sprites.draw(painter, shape);
            continue;
        }
        if (square && !shape.hatched) {
            if (shape.fill.isValid()) painter.fillRect(shape.box, shape.fill);
            continue;
        }
        painter.setPen(penOf(shape));
        painter.setBrush(shape.fill.isValid() ? QBrush{shape.fill} : QBrush{Qt::NoBrush});
        if (shape.kind == Shape::Kind::ellipse) painter.drawEllipse(shape.box);
        else if (shape.radius > 0) painter.drawRoundedRect(shape.box, shape.radius, shape.radius);
        else painter.drawRect(shape.box);
        if (shape.hatched) hatch(painter, shape);
    }
    painter.restore();
}

std::optional<Meaning> meaningAt(const Scene& scene, QPointF at) {
    const Shape* shape = shapeAt(scene, at);
    if (shape == nullptr || shape->meaning.kind == Meaning::Kind::none) return std::nullopt;
    return shape->meaning;
}

QString ownTipAt(const Scene& scene, QPointF at) {
    const Shape* shape = shapeAt(scene, at);
    return shape == nullptr ? QString{} : shape->tip;
}

QString tipAt(const DrawableRun& subject, const Scene& scene, QPointF at) {
    const Shape* shape = shapeAt(scene, at);
    if (shape == nullptr) return {};
    return shape->tip.isEmpty() ? wordsFor(subject, shape->meaning) : shape->tip;
}

}  // namespace app::gui
