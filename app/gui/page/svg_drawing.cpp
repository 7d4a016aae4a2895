// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/page/svg_drawing.hpp"

#include "engine/base/error.hpp"

#include <QJsonArray>
#include <QJsonDocument>

#include <cmath>

namespace app::gui::page {
namespace {

/// A tenth of a pixel is as fine as anybody sees.
QByteArray number(double value) {
    QByteArray words = QByteArray::number(std::round(value * 10) / 10, 'f', 1);
    if (words.endsWith(".0")) words.chop(2);
    return words == "-0" ? QByteArray{"0"} : words;
}

QByteArray attribute(const char* name, double value) { return QByteArray{" "} + name + "=\"" + number(value) + '"'; }

QByteArray attribute(const char* name, const QByteArray& value) { return QByteArray{" "} + name + "=\"" + value + '"'; }

bool isLine(const Shape& shape) { return shape.kind == Shape::Kind::line || shape.kind == Shape::Kind::arrow; }

/// Fill, outline, what it means and what it says: what all kinds have.
QByteArray looksOf(const Shape& light, const Shape& dark, Inks& inks) {
    QByteArrayList classes;
    const bool text = light.kind == Shape::Kind::text;
    const auto ink = [&](const char* letter, const QColor& onLight, const QColor& onDark) {
        if (onLight.isValid()) classes += letter + QByteArray::number(inks.of(onLight, onDark));
    };
    if (text) ink("f", light.pen, dark.pen);
    else if (!isLine(light)) ink("f", light.fill, dark.fill);
    if (!text) ink("s", light.pen, dark.pen);
    QByteArray looks = classes.isEmpty() ? QByteArray{} : attribute("class", classes.join(' '));
    if (!text && !isLine(light) && !light.fill.isValid()) looks += attribute("fill", "none");
    if (!text && light.pen.isValid() && light.width != 1) looks += attribute("stroke-width", light.width);
    if (!text && light.dashed) looks += attribute("stroke-dasharray", "3 3");
    if (const QByteArray name = nameOf(light.meaning); !name.isEmpty()) looks += attribute("data-m", name);
    if (!light.tip.isEmpty()) looks += attribute("data-tip", light.tip.toHtmlEscaped().toUtf8());
    return looks;
}

QByteArray pathOf(const Shape& shape, const QByteArray& looks) {
    return "<path" + looks +
           attribute("d", 'M' + number(shape.from.x()) + ' ' + number(shape.from.y()) + 'L' + number(shape.to.x()) +
                              ' ' + number(shape.to.y())) +
           "/>";
}

QByteArray lineOf(const Shape& light, const Shape& dark, const QByteArray& looks, Inks& inks) {
    if (!light.casing.isValid()) return pathOf(light, looks);
    QByteArray around = attribute("class", 's' + QByteArray::number(inks.of(light.casing, dark.casing))) +
                        attribute("stroke-width", light.width + 2 * casingWidth);
    if (const QByteArray name = nameOf(light.meaning); !name.isEmpty()) around += attribute("data-m", name);
    return pathOf(light, around) + pathOf(light, looks);
}

QByteArray headOf(const Shape& light, const Shape& dark, Inks& inks) {
    const std::optional<ArrowHead> head = arrowHeadOf(light);
    if (!head) return {};
    QByteArray corners;
    for (const QPointF& corner : *head) corners += number(corner.x()) + ',' + number(corner.y()) + ' ';
    corners.chop(1);
    QByteArray looks = attribute("class", 'f' + QByteArray::number(inks.of(light.pen, dark.pen)));
    if (const QByteArray name = nameOf(light.meaning); !name.isEmpty()) looks += attribute("data-m", name);
    return "<polygon" + looks + attribute("points", corners) + "/>";
}

QByteArray textOf(const Shape& shape, const QByteArray& looks) {
    // Measured here, drawn with whatever font the reader has: it keeps to its box.
    QByteArray words = "<text" + looks + attribute("x", shape.box.left()) + attribute("y", shape.box.center().y()) +
                       attribute("font-size", shape.points * 96 / 72);
    if (shape.bold) words += attribute("font-weight", "bold");
    if (shape.text.size() > 2) words += attribute("textLength", shape.box.width());
    return words + '>' + shape.text.toHtmlEscaped().toUtf8() + "</text>";
}

QByteArray boxOf(const Shape& shape, const QByteArray& looks) {
    const QRectF& box = shape.box;
    if (shape.kind == Shape::Kind::ellipse)
        return "<ellipse" + looks + attribute("cx", box.center().x()) + attribute("cy", box.center().y()) +
               attribute("rx", box.width() / 2) + attribute("ry", box.height() / 2) + "/>";
    return "<rect" + looks + attribute("x", box.left()) + attribute("y", box.top()) + attribute("width", box.width()) +
           attribute("height", box.height()) + (shape.radius > 0 ? attribute("rx", shape.radius) : QByteArray{}) + "/>";
}

QByteArray svgOf(const Shape& light, const Shape& dark, Inks& inks) {
    const QByteArray looks = looksOf(light, dark, inks);
    if (light.kind == Shape::Kind::text) return textOf(light, looks);
    if (light.kind == Shape::Kind::line) return lineOf(light, dark, looks, inks);
    if (light.kind == Shape::Kind::arrow) return lineOf(light, dark, looks, inks) + headOf(light, dark, inks);
    QByteArray words = boxOf(light, looks);
    if (light.hatched)
        words +=
            boxOf(light, attribute("fill", "url(#h" + QByteArray::number(inks.hatching(light.pen, dark.pen)) + ')') +
                             attribute("pointer-events", "none"));
    return words;
}

/// Neighbours in a row that look alike on both papers, as one.
std::vector<std::pair<Shape, Shape>> apart(const Shape& light, const Shape& dark) {
    std::vector<std::pair<Shape, Shape>> all;
    const QImage& onLight = *light.cells;
    const QImage& onDark = *dark.cells;
    const double width = light.box.width() / onLight.width();
    const double height = light.box.height() / onLight.height();
    for (int row = 0; row < onLight.height(); ++row)
        for (int column = 0; column < onLight.width();) {
            const auto at = [&](int x) { return std::pair{onLight.pixel(x, row), onDark.pixel(x, row)}; };
            const auto colours = at(column);
            const int from = column;
            while (column < onLight.width() && at(column) == colours) ++column;
            if (qAlpha(colours.first) == 0) continue;
            Shape one;
            one.box = {light.box.left() + from * width, light.box.top() + row * height, (column - from) * width,
                       height};
            one.fill = QColor::fromRgba(colours.first);
            Shape other = one;
            other.fill = QColor::fromRgba(colours.second);
            all.emplace_back(std::move(one), std::move(other));
        }
    return all;
}

}  // namespace

QByteArray nameOf(const Meaning& meaning) {
    const QByteArray index = QByteArray::number(static_cast<qlonglong>(meaning.index));
    switch (meaning.kind) {
        case Meaning::Kind::rank:
        case Meaning::Kind::still: return 'r' + index;
        case Meaning::Kind::message: return 'm' + index;
        case Meaning::Kind::link: return 'l' + index;
        case Meaning::Kind::round: return 'n' + index;
        case Meaning::Kind::block:
            return 'b' + index + '.' + QByteArray::number(static_cast<qlonglong>(meaning.second));
        case Meaning::Kind::stage:
        case Meaning::Kind::axis:
        case Meaning::Kind::bound:
        case Meaning::Kind::cause:
        // Of programs, whose tracks no page shows.
        case Meaning::Kind::call:
        case Meaning::Kind::wait:
        case Meaning::Kind::collective:
        case Meaning::Kind::own:
        case Meaning::Kind::group:
        case Meaning::Kind::iteration:
        case Meaning::Kind::path:
        case Meaning::Kind::metric:
        // Pages have no notes.
        case Meaning::Kind::note:
        case Meaning::Kind::none: break;
    }
    return {};
}

int Drawing::number(const Shape& light, const Shape& dark) {
    const QByteArray words = svgOf(light, dark, *inks_);
    if (const auto found = known_.constFind(words); found != known_.constEnd()) return *found;
    shapes_.push_back(words);
    bytes_ += words.size() + 3;
    return *known_.insert(words, static_cast<int>(shapes_.size()) - 1);
}

Frame Drawing::add(const Scene& light, const Scene& dark) {
    ENSURE(light.shapes.size() == dark.shapes.size(), "paper changes colours alone");
    Frame frame;
    for (std::size_t i = 0; i < light.shapes.size(); ++i) {
        if (light.shapes[i].kind != Shape::Kind::cells) {
            frame.push_back(number(light.shapes[i], dark.shapes[i]));
            continue;
        }
        for (const auto& [one, other] : apart(light.shapes[i], dark.shapes[i])) frame.push_back(number(one, other));
    }
    return frame;
}

QByteArray Drawing::svg(const Frame& frame) const {
    QByteArray words;
    for (const int shape : frame) words += shapes_[static_cast<std::size_t>(shape)];
    return words;
}

QByteArray Drawing::json() const {
    QByteArray words = "[";
    for (const QByteArray& shape : shapes_) words += (words.size() > 1 ? ",\n" : "") + toJson(QString::fromUtf8(shape));
    return words + ']';
}

QByteArray toJson(const Frame& frame) {
    QByteArray words = "[";
    for (std::size_t i = 0; i < frame.size();) {
        std::size_t next = i + 1;
        while (next < frame.size() && frame[next] == frame[next - 1] + 1) ++next;
        words += (words.size() > 1 ? "," : "") + QByteArray::number(frame[i]) + ',' +
                 QByteArray::number(static_cast<qulonglong>(next - i));
        i = next;
    }
    return words + ']';
}

QByteArray toJson(const QString& words) {
    QByteArray json = QJsonDocument{QJsonArray{words}}.toJson(QJsonDocument::Compact);
    json.replace('<', "\\u003c");
    return json.mid(1, json.size() - 2);
}

}  // namespace app::gui::page
