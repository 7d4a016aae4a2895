// SPDX-License-Identifier: BSD-3-Clause
// How every rank spent the run: not yet entered, busy, waiting or idle, finished early; of a traced program what it
// did.
#include "app/analysis/format/cell_format.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/common/program_timeline_colours.hpp"
#include "app/gui/scenes/drawing/to_qt.hpp"
#include "app/gui/scenes/text/activity_shares.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/program_text.hpp"
#include "app/gui/scenes/text/rank_glyphs.hpp"
#include "app/gui/scenes/text/run_text.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

using analysis::Activity;
using engine::Picoseconds;
using engine::Rank;

constexpr double narrowestHatched = 5;  // pixels

/// A bar of ranks first..next-1.
struct RankBar {
    std::int64_t first = 0;
    std::int64_t next = 0;
    double x = 0;
    double width = 0;
};

/// A bar for each rank, or for neighbouring ones together, of parts that fill all of its time.
struct RankBars {
    QString words;
    /// `roomy`: bars are wide enough for signs; `together`: they are of several ranks.
    std::function<Legend(bool roomy, bool together)> legend;
    /// Shares of the parts, from below.
    std::function<std::vector<double>(const RankBar&)> shares;
    /// Behind the names of the ranks.
    std::function<QString(const std::vector<double>& shares)> tip;
    std::function<Shape&(SceneBuilder&, const QRectF&, std::size_t part, bool roomy)> draw;
    /// In front of a bar of several ranks; null: nothing.
    std::function<void(SceneBuilder&, const ChartFrame&, const RankBar&, const std::vector<double>& shares)> inFront{};
};

Scene barsScene(const RankBars& bars, const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const std::int32_t ranks = subject.run().ranks;
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    scene.description = bars.words;
    const QString widest = QStringLiteral("100%");
    const analysis::Bins bins = barsIn(plotWidth(size, widest), ranks);
    if (bins.together())
        scene.description += QStringLiteral(" A bar is the average of %1 neighbouring ranks.").arg(bins.each());
    const double pitch = plotWidth(size, widest) / bins.shown;
    const double gap = pitch >= 6 ? std::min(pitch * 0.2, 4.0) : 0;
    const bool wide = pitch - gap >= narrowestHatched;
    const ChartFrame frame =
        chartFrame(pencil, size, scene.description, widest, QStringLiteral("rank"), bars.legend(wide, bins.together()));
    sharesBeside(pencil, frame);
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const RankBar bar{bins.first(bin), bins.first(bin + 1), frame.plot.left() + bin * pitch + gap / 2, pitch - gap};
        const std::vector<double> shares = bars.shares(bar);
        const QString who = bar.next - bar.first == 1 ? QStringLiteral("rank %1").arg(bar.first)
                                                      : QStringLiteral("ranks %1-%2").arg(bar.first).arg(bar.next - 1);
        const QString tip = who + QStringLiteral(": ") + bars.tip(shares);
        double y = frame.plot.bottom();
        for (std::size_t part = 0; part < shares.size(); ++part) {
            const double height = shares[part] * frame.plot.height();
            y -= height;
            if (height < 0.25) continue;
            Shape& shape = bars.draw(pencil, {bar.x, y, bar.width, height}, part, wide && height >= 2);
            shape.meaning = {Meaning::Kind::rank, bar.first, -1};
            shape.tip = tip;
        }
        if (bins.together() && bars.inFront) bars.inFront(pencil, frame, bar, shares);
        if (state.rank && bins.binOf(state.rank->value) == bin) markBar(pencil, frame, bar.x, bar.width);
    }
    numbersBelow(pencil, frame, {ranks, ranks}, 0);
    return scene;
}

QString percent(double share) { return QString::fromStdString(engine::showNumber(100 * share, 3)) + "%"; }

engine::Picoseconds stillOf(const engine::RankTimes& times) { return times.noCommunication + times.finishedEarly; }

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
    return subject.run().setting.on == "trace" ? QStringLiteral("busy: from the start of a send or receive to its end")
           : hasProcessorTime(subject)         ? QStringLiteral("busy: the processor works (o, O, gamma)")
                                               : QStringLiteral("busy: the rank sends, receives or combines");
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
    still(afterwardsWords(subject), RankState::done);
    if (together)
        legend.entry(QStringLiteral("thin: the rank busy least"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle({box.center().x() - thinBar / 2, box.top(), thinBar, box.height()}, pencil.palette().ink);
        });
    return legend;
}

QString waitingInWords(const DrawableRun& subject, const analysis::TracedProgram& program) {
    std::vector<Picoseconds> waiting;
    for (Rank rank{0}; rank.value < subject.run().ranks; ++rank)
        waiting.push_back(program.tracks().spentBy(rank)[static_cast<std::size_t>(Activity::waiting)]);
    const double share = waitingShare(subject, program);
    if (share == 0) return QStringLiteral("No rank waits.");
    return QStringLiteral("Waiting time: %1 %2").arg(toQt(analysis::percent(share)), baseOfShares(&program)) +
           whoLongest(waiting, summedTime(program), QStringLiteral("waits"), QStringLiteral("wait"));
}

/// `roomy`: with room for a hatch.
Shape& paint(SceneBuilder& pencil, const QRectF& box, Activity activity, bool roomy) {
    const Palette& palette = pencil.palette();
    if (activity == Activity::none) return drawStill(pencil, box, RankState::done, roomy);
    if (activity != Activity::waiting) return pencil.rectangle(box, strongColour(activity, pencil.dark()));
    if (!roomy) return pencil.rectangle(box, palette.waiting);
    return drawStill(pencil, box.adjusted(0.5, 0.5, -0.5, -0.5), RankState::waiting);
}

Legend legendOf(const std::vector<Activity>& parts, const analysis::TracedProgram& program, bool roomy) {
    Legend legend;
    for (const Activity part : parts)
        legend.entry(nameOfActivity(part, program), [part, roomy](SceneBuilder& pencil, const QRectF& box) {
            paint(pencil, box.adjusted(0, 1, 0, -1), part, roomy);
        });
    return legend;
}

Scene programScene(const DrawableRun& subject, const analysis::TracedProgram& program, const ViewState& state,
                   QSizeF size) {
    const std::vector<Activity> parts = partsOf(subject, program);
    RankBars bars{.words = waitingInWords(subject, program), .legend = {}, .shares = {}, .tip = {}, .draw = {}};
    bars.legend = [&](bool roomy, bool) { return legendOf(parts, program, roomy); };
    bars.shares = [&](const RankBar& bar) {
        const Spent spent = spentBy(program, bar.first, bar.next);
        const double whole = std::max(1.0, std::accumulate(spent.begin(), spent.end(), 0.0));
        std::vector<double> shares;
        for (const Activity part : parts) shares.push_back(spent[static_cast<std::size_t>(part)] / whole);
        return shares;
    };
    bars.tip = [&](const std::vector<double>& shares) {
        QStringList amounts;
        for (std::size_t i = 0; i < parts.size(); ++i)
            amounts << nameOfActivity(parts[i], program) + ' ' + toQt(analysis::percent(shares[i]));
        return amounts.join(QStringLiteral(", "));
    };
    bars.draw = [&](SceneBuilder& pencil, const QRectF& box, std::size_t part, bool roomy) -> Shape& {
        return paint(pencil, box, parts[part], roomy);
    };
    return barsScene(bars, subject, state, size);
}

Table programTable(const DrawableRun& subject, const analysis::TracedProgram& program) {
    Table table = tableWith({{"rank", Content::rank}});
    const std::vector<Activity> parts = partsOf(subject, program);
    for (const Activity part : parts)
        table.columns.push_back({nameOfActivity(part, program).toStdString(), Content::time});
    for (std::int64_t rank = 0; rank < subject.run().ranks; ++rank) {
        const Spent spent = spentBy(program, rank, rank + 1);
        std::vector<engine::Cell>& row = table.rows.emplace_back();
        row.emplace_back(rank);
        for (const Activity part : parts)
            row.emplace_back(Picoseconds{static_cast<std::int64_t>(spent[static_cast<std::size_t>(part)])});
    }
    return table;
}

}  // namespace

Scene idleScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const engine::Run& run = subject.run();
    if (run.perRank.empty() || run.duration.count() <= 0)
        return sorry(QStringLiteral("Nothing took any time."), state.dark, size);
    if (const analysis::TracedProgram* program = knownProgramOf(subject))
        return programScene(subject, *program, state, size);
    const std::array parts{RankState::sending, betweenState(subject), RankState::absent, RankState::done};
    RankBars bars{.words = idleInWords(subject), .legend = {}, .shares = {}, .tip = {}, .draw = {}};
    bars.legend = [&](bool roomy, bool together) { return legendOf(subject, roomy, together); };
    bars.shares = [&](const RankBar& bar) {
        const double whole = static_cast<double>(run.duration.count()) * static_cast<double>(bar.next - bar.first);
        std::vector<double> shares(parts.size());
        for (std::int64_t rank = bar.first; rank < bar.next; ++rank) {
            const analysis::RankTimeBreakdown& times = subject.rankTimeBreakdowns()[static_cast<std::size_t>(rank)];
            const std::array spent{times.busy, times.noCommunication, times.notYetEntered, times.finishedEarly};
            for (std::size_t part = 0; part < parts.size(); ++part)
                shares[part] += static_cast<double>(spent[part].count()) / whole;
        }
        return shares;
    };
    bars.tip = [&](const std::vector<double>& shares) {
        const QString absent =
            shares[2] > 0 ? QStringLiteral("%1 %2, ").arg(nameOf(RankState::absent), percent(shares[2])) : QString{};
        return QStringLiteral("busy %1, %2 %3, %4%5 %6")
            .arg(percent(shares[0]), betweenWords(subject), percent(shares[1]), absent, afterwardsWords(subject),
                 percent(shares[3]));
    };
    bars.draw = [&](SceneBuilder& pencil, const QRectF& box, std::size_t part, bool roomy) -> Shape& {
        if (parts[part] == RankState::sending) return pencil.rectangle(box, pencil.palette().sending);
        return drawStill(pencil, roomy ? box.adjusted(0.5, 0.5, -0.5, -0.5) : box, parts[part], roomy);
    };
    bars.inFront = [&](SceneBuilder& pencil, const ChartFrame& frame, const RankBar& bar,
                       const std::vector<double>& shares) {
        const auto least = std::max_element(
            run.perRank.begin() + bar.first, run.perRank.begin() + bar.next,
            [](const engine::RankTimes& a, const engine::RankTimes& b) { return stillOf(a) < stillOf(b); });
        const double down = analysis::ratio(stillOf(*least), run.duration);
        const double from = frame.plot.bottom() - shares[0] * frame.plot.height();
        Shape& line = pencil.rectangle(
            {bar.x + (bar.width - thinBar) / 2, from, thinBar, frame.plot.top() + down * frame.plot.height() - from},
            pencil.palette().ink);
        const std::int64_t rank = least - run.perRank.begin();
        line.meaning = {Meaning::Kind::rank, rank, -1};
        line.tip = QStringLiteral("rank %1: busy %2").arg(rank).arg(percent(1 - down));
    };
    return barsScene(bars, subject, state, size);
}

Table idleTable(const DrawableRun& subject, const ViewState&) {
    if (const analysis::TracedProgram* program = knownProgramOf(subject)) return programTable(subject, *program);
    return subject.queue()->ask(analysis::tableNamed("ranks"), {}).table;
}

}  // namespace app::gui
