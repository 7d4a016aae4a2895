// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/picture/heading.hpp"

#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/run/visible_span.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {
namespace {

/// Smaller pictures need all their room for the view.
constexpr QSizeF roomy{560, 360};

/// The largest size of a few that lets `text` keep within `width`.
double sizeWithin(const QString& text, std::initializer_list<double> sizes, double width, bool bold) {
    for (const double points : sizes)
        if (sizeOf(text, points, bold).width() <= width) return points;
    return *std::prev(sizes.end());
}

/// Of a picture of one moment: which; of one over time: what it leaves out before.
QString noteOf(View::Note note, const DrawableRun& subject, const ViewState& state) {
    if (note == View::Note::moment) return momentOf(subject, state.time);
    if (note == View::Note::none) return {};
    const engine::Picoseconds before = visibleSpan(subject, state).begin;
    if (before.count() <= 0) return {};
    return QStringLiteral("The first %1 of %2 (%3) are not shown.")
        .arg(timeInWords(before), timeInWords(subject.run().duration),
             subject.isProgram() ? QStringLiteral("mostly MPI_Init") : QStringLiteral("before the first message"));
}

/// Pictures that need only so much room are drawn larger where there is more, as far as all of them fits and their
/// words stay below the title's. The others fill what they are given.
constexpr double mostGrown = 1.7;
constexpr double growthStep = 0.1;

}  // namespace

void placeGrown(Scene& whole, const View& view, const DrawableRun& subject, const ViewState& state,
                const QRectF& room) {
    // What is drawn begins a margin within its room, however large it is.
    const auto roomFor = [&](double times) {
        const double beyond = margin * (times - 1);
        return room.adjusted(-beyond, -beyond, beyond, beyond);
    };
    Scene part = view.scene(subject, state, room.size());
    double times = 1;
    if (view.grows)
        for (double larger = 1 + growthStep; !part.crowded && larger <= mostGrown; larger += growthStep) {
            Scene grown = view.scene(subject, state, roomFor(larger).size() / larger);
            if (grown.crowded) break;
            part = std::move(grown);
            times = larger;
        }
    place(whole, part, roomFor(times).topLeft(), times);
    whole.description = part.description;
}

QString headingOf(std::string_view view) { return toQt(viewNamed(view).heading); }

namespace {

double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page, const QString& title,
                 const QString& subtitle) {
    const Palette& palette = pencil.palette();
    const double points = sizeWithin(title, {points::title, 15, 12, points::normal}, page.width(), true);
    const Shape& head = pencil.text(page.topLeft(), Qt::AlignLeft | Qt::AlignTop,
                                    elidedInside(title, points, page.width(), true), points, palette.ink, true);
    const double top = head.box.bottom() + 2;
    const double below =
        top + pencil.paragraph({page.left(), top}, page.width(), subtitle, points::normal, palette.muted);
    if (subject.faultInWords().isEmpty()) return below;
    return below +
           pencil.paragraph({page.left(), below}, page.width(),
                            (subject.isUnfinished() ? QStringLiteral("Unfinished: ") : QStringLiteral("Wrong: ")) +
                                subject.faultInWords(),
                            points::heading, subject.isUnfinished() ? palette.muted : palette.accent);
}

}  // namespace

double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page) {
    return drawTitle(pencil, subject, page, titleOf(subject), subtitleOf(subject));
}

double drawTitle(SceneBuilder& pencil, const DrawableRun& subject, const QRectF& page,
                 const analysis::TracedProgram& program) {
    const Headline headline = headlineOf(program);
    return drawTitle(pencil, subject, page, headline.result, headline.better);
}

Scene titled(const View& view, const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (size.width() < roomy.width() || size.height() < roomy.height()) return view.scene(subject, state, size);
    Scene whole;
    SceneBuilder pencil{whole, state.dark};
    const double edge = 16;
    const QRectF page = QRectF{QPointF{}, size}.adjusted(edge, edge * 0.75, -edge, 0);
    // Pictures of calls begin with what the program shows; others do without, since that takes a look at all events.
    const analysis::TracedProgram* program = view.ofPrograms ? programOf(subject) : nullptr;
    const double top =
        8 + (program == nullptr ? drawTitle(pencil, subject, page) : drawTitle(pencil, subject, page, *program));
    pencil.line({edge, top}, {size.width() - edge, top}, pencil.palette().faint);
    pencil.text({edge, top + 5}, Qt::AlignLeft | Qt::AlignTop, toQt(view.heading), points::heading,
                pencil.palette().ink, true);
    const double below = top + 5 + lineHeight(points::heading);
    const QString note = noteOf(view.note, subject, state);
    if (!note.isEmpty() && sizeOf(note, points::small).width() < size.width() / 2)
        pencil.text({size.width() - edge, below}, Qt::AlignRight | Qt::AlignBottom, note, points::small,
                    pencil.palette().muted);
    placeGrown(whole, view, subject, state, {edge / 2, below, size.width() - edge, size.height() - below - edge / 2});
    return whole;
}

}  // namespace app::gui
