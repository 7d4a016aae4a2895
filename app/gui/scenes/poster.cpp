// SPDX-License-Identifier: BSD-3-Clause
// All views in one picture, as a page of a book would show them.
#include "app/gui/scenes/pencil.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>

namespace app::gui {
namespace {

/// The largest size of a few that lets `text` keep within `width`.
double sizeWithin(const QString& text, std::initializer_list<double> sizes, double width, bool bold) {
    for (const double points : sizes)
        if (sizeOf(text, points, bold).width() <= width) return points;
    return *std::prev(sizes.end());
}

struct View {
    QString heading;
    Scene (*scene)(const Subject&, const ViewState&, QSizeF);
    QRectF box;
};

}  // namespace

Scene posterScene(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    pencil.rectangle({QPointF{}, size}, palette.paper);
    const double edge = size.width() < 1100 ? 16 : 24;
    const QRectF page = QRectF{QPointF{}, size}.adjusted(edge, edge * 0.75, -edge, -edge * 0.75);

    const QString title = titleOf(subject);
    const double points = sizeWithin(title, {points::title, 15, 12, points::normal}, page.width(), true);
    const Shape& head = pencil.text(page.topLeft(), Qt::AlignLeft | Qt::AlignTop, title, points, palette.ink, true);
    double top = head.box.bottom() + 2;
    top += pencil.paragraph({page.left(), top}, page.width(), subtitleOf(subject), points::normal, palette.muted) + 10;

    const QString caption = momentOf(subject, state.time) + QStringLiteral(". ") + eventsOf(subject, state.time);
    const double line = lineHeight(points::normal);
    const double captionHeight = line * static_cast<double>(wrapped(caption, points::normal, page.width()).size());
    const double bottom = page.bottom() - captionHeight - 8;
    pencil.line({page.left(), bottom}, {page.right(), bottom}, palette.faint);
    pencil.paragraph({page.left(), bottom + 8}, page.width(), caption, points::normal, palette.ink);

    const double gap = edge;
    const double width = page.width() - gap;
    const double height = bottom - 4 - top - gap / 2;
    const double left = std::round(width * 0.58);
    const double upper = std::round(height * (size.height() < 700 ? 0.48 : 0.5));
    const QRectF network{page.left(), top, left, upper};
    const QRectF holdings{page.left() + left + gap, top, width - left, upper};
    const QRectF spaceTime{page.left(), top + upper + gap / 2, left, height - upper};
    const QRectF bounds{holdings.left(), spaceTime.top(), holdings.width(), spaceTime.height()};
    for (const View& view : {View{QStringLiteral("Network"), networkScene, network},
                             View{QStringLiteral("Who holds what"), holdingsScene, holdings},
                             View{QStringLiteral("Ranks over time"), spaceTimeScene, spaceTime},
                             View{QStringLiteral("Measured and bound"), boundsScene, bounds}}) {
        const double heading = lineHeight(points::heading);
        pencil.line(view.box.topLeft(), view.box.topRight(), palette.faint);
        pencil.text(view.box.topLeft() + QPointF{0, 5}, Qt::AlignLeft | Qt::AlignTop, view.heading, points::heading,
                    palette.ink, true);
        const QRectF inside = view.box.adjusted(-8, heading + 5, 8, 0);
        const Scene part = view.scene(subject, state, inside.size());
        place(scene, part, inside.topLeft());
        scene.description += (scene.description.isEmpty() ? QString{} : QStringLiteral(" ")) + part.description;
    }
    return scene;
}

}  // namespace app::gui
