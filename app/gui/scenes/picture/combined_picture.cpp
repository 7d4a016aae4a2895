// SPDX-License-Identifier: BSD-3-Clause
// All views in one picture, as a page of a book would show them.
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

struct Placed {
    std::string_view view;
    QRectF box;
};

constexpr double highPoster = 900;  // of a page that has room for a strip
constexpr double stripShare = 0.2;  // of its height
constexpr double stripMost = 190;

/// What lies between the title and the caption of a run.
std::vector<Placed> viewsOfRun(const DrawableRun& subject, const QRectF& area, double gap, bool isHigh) {
    const double width = area.width() - gap;
    // Round by round, where there are several and the page has room for them.
    const bool strip = isHigh && subject.run().rounds > 1;
    const double band = strip ? std::min(stripMost, stripShare * area.height()) + gap / 2 : 0;
    const double height = area.height() - 4 - gap / 2 - band;
    const double left = std::round(width * 0.58);
    const double upper = std::round(height * (isHigh ? 0.5 : 0.48));
    const QRectF network{area.left(), area.top(), left, upper};
    const QRectF holdings{area.left() + left + gap, area.top(), width - left, upper};
    const QRectF spaceTime{area.left(), area.top() + upper + gap / 2, left, height - upper};
    const QRectF bounds{holdings.left(), spaceTime.top(), holdings.width(), spaceTime.height()};
    std::vector<Placed> views{
        {"network", network}, {"holdings", holdings}, {"timeline", spaceTime}, {"bounds", bounds}};
    if (strip) views.push_back({"strip", {area.left(), spaceTime.bottom() + gap / 2, area.width(), band - gap / 2}});
    return views;
}

/// The same for a program, whose network, blocks and bounds are unknown: what it did, where and when the time went.
std::vector<Placed> viewsOfProgram(const analysis::TracedProgram& program, const QRectF& area, double gap) {
    const double width = area.width() - gap;
    const double height = area.height() - 4 - gap / 2;
    const double upper = std::round(height * 0.56);
    const double left = std::round(width * 0.55);
    const QRectF where{area.left(), area.top() + upper + gap / 2, left, height - upper};
    const QRectF beside{where.right() + gap, where.top(), width - left, where.height()};
    std::vector<Placed> views{{"tracks", {area.left(), area.top(), area.width(), upper}}, {"where", where}};
    // A program without a loop still has somebody who waits.
    if (program.iterations().all.empty()) views.push_back({"waits", beside});
    else views.push_back({"when", beside});
    return views;
}

}  // namespace

Scene posterScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    pencil.rectangle({QPointF{}, size}, palette.paper);
    const double edge = size.width() < 1100 ? 16 : 24;
    const QRectF page = QRectF{QPointF{}, size}.adjusted(edge, edge * 0.75, -edge, -edge * 0.75);

    const analysis::TracedProgram* program = programOf(subject);
    const double top =
        10 + (program == nullptr ? drawTitle(pencil, subject, page) : drawTitle(pencil, subject, page, *program));
    const QString caption = program == nullptr
                                ? momentOf(subject, state.time) + QStringLiteral(". ") + eventsOf(subject, state.time)
                                : titleOf(subject) + QStringLiteral(", ") + subtitleOf(subject) + '.';
    const double line = lineHeight(points::normal);
    const double captionHeight = line * static_cast<double>(wrapped(caption, points::normal, page.width()).size());
    const double bottom = page.bottom() - captionHeight - 8;
    pencil.line({page.left(), bottom}, {page.right(), bottom}, palette.faint);
    pencil.paragraph({page.left(), bottom + 8}, page.width(), caption, points::normal, palette.ink);

    const QRectF area{page.left(), top, page.width(), bottom - top};
    const std::vector<Placed> views = program == nullptr ? viewsOfRun(subject, area, edge, size.height() >= highPoster)
                                                         : viewsOfProgram(*program, area, edge);
    for (const Placed& each : views) {
        const View& view = viewNamed(each.view);
        const double heading = lineHeight(points::heading);
        pencil.line(each.box.topLeft(), each.box.topRight(), palette.faint);
        pencil.text(each.box.topLeft() + QPointF{0, 5}, Qt::AlignLeft | Qt::AlignTop, toQt(view.heading),
                    points::heading, palette.ink, true);
        const QRectF inside = each.box.adjusted(-8, heading + 5, 8, 0);
        const Scene part = view.scene(subject, state, inside.size());
        place(scene, part, inside.topLeft());
        scene.description += (scene.description.isEmpty() ? QString{} : QStringLiteral(" ")) + part.description;
    }
    return scene;
}

}  // namespace app::gui
