// SPDX-License-Identifier: BSD-3-Clause
// How every rank spent the run: not yet entered, busy, waiting or idle, finished early.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/program/time_breakdown_scene.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double narrowestHatched = 5;  // pixels

struct Shares {
    double absent = 0;
    double busy = 0;
    double wait = 0;
    double idle = 0;
};

Shares sharesOf(const DrawableRun& subject, std::int64_t first, std::int64_t next) {
    Shares shares;
    const double whole = static_cast<double>(subject.run().duration.count()) * static_cast<double>(next - first);
    for (std::int64_t rank = first; rank < next; ++rank) {
        const analysis::RankTimeBreakdown& times = subject.attendance()[static_cast<std::size_t>(rank)];
        shares.absent += static_cast<double>(times.absent.count()) / whole;
        shares.busy += static_cast<double>(times.busy.count()) / whole;
        shares.wait += static_cast<double>(times.wait.count()) / whole;
        shares.idle += static_cast<double>(times.idle.count()) / whole;
    }
    return shares;
}

QString percent(double share) { return QString::fromStdString(engine::showNumber(100 * share, 3)) + " %"; }

engine::Picoseconds stillOf(const engine::RankTimes& times) { return times.wait + times.idle; }

QString idleInWords(const DrawableRun& subject) {
    const engine::Run& run = subject.run();
    const bool traced = run.setting.on == "trace";
    std::vector<engine::Picoseconds> still;
    for (const engine::RankTimes& times : run.perRank) still.push_back(stillOf(times));
    const QString share = percent(engine::idleShare(run));
    if (engine::idleShare(run) == 0)
        return traced ? QStringLiteral("All ranks communicate all the time.") : QStringLiteral("No idle time.");
    if (traced)
        return QStringLiteral("No communication, or finished early: %1 of total rank time").arg(share) +
               whoLongest(still, run.duration, QStringLiteral("is so"), QStringLiteral("are so"));
    return QStringLiteral("Idle time: %1 of total rank time (%2)").arg(share, toQt(analysis::idleInParts(run))) +
           whoLongest(still, run.duration, QStringLiteral("is idle"), QStringLiteral("are idle"));
}

/// What counts as busy: a trace says when messages were in flight, not what a rank did meanwhile.
QString busyWords(const DrawableRun& subject) {
    return subject.run().setting.on == "trace" ? QStringLiteral("busy: a message is in flight, waits for it included")
                                               : QStringLiteral("busy: a message is in flight");
}

/// `roomy`: bars are wide enough for signs; `together`: they are of several ranks.
Legend legendOf(const DrawableRun& subject, bool roomy, bool together) {
    Legend legend;
    legend.entry(busyWords(subject), [](SceneBuilder& pencil, const QRectF& box) {
        pencil.rectangle(box.adjusted(0, 1, 0, -1), pencil.palette().sending);
    });
    const auto still = [&](const QString& words, RankState state) {
        legend.entry(words, [state, roomy](SceneBuilder& pencil, const QRectF& box) {
            drawStill(pencil, box.adjusted(0, 1, 0, -1), state, roomy);
        });
    };
    still(betweenWords(subject), betweenState(subject));
    if (subject.anyAbsent()) still(nameOf(RankState::absent), RankState::absent);
    still(QStringLiteral("finished early"), RankState::done);
    if (together)
        legend.entry(QStringLiteral("thin: the rank busy least"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle({box.center().x() - thinBar / 2, box.top(), thinBar, box.height()}, pencil.palette().ink);
        });
    return legend;
}

}  // namespace

Scene idleScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const engine::Run& run = subject.run();
    if (run.perRank.empty() || run.duration.count() <= 0)
        return sorry(QStringLiteral("Nothing took any time."), state.dark, size);
    if (const analysis::TracedProgram* program = knownProgramOf(subject))
        return spentScene(subject, *program, state, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = idleInWords(subject);
    const QString widest = QStringLiteral("100 %");
    const analysis::Bins bins = barsIn(plotWidth(size, widest), run.ranks);
    if (bins.together())
        scene.description += QStringLiteral(" A bar is the average of %1 neighbouring ranks.").arg(bins.each());
    const double pitch = plotWidth(size, widest) / bins.shown;
    const double gap = pitch >= 6 ? std::min(pitch * 0.2, 4.0) : 0;
    const ChartFrame frame = chartFrame(pencil, size, scene.description, widest, QStringLiteral("rank"),
                                        legendOf(subject, pitch - gap >= narrowestHatched, bins.together()));
    sharesBeside(pencil, frame);
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const std::int64_t first = bins.first(bin);
        const std::int64_t next = bins.first(bin + 1);
        const Shares shares = sharesOf(subject, first, next);
        const QString who = next - first == 1 ? QStringLiteral("rank %1").arg(first)
                                              : QStringLiteral("ranks %1-%2").arg(first).arg(next - 1);
        const QString absent = shares.absent > 0
                                   ? QStringLiteral("%1 %2, ").arg(nameOf(RankState::absent), percent(shares.absent))
                                   : QString{};
        const QString tip = QStringLiteral("%1: busy %2, %3 %4, %5finished early %6")
                                .arg(who, percent(shares.busy), betweenWords(subject), percent(shares.wait), absent,
                                     percent(shares.idle));
        const double x = frame.plot.left() + bin * pitch + gap / 2;
        double y = frame.plot.bottom();
        const auto piece = [&](double share, RankState is) {
            const double height = share * frame.plot.height();
            y -= height;
            if (height < 0.25) return;
            const QRectF box{x, y, pitch - gap, height};
            const bool roomy = box.width() >= narrowestHatched && height >= 2;
            Shape& shape = is == RankState::sending
                               ? pencil.rectangle(box, palette.sending)
                               : drawStill(pencil, roomy ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box, is, roomy);
            shape.meaning = {Meaning::Kind::rank, first, -1};
            shape.tip = tip;
        };
        piece(shares.busy, RankState::sending);
        piece(shares.wait, betweenState(subject));
        piece(shares.absent, RankState::absent);
        piece(shares.idle, RankState::done);
        if (bins.together()) {
            const auto least = std::max_element(
                run.perRank.begin() + first, run.perRank.begin() + next,
                [](const engine::RankTimes& a, const engine::RankTimes& b) { return stillOf(a) < stillOf(b); });
            const double down =
                static_cast<double>(stillOf(*least).count()) / static_cast<double>(run.duration.count());
            const double from = frame.plot.bottom() - shares.busy * frame.plot.height();
            Shape& line = pencil.rectangle(
                {x + (pitch - gap - thinBar) / 2, from, thinBar, frame.plot.top() + down * frame.plot.height() - from},
                palette.ink);
            const std::int64_t rank = least - run.perRank.begin();
            line.meaning = {Meaning::Kind::rank, rank, -1};
            line.tip = QStringLiteral("rank %1: busy %2").arg(rank).arg(percent(1 - down));
        }
        if (state.rank && bins.binOf(state.rank->value) == bin) markBar(pencil, frame, x, pitch - gap);
    }
    numbersBelow(pencil, frame, {run.ranks, run.ranks}, 0);
    return scene;
}

Table idleTable(const DrawableRun& subject, const ViewState&) {
    if (const analysis::TracedProgram* program = knownProgramOf(subject)) return spentTable(subject, *program);
    QString between = betweenWords(subject);
    between[0] = between[0].toUpper();
    Table table{{QStringLiteral("Rank"), QStringLiteral("Not yet entered"), QStringLiteral("Busy"), between,
                 QStringLiteral("Finished early")},
                {},
                0};
    for (std::size_t rank = 0; rank < subject.attendance().size(); ++rank) {
        const analysis::RankTimeBreakdown& times = subject.attendance()[rank];
        table.add({QString::number(rank), timeInWords(times.absent), timeInWords(times.busy), timeInWords(times.wait),
                   timeInWords(times.idle)});
    }
    return table;
}

}  // namespace app::gui
