// SPDX-License-Identifier: BSD-3-Clause
// The result in one sentence, and below it the shares of the time.
#include "app/gui/scenes/common/gap_bar.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/text/headline.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

namespace app::gui {
namespace {

constexpr double barHeight = 8;
constexpr double roomy = 64;  // pixels of height in which a title leaves room for the rest

/// Where no bound stands beside the time, what was done in it.
std::vector<GapPart> partsOf(const DrawableRun& subject, const analysis::TracedProgram* program, bool dark) {
    std::vector<GapPart> parts;
    if (program == nullptr) parts = gapPartsOf(subject.report(), dark);
    return parts.empty() ? spentPartsOf(subject, program, dark) : parts;
}

}  // namespace

Scene headlineScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const QRectF area = QRectF{QPointF{}, size}.adjusted(margin, 4, -margin, -4);
    const analysis::TracedProgram* program = knownProgramOf(subject);
    const Headline headline = headlineOf(subject);
    scene.description = headline.words();
    const Palette& palette = pencil.palette();
    double y = area.top();
    // As large as it fits in one line, in a narrow window in several; what does not fit is not begun.
    const auto write = [&](const QString& words, std::initializer_list<double> sizes, const QColor& ink, bool bold) {
        double points = *sizes.begin();
        for (const double smaller : sizes)
            if (sizeOf(words, points, bold).width() > area.width()) points = smaller;
        for (const QString& line : wrapped(words, points, area.width(), bold)) {
            if (y + lineHeight(points) > size.height()) return;
            pencil.text({area.left(), y}, Qt::AlignLeft | Qt::AlignTop, line, points, ink, bold);
            y += lineHeight(points);
        }
    };
    // The number that is looked for first stands out, where that leaves room for the rest beside it.
    const QColor ink = subject.report().fault.empty() || subject.isUnfinished() ? palette.ink : palette.accent;
    QString rest = headline.result.mid(headline.time.size());
    while (rest.startsWith(',') || rest.startsWith(':') || rest.startsWith(' ')) rest.remove(0, 1);
    const double wide = sizeOf(headline.time, points::title, true).width() + 2 * margin;
    if (size.height() >= roomy && wide + sizeOf(rest, points::heading).width() <= area.width()) {
        const double baseline = y + lineHeight(points::title) * 0.8;
        pencil.text({area.left(), y}, Qt::AlignLeft | Qt::AlignTop, headline.time, points::title, ink, true);
        pencil.text({area.left() + wide, baseline - lineHeight(points::heading) * 0.8}, Qt::AlignLeft | Qt::AlignTop,
                    rest, points::heading, ink);
        y += lineHeight(points::title);
    } else {
        write(headline.result, {points::heading, points::normal, points::small}, ink, true);
    }
    const std::vector<GapPart> parts = partsOf(subject, program, state.dark);
    const Legend legend = legendOf(parts);
    const double below = parts.empty() ? 0 : 3 + barHeight + 3 + legend.rowsHeight(area.width());
    // The colours of the bar need their words; reasons that have no room then are in the tip.
    const double line = lineHeight(points::tiny);
    const bool fits = y + lineHeight(points::small) + below <= size.height();
    const auto lines = wrapped(headline.better, points::tiny, area.width());
    if (fits && sizeOf(headline.better, points::small).width() > area.width() &&
        y + static_cast<double>(lines.size()) * line + below > size.height()) {
        Shape& text =
            pencil.text({area.left(), y}, Qt::AlignLeft | Qt::AlignTop,
                        elidedInside(headline.better, points::tiny, area.width()), points::tiny, palette.muted);
        text.tip = headline.better;
        y += line;
    } else {
        write(headline.better, {points::small, points::tiny}, palette.muted, false);
    }
    const QRectF bar{area.left(), y + 3, area.width(), barHeight};
    if (parts.empty() || bar.bottom() > size.height()) return scene;
    drawGapBar(pencil, parts, bar, [](const GapPart& part) {
        return Meaning{Meaning::Kind::cause, part.cause ? static_cast<std::int64_t>(*part.cause) : -1,
                       part.spent ? static_cast<std::int64_t>(*part.spent) : -1};
    });
    const QRectF words{bar.left(), bar.bottom() + 3, bar.width(), legend.rowsHeight(bar.width())};
    if (words.bottom() <= size.height()) legend.rows(pencil, words);
    return scene;
}

Table headlineTable(const DrawableRun& subject, const ViewState&) {
    Table table = tableWith({{"part of the time"}, {"time_s", Content::time}});
    for (const GapPart& part : partsOf(subject, knownProgramOf(subject), false))
        table.rows.push_back(
            {cellOf(part.base.isEmpty() ? part.name : QStringLiteral("%1: %2").arg(part.base, part.name)), part.time});
    return table;
}

}  // namespace app::gui
