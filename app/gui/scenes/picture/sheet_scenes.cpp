// SPDX-License-Identifier: BSD-3-Clause
// Several charts, or views of several runs, on one paper, each below its title.
#include "app/gui/scenes/charts/sweep_scene.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/picture/heading.hpp"
#include "app/gui/scenes/picture/picture.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

/// Lines of `words` over the width of the paper, from `top` down; where they end.
double write(SceneBuilder& pencil, double top, double width, const QString& words, double points, const QColor& ink,
             bool bold = false) {
    for (const QString& line : wrapped(words, points, width - 2 * margin, bold)) {
        pencil.text({margin, top}, Qt::AlignLeft | Qt::AlignTop, line, points, ink, bold);
        top += lineHeight(points);
    }
    return top;
}

double heightOf(const QString& words, double points, double width) {
    return static_cast<double>(wrapped(words, points, width - 2 * margin).size()) * lineHeight(points);
}

/// "time over size, both logarithmic".
QString axesInWords(const Chart& chart) {
    const auto kind = [](const Chart::Axis& axis) {
        return axis.linear ? QStringLiteral("linear") : QStringLiteral("logarithmic");
    };
    const QString names = QStringLiteral("%1 over %2").arg(toQt(chart.up.name), toQt(chart.across.name));
    return chart.up.linear == chart.across.linear
               ? QStringLiteral("%1, both %2").arg(names, kind(chart.up))
               : QStringLiteral("%1, %2 over %3").arg(names, kind(chart.up), kind(chart.across));
}

/// A chart with its title above and words below.
Scene titledChart(const Chart& chart, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    const double top = chart.title.empty() ? 0
                                           : write(pencil, margin, size.width(), toQt(chart.title), points::heading,
                                                   pencil.palette().ink, true);
    QString below = axesInWords(chart);
    if (!chart.below.empty()) below += QStringLiteral("; ") + toQt(chart.below);
    const double bottom = size.height() - heightOf(below, points::tiny, size.width()) - margin / 2.0;
    const Scene drawn = sweepScene(chart, dark, {size.width(), bottom - top});
    place(scene, drawn, {0, top});
    write(pencil, bottom, size.width(), below, points::tiny, pencil.palette().muted);
    scene.description = drawn.description;
    return scene;
}

/// A view of a run below its title.
Scene titledPanel(const Panel& panel, const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const double top =
        panel.title.empty()
            ? 0
            : write(pencil, 0, size.width(), toQt(panel.title), points::heading, pencil.palette().ink, true) + 2;
    placeGrown(scene, viewNamed(panel.picture.view), subject, state,
               {0, top, size.width() - margin, size.height() - top - margin});
    scene.description = toQt(panel.title) + QStringLiteral(": ") + scene.description;
    return scene;
}

/// What stands around several pictures on one paper.
struct Paper {
    QString title;
    QString below;
    double above = 0;  ///< pixels that stay free between title and pictures
    int columns = 1;
};

/// `draw(i, size)` makes the picture of that number.
template <class Draw>
Scene onOnePaper(const Paper& paper, std::size_t count, bool dark, QSizeF size, Draw draw) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    const QColor ink = pencil.palette().ink;
    double top = paper.above;
    if (!paper.title.isEmpty())
        top += write(pencil, margin, size.width(), paper.title, points::heading * 1.3, ink, true);
    double bottom = size.height();
    if (!paper.below.isEmpty()) {
        bottom -= heightOf(paper.below, points::small, size.width()) + margin;
        write(pencil, bottom, size.width(), paper.below, points::small, ink);
    }
    const auto all = static_cast<int>(count);
    const int rows = (all + paper.columns - 1) / paper.columns;
    const QSizeF each{size.width() / paper.columns, (bottom - top) / std::max(rows, 1)};
    QStringList words;
    for (int i = 0; i < all; ++i) {
        const Scene part = draw(static_cast<std::size_t>(i), each);
        place(scene, part, {i % paper.columns * each.width(), top + i / paper.columns * each.height()});
        words << part.description;
    }
    scene.description = words.join(' ');
    if (!paper.title.isEmpty()) scene.description.prepend(paper.title + QStringLiteral(". "));
    return scene;
}

}  // namespace

Scene sheetScene(const Sheet& sheet, bool dark, QSizeF size) {
    const auto count = static_cast<double>(sheet.charts.size());
    const double columns = count <= 3 ? count : std::ceil(std::sqrt(count));
    return onOnePaper({toQt(sheet.title), toQt(sheet.below), 0, std::max(1, static_cast<int>(columns))},
                      sheet.charts.size(), dark, size,
                      [&](std::size_t i, QSizeF each) { return titledChart(sheet.charts[i], dark, each); });
}

Scene panelsScene(const Panels& panels, bool dark, QSizeF size) {
    std::vector<DrawableRunPtr> subjects;
    engine::Picoseconds longest{};
    for (const Panel& panel : panels.panels) {
        subjects.push_back(std::make_shared<const DrawableRun>(panel.trace.report, panel.trace.recording));
        longest = std::max(longest, subjects.back()->run().duration);
    }
    const int columns = std::clamp(panels.columns, 1, std::max(static_cast<int>(subjects.size()), 1));
    return onOnePaper({toQt(panels.title), toQt(panels.below), margin, columns}, subjects.size(), dark, size,
                      [&](std::size_t i, QSizeF each) {
                          const Panel& panel = panels.panels[i];
                          ViewState state = stateOf(*subjects[i], panel.picture);
                          state.dark = dark;
                          if (panels.sameTime) state.horizon = longest;
                          return titledPanel(panel, *subjects[i], state, each);
                      });
}

}  // namespace app::gui
