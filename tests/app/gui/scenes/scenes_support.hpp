// SPDX-License-Identifier: BSD-3-Clause
// Subjects for the tests of pictures, and questions about scenes.
#pragma once

#include "app/gui/scenes/run/drawable_run.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <string>

namespace app::gui {

inline RunWish wishFor(const std::string& algorithm, std::int64_t ranks, const std::string& topology = {}) {
    RunWish wish;
    wish.algorithm = algorithm;
    wish.problem.ranks = ranks;
    wish.network.topology = topology;
    return wish;
}

inline RunWish groupsFor(const std::string& algorithm, std::int64_t p, std::int64_t q) {
    RunWish wish;
    wish.algorithm = algorithm;
    wish.problem.groupA = p;
    wish.problem.groupB = q;
    wish.stepping = emulation::Stepping::lockstep;
    return wish;
}

inline DrawableRun subjectOf(const RunWish& wish) { return DrawableRun{execute(wish)}; }

/// The paper's ring, marching in step: 4 senders, 6 receivers, 64 KiB each, 27.2144 us a round.
inline DrawableRun ringSubject() { return subjectOf(groupsFor("halfduplex-allgather/ring-intragroup", 4, 6)); }

/// A run of one message, from rank 0 to rank 1, about which nothing else is known.
inline engine::Run strangeRun() {
    engine::RunBuilder builder{2, 1, {}};
    engine::MessageRecord message{};
    message.to = engine::Rank{1};
    message.bytes = 8;
    message.sendEnd = message.receiveEnd = engine::Picoseconds{9};
    builder.message(message, {});
    return builder.finish();
}

inline std::vector<Shape> shapesOf(const Scene& scene, Meaning::Kind kind, Shape::Kind shape) {
    std::vector<Shape> found;
    std::copy_if(scene.shapes.begin(), scene.shapes.end(), std::back_inserter(found),
                 [&](const Shape& one) { return one.meaning.kind == kind && one.kind == shape; });
    return found;
}

inline std::vector<Shape> textsOf(const Scene& scene) {
    return shapesOf(scene, Meaning::Kind::none, Shape::Kind::text);
}

inline bool says(const Scene& scene, const QString& words) {
    return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
        return shape.kind == Shape::Kind::text && shape.text.contains(words);
    });
}

/// All texts that leave the canvas, and all pairs of texts that touch, as sentences.
inline std::string quarrelsIn(const Scene& scene, QSizeF size) {
    std::string quarrels;
    std::vector<const Shape*> texts;
    const QRectF canvas{QPointF{}, size};
    for (const Shape& shape : scene.shapes) {
        if (shape.kind != Shape::Kind::text) continue;
        if (!canvas.adjusted(-0.5, -0.5, 0.5, 0.5).contains(shape.box))
            quarrels += "'" + shape.text.toStdString() + "' leaves the canvas\n";
        for (const Shape* other : texts)
            // Boxes have the height of the tallest letters with their descent; two pixels of that are always air.
            if (other->box.adjusted(0.5, 1, -0.5, -1).intersects(shape.box.adjusted(0.5, 1, -0.5, -1)))
                quarrels += "'" + shape.text.toStdString() + "' meets '" + other->text.toStdString() + "'\n";
        texts.push_back(&shape);
    }
    return quarrels;
}

}  // namespace app::gui
