// SPDX-License-Identifier: BSD-3-Clause
// Several charts on one paper.
#include "app/gui/scenes/charts/sweep_scene.hpp"
#include "app/gui/scenes/drawing/scene_builder.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <cmath>

namespace app::gui {
namespace {

/// "time over size, both logarithmic".
QString axesInWords(const Chart& chart) {
    const auto kind = [](const Chart::Axis& axis) {
        return axis.linear ? QStringLiteral("linear") : QStringLiteral("logarithmic");
    };
    const QString names = QStringLiteral("%1 over %2")
                              .arg(QString::fromStdString(chart.up.name), QString::fromStdString(chart.across.name));
    return chart.up.linear == chart.across.linear
               ? QStringLiteral("%1, both %2").arg(names, kind(chart.up))
               : QStringLiteral("%1, %2 over %3").arg(names, kind(chart.up), kind(chart.across));
}

/// A chart with its title above and words below.
Scene titledChart(const Chart& chart, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    double top = chart.title.empty() ? 0 : margin;
    for (const QString& line :
         wrapped(QString::fromStdString(chart.title), points::heading, size.width() - 2 * margin, true)) {
        pencil.text({margin, top}, Qt::AlignLeft | Qt::AlignTop, line, points::heading, pencil.palette().ink, true);
        top += lineHeight(points::heading);
    }
    QString below = axesInWords(chart);
    if (!chart.below.empty()) below += QStringLiteral("; ") + QString::fromStdString(chart.below);
    const QStringList lines = wrapped(below, points::tiny, size.width() - 2 * margin);
    const double words = static_cast<double>(lines.size()) * lineHeight(points::tiny);
    const Scene drawn = sweepScene(chart, dark, {size.width(), size.height() - top - words - margin / 2.0});
    place(scene, drawn, {0, top});
    double y = size.height() - words - margin / 2.0;
    for (const QString& line : lines) {
        pencil.text({margin, y}, Qt::AlignLeft | Qt::AlignTop, line, points::tiny, pencil.palette().muted);
        y += lineHeight(points::tiny);
    }
    scene.description = drawn.description;
    return scene;
}

}  // namespace

Scene sheetScene(const Sheet& sheet, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    double top = 0;
    if (!sheet.title.empty()) {
        constexpr double large = points::heading * 1.3;
        top = margin;
        for (const QString& line :
             wrapped(QString::fromStdString(sheet.title), large, size.width() - 2 * margin, true)) {
            pencil.text({margin, top}, Qt::AlignLeft | Qt::AlignTop, line, large, pencil.palette().ink, true);
            top += lineHeight(large);
        }
    }
    double bottom = size.height();
    if (!sheet.below.empty()) {
        const QStringList lines =
            wrapped(QString::fromStdString(sheet.below), points::small, size.width() - 2 * margin);
        bottom -= static_cast<double>(lines.size()) * lineHeight(points::small) + margin;
        double y = bottom;
        for (const QString& line : lines) {
            pencil.text({margin, y}, Qt::AlignLeft | Qt::AlignTop, line, points::small, pencil.palette().ink);
            y += lineHeight(points::small);
        }
    }
    const auto count = static_cast<double>(sheet.charts.size());
    const double columns = count <= 3 ? count : std::ceil(std::sqrt(count));
    const double rows = std::ceil(count / columns);
    const QSizeF each{size.width() / columns, (bottom - top) / rows};
    for (std::size_t i = 0; i < sheet.charts.size(); ++i) {
        const Scene chart = titledChart(sheet.charts[i], dark, each);
        const double row = std::floor(static_cast<double>(i) / columns);
        place(scene, chart, {(static_cast<double>(i) - row * columns) * each.width(), top + row * each.height()});
        scene.description += (i == 0 ? QString{} : QStringLiteral(" ")) + chart.description;
    }
    if (!sheet.title.empty())
        scene.description = QString::fromStdString(sheet.title) + QStringLiteral(". ") + scene.description;
    return scene;
}

}  // namespace app::gui
