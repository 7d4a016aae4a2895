// SPDX-License-Identifier: BSD-3-Clause
// Which rank waits for which: upwards what a rank and its threads waited, by what was late; downwards how long others
// waited for it. It may have waited itself: it need not be the root cause.
#include "app/analysis/selection/partial_runs.hpp"
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

constexpr double leastHatched = 6;  // pixels of width and height

/// A kind of waiting: the warm colour in several strengths, some of them hatched.
struct WaitLook {
    QColor fill;
    QColor hatch{};  ///< invalid: none
};

/// Not the colour of causes: who is waited for may itself wait for the rank that caused it.
WaitLook caused(const Palette& palette) { return {mixed(palette.paper, palette.ink, 0.55)}; }

/// What a bar upwards is made of, from the bottom up.
struct Waited {
    analysis::WaitGroup group;
    const char* legend;
    const char* tip;
    const char* column;
    WaitLook (*look)(const Palette&);
};
constexpr Waited waitedFor[] = {
    {analysis::WaitGroup::senders, "up: waited for a late sender", "for senders", "waited for senders",
     [](const Palette& palette) {
         return WaitLook{mixed(palette.waitingGround, palette.waiting, 0.5), palette.waiting};
     }},
    {analysis::WaitGroup::receivers, "up: waited for a late receiver", "for receivers", "waited for receivers",
     [](const Palette& palette) { return WaitLook{palette.waiting}; }},
    {analysis::WaitGroup::collectives, "up: waited in collectives and other synchronising calls",
     "in collectives and other synchronising calls", "waited in collectives and other synchronising calls",
     [](const Palette& palette) { return WaitLook{mixed(palette.waiting, palette.ink, 0.4)}; }},
    {analysis::WaitGroup::windows, "up: waited at windows", "at windows", "waited at windows",
     [](const Palette& palette) {
         return WaitLook{mixed(palette.waiting, palette.ink, 0.4), mixed(palette.waiting, palette.paper, 0.4)};
     }},
    {analysis::WaitGroup::threads, "up: its threads waited for each other", "of threads for each other",
     "threads waited for each other",
     [](const Palette& palette) { return WaitLook{mixed(palette.waiting, palette.paper, 0.5)}; }},
};

engine::Picoseconds sumOf(const std::vector<engine::Picoseconds>& times, std::int64_t first, std::int64_t next) {
    return std::accumulate(times.begin() + first, times.begin() + next, engine::Picoseconds{});
}

/// Those in which any rank waited.
std::vector<const Waited*> shownOf(const analysis::WaitSums& waits) {
    std::vector<const Waited*> shown;
    for (const Waited& one : waitedFor) {
        const std::vector<engine::Picoseconds>& times = waits.of(one.group);
        if (sumOf(times, 0, static_cast<std::int64_t>(times.size())).count() > 0) shown.push_back(&one);
    }
    return shown;
}

Shape& drawBar(SceneBuilder& pencil, const QRectF& box, const WaitLook& look) {
    Shape& shape = pencil.rectangle(box, look.fill);
    if (!look.hatch.isValid() || std::min(box.width(), box.height()) < leastHatched) return shape;
    shape.pen = look.hatch;
    shape.hatched = true;
    return shape;
}

Legend legendOf(const std::vector<const Waited*>& shown, bool together) {
    Legend legend;
    const auto swatch = [&](const char* words, WaitLook (*look)(const Palette&)) {
        legend.entry(QString::fromLatin1(words), [look](SceneBuilder& pencil, const QRectF& box) {
            drawBar(pencil, box.adjusted(2, 1, -2, -1), look(pencil.palette()));
        });
    };
    for (const Waited* one : shown) swatch(one->legend, one->look);
    swatch("down: others waited for it, for any cause", caused);
    if (together)
        legend.entry(QStringLiteral("thin: the rank of a bar with most"), [](SceneBuilder& pencil, const QRectF& box) {
            pencil.rectangle({box.center().x() - thinBar / 2, box.top(), thinBar, box.height()},
                             pencil.palette().muted);
        });
    return legend;
}

/// "972.8 us in total", or of several "972.8 us each".
QString allOrEach(engine::Picoseconds time, const Leaders& most) {
    return timeInWords(time) + (most.count > 1 ? QStringLiteral(" each") : QStringLiteral(" in total"));
}

/// " Rank 3 entered last, 1 ms after the first."; empty where all are there from the beginning, as far as is known.
QString lastInWords(const engine::Run& run) {
    const std::vector<engine::Picoseconds> starts = analysis::arrivalTimes(run);
    const Leaders last = leadersOf(starts);
    const engine::Picoseconds after = starts[last.first] - *std::min_element(starts.begin(), starts.end());
    if (after.count() == 0) return {};
    return QStringLiteral(" %1 entered last, %2 after the first.")
        .arg(capitalised(ranksInWords(last)), timeInWords(after));
}

QString inWords(const engine::Run& run, const analysis::WaitSums& waits) {
    const Leaders late = leadersOf(waits.caused);
    if (late.count == 0 || waits.caused[late.first].count() == 0) return QStringLiteral("No rank waits for another.");
    const std::vector<engine::Picoseconds> waited = waits.all();
    const Leaders most = leadersOf(waited);
    return QStringLiteral(
               "%1 %2 longest, %3. The others waited longest for %4, %5. A rank that others wait for may be "
               "waiting itself.")
               .arg(capitalised(ranksInWords(most)), most.count > 1 ? QStringLiteral("wait") : QStringLiteral("waits"),
                    allOrEach(waited[most.first], most), ranksInWords(late),
                    allOrEach(waits.caused[late.first], late)) +
           lastInWords(run);
}

}  // namespace

Scene waitsScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    const engine::Run& run = subject.run();
    const analysis::WaitSums& waits = subject.tallies().waits;
    // Those of another tool's trace are all there.
    if (run.droppedMessages > 0 && run.setting.on != "trace")
        return sorry(
            QStringLiteral("Only %1 of %2 messages were kept, so that waiting times by rank are unknown.")
                .arg(countInWords(static_cast<std::int64_t>(run.messages.size())), countInWords(run.messageCount)),
            state.dark, size);
    QString words = inWords(run, waits);
    if (words.startsWith(QStringLiteral("No rank"))) return sorry(words, state.dark, size);
    // The longest number beside the plot is not known before the plot's width is; that of single ranks is long enough.
    const QString widest = QStringLiteral("888.88 \u00b5s");
    const analysis::Bins bins = barsIn(plotWidth(size, widest), run.ranks);
    if (bins.together()) words += QStringLiteral(" A bar is the average of %1 neighbouring ranks.").arg(bins.each());
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = words;
    const std::vector<const Waited*> shown = shownOf(waits);
    struct Bar {
        std::vector<engine::Picoseconds> waited{};  // beside `shown`
        engine::Picoseconds caused{};
        std::int64_t longest = 0;  // rank of the bar that waited most
        std::int64_t latest = 0;   // and the one that made others wait most
    };
    const std::vector<engine::Picoseconds> waited = waits.all();
    std::vector<Bar> bars;
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const std::int64_t first = bins.first(bin);
        const std::int64_t next = bins.first(bin + 1);
        const auto mostOf = [&](const std::vector<engine::Picoseconds>& times) {
            return std::max_element(times.begin() + first, times.begin() + next) - times.begin();
        };
        const auto mean = [&](const std::vector<engine::Picoseconds>& times) {
            return sumOf(times, first, next) / (next - first);
        };
        Bar& bar = bars.emplace_back(
            Bar{.caused = mean(waits.caused), .longest = mostOf(waited), .latest = mostOf(waits.caused)});
        for (const Waited* one : shown) bar.waited.push_back(mean(waits.of(one->group)));
    }
    const ChartFrame frame =
        chartFrame(pencil, size, words, widest, QStringLiteral("rank"), legendOf(shown, bins.together()));
    const engine::Picoseconds up = std::max(engine::Picoseconds{1}, *std::max_element(waited.begin(), waited.end()));
    const engine::Picoseconds down =
        std::max(engine::Picoseconds{1}, *std::max_element(waits.caused.begin(), waits.caused.end()));
    const double scale = frame.plot.height() / static_cast<double>((up + down).count());
    const double zero = frame.plot.top() + static_cast<double>(up.count()) * scale;
    const auto mark = [&](double y, engine::Picoseconds time) {
        pencil.line({frame.plot.left(), y}, {frame.plot.right(), y}, palette.faint);
        const QSizeF room = sizeOf(timeInWords(time), points::tiny);
        if (pencil.freeOfText({frame.numbers - room.width(), y - room.height() / 2, room.width(), room.height()}))
            pencil.text({frame.numbers, y}, Qt::AlignRight | Qt::AlignVCenter, timeInWords(time), points::tiny,
                        palette.muted);
    };
    if (up.count() > 1) mark(frame.plot.top(), up);
    if (down.count() > 1) mark(frame.plot.bottom(), down);
    mark(zero, {});
    const double pitch = frame.plot.width() / bins.shown;
    const double gap = pitch >= 6 ? std::min(pitch * 0.2, 4.0) : 0;
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const Bar& bar = bars[static_cast<std::size_t>(bin)];
        const std::int64_t first = bins.first(bin);
        const std::int64_t next = bins.first(bin + 1);
        const double x = frame.plot.left() + bin * pitch + gap / 2;
        const QString who = next - first == 1 ? QStringLiteral("rank %1").arg(first)
                                              : QStringLiteral("ranks %1-%2 on average").arg(first).arg(next - 1);
        QStringList parts;
        for (std::size_t i = 0; i < shown.size(); ++i)
            parts << QStringLiteral("%1 %2").arg(timeInWords(bar.waited[i]), QString::fromLatin1(shown[i]->tip));
        const QString last = parts.takeLast();
        const QString tip = QStringLiteral("%1: waited %2%3, made others wait %4")
                                .arg(who, parts.isEmpty() ? QString{} : parts.join(QStringLiteral(", ")) + " and ",
                                     last, timeInWords(bar.caused));
        const auto piece = [&](double from, engine::Picoseconds time, double way, const WaitLook& look) {
            const double height = static_cast<double>(time.count()) * scale;
            if (height < 0.25) return from;
            Shape& shape = drawBar(pencil, {x, way < 0 ? from - height : from, pitch - gap, height}, look);
            shape.meaning = {Meaning::Kind::rank, first, -1};
            shape.tip = tip;
            return from + way * height;
        };
        const auto single = [&](std::int64_t rank, engine::Picoseconds time, double way, const char* what) {
            const double height = static_cast<double>(time.count()) * scale;
            Shape& line = pencil.rectangle(
                {x + (pitch - gap - thinBar) / 2, way < 0 ? zero - height : zero, thinBar, height}, palette.muted);
            line.meaning = {Meaning::Kind::rank, rank, -1};
            line.tip = QStringLiteral("rank %1: %2 %3").arg(rank).arg(QString::fromLatin1(what), timeInWords(time));
        };
        if (bins.together()) {
            single(bar.longest, waited[static_cast<std::size_t>(bar.longest)], -1, "waited");
            single(bar.latest, waits.caused[static_cast<std::size_t>(bar.latest)], +1, "made others wait");
        }
        double top = zero;
        for (std::size_t i = 0; i < shown.size(); ++i) top = piece(top, bar.waited[i], -1, shown[i]->look(palette));
        piece(zero, bar.caused, +1, caused(palette));
        if (state.rank && bins.binOf(state.rank->value) == bin) markBar(pencil, frame, x, pitch - gap);
    }
    numbersBelow(pencil, frame, {run.ranks, run.ranks}, 0);
    return scene;
}

Table waitsTable(const DrawableRun& subject, const ViewState&) {
    const analysis::WaitSums& waits = subject.tallies().waits;
    const std::vector<const Waited*> shown = shownOf(waits);
    Table table = tableWith({{"rank", Content::rank}});
    for (const Waited* one : shown) table.columns.push_back({one->column, Content::time});
    table.columns.push_back({"made others wait", Content::time});
    for (std::size_t rank = 0; rank < waits.caused.size(); ++rank) {
        std::vector<engine::Cell>& row = table.rows.emplace_back();
        row.emplace_back(static_cast<std::int64_t>(rank));
        for (const Waited* one : shown) row.emplace_back(waits.of(one->group)[rank]);
        row.emplace_back(waits.caused[rank]);
    }
    return table;
}

}  // namespace app::gui
