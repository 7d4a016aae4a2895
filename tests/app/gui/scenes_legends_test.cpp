// SPDX-License-Identifier: BSD-3-Clause
// What marks mean: told where there is room, and the same everywhere.
#include "app/gui/scenes/legend.hpp"
#include "app/gui/scenes/network_frame.hpp"
#include "app/gui/scenes/scene.hpp"
#include "scenes_support.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

/// In a low card: as many marks as before, and in the last line how many are not there.
TEST(Legends, countWhatHasNoRoom) {
    const Subject subject = subjectOf(wishFor("allreduce/ring", 16, "torus:4x4"));
    const auto wordsIn = [&](QSizeF size) {
        Scene scene;
        Pencil pencil{scene, false};
        networkLegend(subject, {}).column(pencil, {QPointF{}, size});
        QStringList words;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && !shape.bold) words << shape.text;
        return words;
    };
    const QStringList all = wordsIn({200, 400});
    EXPECT_FALSE(all.back().endsWith("more"));
    for (const int lines : {2, 3, 4}) {
        const QStringList some = wordsIn({200, lines * lineHeight(points::small)});
        ASSERT_EQ(some.size(), lines);
        EXPECT_EQ(some.mid(0, lines - 1), all.mid(0, lines - 1));
        EXPECT_EQ(some.back(), QStringLiteral("%1 more").arg(all.size() - lines + 1));
    }
    Scene scene;
    Pencil pencil{scene, false};
    networkLegend(subject, {}).column(pencil, {0, 0, 200, 2 * lineHeight(points::small)});
    EXPECT_EQ(scene.shapes.back().tip, all.mid(1).join('\n')) << "whoever points there sees them";
}

/// Beside a network, or below it, is no room for a legend that is not drawn: the network has it.
TEST(Legends, haveNoRoomWhereTheyAreNotDrawn) {
    const Subject subject = ringSubject();
    for (const QSizeF size : {QSizeF{360, 60}, QSizeF{360, 73}, QSizeF{360, 100}, QSizeF{360, 120}, QSizeF{360, 200},
                              QSizeF{200, 90}, QSizeF{200, 200}, QSizeF{200, 300}, QSizeF{900, 140}}) {
        const NetworkFrame frame = networkFrame(subject, {}, size);
        const Scene scene = networkBackground(subject, {}, size);
        int marks = 0;
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::text && frame.legend.contains(shape.box.center())) ++marks;
        const bool drawn = !frame.legend.isEmpty();
        EXPECT_EQ(drawn, marks > 2) << size.width() << 'x' << size.height();
        const QRectF all = QRectF{QPointF{}, size}.adjusted(margin, margin, -margin, -margin);
        if (!drawn) {
            EXPECT_EQ(frame.network, all) << size.width() << 'x' << size.height();
        }
        EXPECT_EQ(quarrelsIn(scene, size), "") << size.width() << 'x' << size.height();
    }
    for (const auto& [narrow, words] : {std::pair{QSizeF{300, 500}, loadHeading()}, {{260, 340}, "link load"}}) {
        ASSERT_FALSE(networkFrame(subject, {}, narrow).column);
        EXPECT_TRUE(says(networkBackground(subject, {}, narrow), words)) << narrow.width();
    }
}

}  // namespace
}  // namespace app::gui
