// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/network/grid_slice.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double kept = 0.16;  // of the colours of what fades

bool isCut(const DrawableRun& subject, const ViewState& state) {
    return state.cut.axis >= 0 && subject.blueprint().hasLayers();
}

/// Of a rank or free place. Ranks that share a mark share its layer.
bool isInLayer(const NetworkShape& print, const CutPlane& cut, std::int32_t node) {
    return node < print.hosts && print.layerOf(node, cut.axis) / print.step == cut.layer / print.step;
}

bool fades(const DrawableRun& subject, const CutPlane& cut, const Meaning& meaning) {
    const auto isSeen = [&](std::int32_t node) { return isInLayer(subject.blueprint(), cut, node); };
    if (meaning.kind == Meaning::Kind::rank) return !isSeen(static_cast<std::int32_t>(meaning.index));
    if (meaning.kind == Meaning::Kind::link) {
        const emulation::LinkEnds ends =
            subject.report().network->ends(engine::LinkId{static_cast<std::int32_t>(meaning.index)});
        return !isSeen(ends.from) || !isSeen(ends.to);
    }
    if (meaning.kind != Meaning::Kind::message) return false;
    const engine::MessageRecord message = subject.run().messages[static_cast<std::size_t>(meaning.index)];
    return !isSeen(message.from.value) && !isSeen(message.to.value);
}

}  // namespace

void fadeOtherLayers(Scene& scene, const DrawableRun& subject, const ViewState& state) {
    if (!isCut(subject, state)) return;
    const QColor paper = paletteFor(state.dark).paper;
    const auto fadesAway = [&](const Shape& shape) { return fades(subject, state.cut, shape.meaning); };
    const auto seen = std::stable_partition(scene.shapes.begin(), scene.shapes.end(), fadesAway);
    for (auto shape = scene.shapes.begin(); shape != seen; ++shape)
        for (QColor* colour : {&shape->fill, &shape->pen, &shape->casing})
            if (colour->isValid()) *colour = mixed(paper, *colour, kept);
}

void nameLayer(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const NetworkFrame& frame) {
    if (!isCut(subject, state)) return;
    const int layers = subject.blueprint().lengths[static_cast<std::size_t>(state.cut.axis)];
    pencil.text(
        frame.network.topLeft(), Qt::AlignLeft | Qt::AlignTop,
        QStringLiteral("layer %1 = %2 of 0-%3").arg(QChar{u'x' + state.cut.axis}).arg(state.cut.layer).arg(layers - 1),
        points::small, pencil.palette().accent);
}

}  // namespace app::gui
