// SPDX-License-Identifier: BSD-3-Clause
// All views in one picture, as a page of a book would show them.
#include "app/gui/scenes/heading.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>

namespace app::gui {
namespace {

struct View {
    std::string_view name;
    Scene (*scene)(const Subject&, const ViewState&, QSizeF);
    QRectF box;
};

constexpr double highPoster = 900;  // of a page that has room for a strip
constexpr double stripShare = 0.2;  // of its height
constexpr double stripMost = 190;

}  // namespace

Scene posterScene(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    pencil.rectangle({QPointF{}, size}, palette.paper);
    const double edge = size.width() < 1100 ? 16 : 24;
    const QRectF page = QRectF{QPointF{}, size}.adjusted(edge, edge * 0.75, -edge, -edge * 0.75);

    const double top = drawTitle(pencil, subject, page) + 10;

    const QString caption = momentOf(subject, state.time) + QStringLiteral(". ") + eventsOf(subject, state.time);
    const double line = lineHeight(points::normal);
    const double captionHeight = line * static_cast<double>(wrapped(caption, points::normal, page.width()).size());
    const double bottom = page.bottom() - captionHeight - 8;
    pencil.line({page.left(), bottom}, {page.right(), bottom}, palette.faint);
    pencil.paragraph({page.left(), bottom + 8}, page.width(), caption, points::normal, palette.ink);

    const double gap = edge;
    const double width = page.width() - gap;
    // Round by round, where there are several and the page has room for them.
    const bool strip = size.height() >= highPoster && subject.run().rounds > 1;
    const double band = strip ? std::min(stripMost, stripShare * (bottom - top)) + gap / 2 : 0;
    const double height = bottom - 4 - top - gap / 2 - band;
    const double left = std::round(width * 0.58);
    const double upper = std::round(height * (size.height() < 700 ? 0.48 : 0.5));
    const QRectF network{page.left(), top, left, upper};
    const QRectF holdings{page.left() + left + gap, top, width - left, upper};
    const QRectF spaceTime{page.left(), top + upper + gap / 2, left, height - upper};
    const QRectF bounds{holdings.left(), spaceTime.top(), holdings.width(), spaceTime.height()};
    std::vector<View> views{{"network", networkScene, network},
                            {"holdings", holdingsScene, holdings},
                            {"timeline", spaceTimeScene, spaceTime},
                            {"bounds", boundsScene, bounds}};
    if (strip)
        views.push_back(
            {"strip", stripScene, {page.left(), spaceTime.bottom() + gap / 2, page.width(), band - gap / 2}});
    for (const View& view : views) {
        const double heading = lineHeight(points::heading);
        pencil.line(view.box.topLeft(), view.box.topRight(), palette.faint);
        pencil.text(view.box.topLeft() + QPointF{0, 5}, Qt::AlignLeft | Qt::AlignTop, headingOf(view.name),
                    points::heading, palette.ink, true);
        const QRectF inside = view.box.adjusted(-8, heading + 5, 8, 0);
        const Scene part = view.scene(subject, state, inside.size());
        place(scene, part, inside.topLeft());
        scene.description += (scene.description.isEmpty() ? QString{} : QStringLiteral(" ")) + part.description;
    }
    return scene;
}

}  // namespace app::gui
