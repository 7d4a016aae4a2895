// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/space_time_frame.hpp"

#include "app/gui/scenes/following.hpp"
#include "app/gui/scenes/style.hpp"
#include "app/gui/scenes/visible_span.hpp"
#include "app/gui/scenes/words.hpp"

namespace app::gui {
namespace {

constexpr std::size_t mostLines = 10'000;
constexpr double smallestPitch = 2;

}  // namespace

SpaceTimeFrame spaceTimeFrame(const Subject& subject, const ViewState& state, QSizeF size) {
    const QRectF whole = QRectF{QPointF{}, size}.adjusted(margin, margin / 2, -margin, -margin / 2);
    const engine::Run& run = subject.run();
    const bool groups = subject.sideOf(engine::Rank{0}) == Side::a;
    SpaceTimeFrame frame;
    const double numbers = sizeOf(QString::number(std::max(run.ranks - 1, 0)), points::small).width();
    const double caption = sizeOf(QStringLiteral("round"), points::tiny).width();
    const double left = whole.left() + std::max((groups ? 20.0 : 0.0) + numbers, caption) + 6;
    frame.labels = left - 6;
    frame.groups = whole.left() + 6;

    const double line = lineHeight(points::small);
    double top = whole.top();
    frame.stages = top;
    frame.stageHeight = run.stages.empty() ? 0 : line + 3;
    top += frame.stageHeight + (frame.stageHeight > 0 ? 2 : 0);
    frame.rounds = top + lineHeight(points::tiny) / 2;
    top += lineHeight(points::tiny) + 2;

    double bottom = whole.bottom();
    const Legend legend = spaceTimeLegend(subject, state, false);
    if (state.legends && whole.height() > 200) {
        const double height = legend.rowsHeight(whole.right() - left);
        frame.legend = {left, bottom - height, whole.right() - left, height};
        bottom -= height + 4;
    }
    bottom -= lineHeight(points::tiny) + 8;
    const double unit = sizeOf(QStringLiteral("ms"), points::tiny).width() + 14;
    // Where rows are lower than their numbers, the first one must not meet the line of rounds.
    top += std::max(0.0, (line - (bottom - top) / std::max(run.ranks, 1)) / 2 - 2);
    frame.plot = {left, top, std::max(whole.right() - unit - left, 10.0), std::max(bottom - top, 10.0)};
    const auto [begin, end] = visibleSpan(subject, state);
    frame.axis = TimeAxis{begin, end, frame.plot.left(), frame.plot.right()};
    frame.pitch = frame.plot.height() / std::max(run.ranks, 1);
    frame.bar = frame.pitch < 4 ? frame.pitch : std::clamp(frame.pitch * 0.52, 2.0, 16.0);
    return frame;
}

bool drawsDensity(const Subject& subject, const SpaceTimeFrame& frame) {
    if (frame.pitch < smallestPitch) return true;
    if (subject.run().messages.size() <= mostLines) return false;
    return subject.index().touching(frame.axis.begin(), frame.axis.end(), mostLines + 1).size() > mostLines;
}

Legend spaceTimeLegend(const Subject& subject, const ViewState& state, bool density) {
    Legend legend;
    if (state.block) addFollowedTo(legend, subject, *state.block);
    const auto bar = [&](const char* words, QColor Palette::*fill, bool outlined) {
        legend.entry(QString::fromLatin1(words), [fill, outlined](Pencil& pencil, const QRectF& box) {
            pencil.rectangle(box.adjusted(0, 1, 0, -1), pencil.palette().*fill,
                             outlined ? pencil.palette().sending : QColor{});
        });
    };
    if (density) {
        legend.entry(QStringLiteral("ports: idle to busy"), [](Pencil& pencil, const QRectF& box) {
            for (int step = 0; step < 3; ++step)
                pencil.rectangle(
                    {box.left() + box.width() * step / 3, box.top() + 1, box.width() / 3, box.height() - 2},
                    mixed(pencil.palette().tint, pencil.palette().both, (step + 1) / 3.0));
        });
        if (subject.fault()) addFaultTo(legend);
        return legend;
    }
    bar("sending", &Palette::sending, false);
    bar("receiving", &Palette::receiving, true);
    bar("sending and receiving", &Palette::both, false);
    legend.entry(betweenWords(subject),
                 [outside = subject.run().setting.on == "trace"](Pencil& pencil, const QRectF& box) {
                     const Palette& palette = pencil.palette();
                     pencil
                         .rectangle(box.adjusted(0, 1, 0, -1), outside ? palette.paper : palette.waitingGround,
                                    outside ? palette.faint : palette.waiting)
                         .hatched = !outside;
                 });
    legend.entry(QStringLiteral("message"), [](Pencil& pencil, const QRectF& box) {
        pencil.arrow(box.topLeft() + QPointF{0, 1}, box.bottomRight() - QPointF{0, 1}, pencil.palette().muted, 1.2);
    });
    if (subject.fault()) addFaultTo(legend);
    return legend;
}

}  // namespace app::gui
