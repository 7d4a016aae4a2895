// SPDX-License-Identifier: BSD-3-Clause
// The heat table of scaling: each number of the table is in its cell, and the lower an efficiency, the stronger its
// cell.
#include "app/gui/scenes/charts/scaling_scene.hpp"

#include "app/analysis/efficiency/scaling.hpp"
#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace app::gui {
namespace {

engine::Table table() {
    const auto trace = [](const char* label, std::int32_t ranks, std::int64_t time) {
        return analysis::ScalingTrace{label,
                                      ranks,
                                      {.span = {{}, engine::Picoseconds{time * 1'000'000'000}},
                                       .meanComputation = engine::Picoseconds{60'000'000'000},
                                       .maxComputation = engine::Picoseconds{80'000'000'000},
                                       .idealTime = engine::Picoseconds{80'000'000'000}}};
    };
    const std::vector<analysis::ScalingTrace> traces{trace("solver on 2", 2, 80), trace("solver on 4", 4, 160)};
    return analysis::scalingTable(traces, analysis::ScalingKind::weak);
}

/// The last one: of the table, not of the legend.
const Shape* textOf(const Scene& scene, const QString& words) {
    const Shape* found = nullptr;
    for (const Shape& shape : scene.shapes)
        if (shape.text == words) found = &shape;
    return found;
}

/// The fill of the cell in whose middle a text stands.
QColor below(const Scene& scene, const Shape* text) {
    QColor found;
    for (const Shape& shape : scene.shapes)
        if (text != nullptr && shape.kind == Shape::Kind::rectangle && shape.box.contains(text->box.center()))
            found = shape.fill;
    return found;
}

TEST(ScalingScene, showsEachEfficiencyByColour) {
    for (const bool dark : {false, true}) {
        const Scene scene = scalingScene(table(), dark, {800, 500});
        // Of parallel efficiencies of 75% and 37.5% the second is lower.
        const QColor high = below(scene, textOf(scene, "75%")), low = below(scene, textOf(scene, "37.5%"));
        ASSERT_TRUE(high.isValid() && low.isValid());
        const QColor paper = paletteFor(dark).paper;
        EXPECT_LT(contrast(high, paper), contrast(low, paper));
        EXPECT_EQ(below(scene, textOf(scene, "100%")), paper);
        EXPECT_NE(textOf(scene, "solver on 4"), nullptr);
        EXPECT_NE(textOf(scene, "load balance"), nullptr);
        EXPECT_EQ(scene.description,
                  "Global efficiency 75% on 2 ranks, 37.5% on 4 ranks; speed-up 1 from 2 to 4 ranks.");
        EXPECT_NE(textOf(scene, QString::fromStdString(table().remarks.front())), nullptr) << "notes are below";
    }
}

TEST(ScalingScene, staysWithinItsSize) {
    for (const QSizeF size : {QSizeF{1600, 1000}, QSizeF{400, 300}, QSizeF{200, 120}}) {
        const Scene scene = scalingScene(table(), false, size);
        for (const Shape& shape : scene.shapes)
            EXPECT_TRUE(QRectF({-1, -1}, size + QSizeF{2, 2}).contains(shape.box))
                << shape.text.toStdString() << ' ' << shape.box.left() << ' ' << shape.box.top() << ' '
                << shape.box.width() << ' ' << shape.box.height();
    }
}

}  // namespace
}  // namespace app::gui
