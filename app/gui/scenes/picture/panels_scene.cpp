// SPDX-License-Identifier: BSD-3-Clause
// Views of runs side by side, each below its title.
#include "app/gui/scenes/picture/picture.hpp"

#include "app/gui/scenes/drawing/style.hpp"

#include <algorithm>

namespace app::gui {
namespace {

double paragraphOf(SceneBuilder& pencil, double top, double width, const std::string& words, double points, bool bold) {
    for (const QString& line : wrapped(QString::fromStdString(words), points, width - 2 * margin, bold)) {
        pencil.text({margin, top}, Qt::AlignLeft | Qt::AlignTop, line, points, pencil.palette().ink, bold);
        top += lineHeight(points);
    }
    return top;
}

Scene titledPanel(const Panel& panel, const DrawableRun& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const double top =
        panel.title.empty() ? 0 : paragraphOf(pencil, 0, size.width(), panel.title, points::heading, true) + 2;
    placeGrown(scene, sceneNamed(panel.picture.view), subject, state,
               {0, top, size.width() - margin, size.height() - top - margin});
    scene.description = (QString::fromStdString(panel.title) + QStringLiteral(": ") + scene.description);
    return scene;
}

}  // namespace

Scene panelsScene(const Panels& panels, bool dark, QSizeF size) {
    Scene scene;
    SceneBuilder pencil{scene, dark};
    constexpr double large = points::heading * 1.3;
    const double top =
        panels.title.empty() ? margin : margin + paragraphOf(pencil, margin, size.width(), panels.title, large, true);
    double bottom = size.height();
    if (!panels.below.empty()) {
        const QStringList lines =
            wrapped(QString::fromStdString(panels.below), points::small, size.width() - 2 * margin);
        bottom -= static_cast<double>(lines.size()) * lineHeight(points::small) + margin;
        paragraphOf(pencil, bottom, size.width(), panels.below, points::small, false);
    }
    std::vector<SubjectPtr> subjects;
    engine::Picoseconds longest{};
    for (const Panel& panel : panels.panels) {
        subjects.push_back(std::make_shared<const DrawableRun>(panel.trace.report, panel.trace.recording));
        longest = std::max(longest, subjects.back()->run().duration);
    }
    const auto count = static_cast<int>(panels.panels.size());
    const int columns = std::clamp(panels.columns, 1, std::max(count, 1));
    const int rows = (count + columns - 1) / columns;
    const QSizeF each{size.width() / columns, (bottom - top) / std::max(rows, 1)};
    for (int i = 0; i < count; ++i) {
        const Panel& panel = panels.panels[static_cast<std::size_t>(i)];
        const DrawableRun& subject = *subjects[static_cast<std::size_t>(i)];
        ViewState state = stateOf(subject, panel.picture);
        state.dark = dark;
        if (panels.sameTime) state.horizon = longest;
        const Scene part = titledPanel(panel, subject, state, each);
        place(scene, part, {i % columns * each.width(), top + i / columns * each.height()});
        scene.description += (i == 0 ? QString{} : QStringLiteral(" ")) + part.description;
    }
    if (!panels.title.empty())
        scene.description = QString::fromStdString(panels.title) + QStringLiteral(". ") + scene.description;
    return scene;
}

}  // namespace app::gui
