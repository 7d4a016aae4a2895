// SPDX-License-Identifier: BSD-3-Clause
// What strangers missed when they were shown the pictures, once each.
#include "app/gui/scenes/subject.hpp"
#include "stage.hpp"

namespace app::gui {
namespace {

QString allWordsOf(const Scene& scene) {
    QStringList all;
    for (const Shape& shape : scene.shapes)
        if (shape.kind == Shape::Kind::text) all << shape.text;
    return all.join(' ');
}

TEST(Strangers, readWhereTheRunEndedBeforeWithoutLosingABar) {
    const SubjectPtr subject = firstSubject();
    for (const double share : {0.3, 0.615, 0.8}) {
        ViewState state;
        state.time = subject->run().duration;
        state.before = engine::Picoseconds{
            static_cast<std::int64_t>(share * static_cast<double>(subject->run().duration.count()))};
        const Scene scene = spaceTimeScene(*subject, state, {580, 330});
        const auto label = std::ranges::find_if(scene.shapes, [](const Shape& shape) {
            return shape.kind == Shape::Kind::text && shape.text.startsWith("before:");
        });
        ASSERT_NE(label, scene.shapes.end());
        for (const Shape& shape : scene.shapes)
            if (shape.kind == Shape::Kind::rectangle && shape.meaning.kind != Meaning::Kind::none) {
                EXPECT_FALSE(shape.box.intersects(label->box)) << share;
            }
    }
}

// By hand: in round 4 of the first example six messages of 64 KiB are under way, each on a link of its own.
TEST(Strangers, readTheNamesOfTheBusiestLinks) {
    const SubjectPtr subject = firstSubject();
    ViewState state;
    state.time = subject->stops()[3];
    const QString texts = allWordsOf(networkScene(*subject, state, {800, 500}));
    for (const char* link : {"0 \u2192 9", "1 \u2192 2", "2 \u2192 1", "3 \u2192 4", "5 \u2192 6", "6 \u2192 7"})
        EXPECT_TRUE(texts.contains(QString::fromUtf8(link))) << link << " in " << texts.toStdString();
    EXPECT_FALSE(texts.contains("more"));
}

}  // namespace
}  // namespace app::gui
