// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/program/time_breakdown_scene.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/common/tracks_colours.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

QString waitingInWords(const DrawableRun& subject, const analysis::TracedProgram& program) {
    std::vector<Picoseconds> waiting;
    for (Rank rank{0}; rank.value < subject.run().ranks; ++rank)
        waiting.push_back(program.tracks().spentBy(rank)[static_cast<std::size_t>(Activity::waiting)]);
    const double share = waitingShare(subject, program);
    if (share == 0) return QStringLiteral("No rank waits.");
    return QStringLiteral("Waiting time: %1 of total rank time").arg(toQt(analysis::percent(share))) +
           whoLongest(waiting, subject.run().duration, QStringLiteral("waits"), QStringLiteral("wait"));
}

/// `roomy`: with room for a hatch.
Shape& paint(SceneBuilder& pencil, const QRectF& box, Activity activity, bool roomy) {
    const Palette& palette = pencil.palette();
    if (activity == Activity::none) return drawStill(pencil, box, RankState::done, roomy);
    if (activity != Activity::waiting) return pencil.rectangle(box, strongColour(activity, pencil.dark()));
    if (!roomy) return pencil.rectangle(box, palette.waiting);
    return drawStill(pencil, box.adjusted(0.5, 0.5, -0.5, -0.5), RankState::waiting);
}

constexpr double narrowestBar = 5;  // pixels

Legend legendOf(const std::vector<Activity>& parts, const analysis::TracedProgram& program, bool roomy) {
    Legend legend;
    for (const Activity part : parts)
        legend.entry(nameOfActivity(part, program), [part, roomy](SceneBuilder& pencil, const QRectF& box) {
            paint(pencil, box.adjusted(0, 1, 0, -1), part, roomy);
        });
    return legend;
}

}  // namespace

Scene spentScene(const DrawableRun& subject, const analysis::TracedProgram& program, const ViewState& state,
                 QSizeF size) {
    const std::int32_t ranks = subject.run().ranks;
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    scene.description = waitingInWords(subject, program);
    const QString widest = QStringLiteral("100 %");
    const analysis::Bins bins = barsIn(plotWidth(size, widest), ranks);
    if (bins.together())
        scene.description += QStringLiteral(" A bar is the average of %1 neighbouring ranks.").arg(bins.each());
    const double pitch = plotWidth(size, widest) / bins.shown;
    const double gap = pitch >= 6 ? std::min(pitch * 0.2, 4.0) : 0;
    const bool wide = pitch - gap >= narrowestBar;
    const std::vector<Activity> parts = partsOf(subject, program);
    const ChartFrame frame =
        chartFrame(pencil, size, scene.description, widest, QStringLiteral("rank"), legendOf(parts, program, wide));
    sharesBeside(pencil, frame);
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const std::int64_t first = bins.first(bin);
        const std::int64_t next = bins.first(bin + 1);
        const Spent spent = spentBy(subject, program, first, next);
        const double whole = std::max(1.0, std::accumulate(spent.begin(), spent.end(), 0.0));
        QStringList told;
        for (const Activity part : parts)
            told << nameOfActivity(part, program) + ' ' +
                        toQt(analysis::percent(spent[static_cast<std::size_t>(part)] / whole));
        const QString who = next - first == 1 ? QStringLiteral("rank %1").arg(first)
                                              : QStringLiteral("ranks %1-%2").arg(first).arg(next - 1);
        const double x = frame.plot.left() + bin * pitch + gap / 2;
        double y = frame.plot.bottom();
        for (const Activity part : parts) {
            const double height = frame.plot.height() * spent[static_cast<std::size_t>(part)] / whole;
            y -= height;
            if (height < 0.25) continue;
            Shape& shape = paint(pencil, {x, y, pitch - gap, height}, part, wide && height >= 2);
            shape.meaning = {Meaning::Kind::rank, first, -1};
            shape.tip = who + QStringLiteral(": ") + told.join(QStringLiteral(", "));
        }
        if (state.rank && bins.binOf(state.rank->value) == bin) markBar(pencil, frame, x, pitch - gap);
    }
    numbersBelow(pencil, frame, {ranks, ranks}, 0);
    return scene;
}

Table spentTable(const DrawableRun& subject, const analysis::TracedProgram& program) {
    Table table{{QStringLiteral("Rank")}, {}, 0};
    const std::vector<Activity> parts = partsOf(subject, program);
    for (const Activity part : parts) {
        const QString name = nameOfActivity(part, program);
        table.columns << name.left(1).toUpper() + name.mid(1);
    }
    for (std::int64_t rank = 0; rank < subject.run().ranks; ++rank) {
        const Spent spent = spentBy(subject, program, rank, rank + 1);
        QStringList cells{QString::number(rank)};
        for (const Activity part : parts)
            cells << timeInWords(Picoseconds{static_cast<std::int64_t>(spent[static_cast<std::size_t>(part)])});
        table.add(cells);
    }
    return table;
}

}  // namespace app::gui
