// SPDX-License-Identifier: BSD-3-Clause
// Who waits for whom: upwards what a rank waited, by what was late; downwards how long others waited for it.
#include "app/analysis/part.hpp"
#include "app/gui/scenes/chart_frame.hpp"
#include "app/gui/scenes/numbers.hpp"
#include "app/gui/scenes/ties.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <numeric>

namespace app::gui {
namespace {

constexpr double leastHatched = 6;  // pixels of width and height

/// A kind of waiting: the warm colour in three strengths, one of them hatched. What made others wait is a cause.
struct WaitLook {
    QColor fill;
    QColor hatch{};  ///< invalid: none
};

WaitLook forSender(const Palette& palette) {
    return {mixed(palette.waitingGround, palette.waiting, 0.5), palette.waiting};
}
WaitLook forReceiver(const Palette& palette) { return {palette.waiting}; }
WaitLook inCollectives(const Palette& palette) { return {mixed(palette.waiting, palette.ink, 0.4)}; }
WaitLook caused(const Palette& palette) { return {palette.accent}; }

Shape& drawBar(Pencil& pencil, const QRectF& box, const WaitLook& look) {
    Shape& shape = pencil.rectangle(box, look.fill);
    if (!look.hatch.isValid() || std::min(box.width(), box.height()) < leastHatched) return shape;
    shape.pen = look.hatch;
    shape.hatched = true;
    return shape;
}

Legend legendOf(bool collectives, bool together) {
    Legend legend;
    const auto swatch = [&](const char* words, WaitLook (*look)(const Palette&)) {
        legend.entry(QString::fromLatin1(words), [look](Pencil& pencil, const QRectF& box) {
            drawBar(pencil, box.adjusted(2, 1, -2, -1), look(pencil.palette()));
        });
    };
    swatch("up: waited for a late sender", forSender);
    swatch("up: waited for a late receiver", forReceiver);
    if (collectives) swatch("up: waited in collectives", inCollectives);
    swatch("down: made others wait", caused);
    if (together)
        legend.entry(QStringLiteral("thin: the rank of a bar with most"), [](Pencil& pencil, const QRectF& box) {
            pencil.rectangle({box.center().x() - thinBar / 2, box.top(), thinBar, box.height()},
                             pencil.palette().muted);
        });
    return legend;
}

engine::Picoseconds sumOf(const std::vector<engine::Picoseconds>& times, std::int64_t first, std::int64_t next) {
    return std::accumulate(times.begin() + first, times.begin() + next, engine::Picoseconds{});
}

/// What each rank waited, for whatever.
std::vector<engine::Picoseconds> waitedOf(const analysis::WaitSums& waits) {
    std::vector<engine::Picoseconds> waited(waits.forSender);
    for (std::size_t rank = 0; rank < waited.size(); ++rank)
        waited[rank] += waits.forReceiver[rank] + waits.inCollectives[rank];
    return waited;
}

QString rankAndOthers(Leaders most, const QString& one, const QString& several) {
    return withOthers(QStringLiteral("ank %1").arg(most.first), most.count, one, several);
}

/// "972.8 us in all", or of several "972.8 us each".
QString allOrEach(engine::Picoseconds time, Leaders most) {
    return timeInWords(time) + (most.count > 1 ? QStringLiteral(" each") : QStringLiteral(" in all"));
}

/// " Rank 3 came last, 1 ms after the first."; empty where all are there from the beginning, as far as is known.
QString lastInWords(const engine::Run& run) {
    const std::vector<engine::Picoseconds> starts = analysis::arrivalTimes(run);
    const Leaders last = leadersOf(starts);
    const engine::Picoseconds after = starts[last.first] - *std::min_element(starts.begin(), starts.end());
    if (after.count() == 0) return {};
    return QStringLiteral(" R%1 last, %2 after the first.")
        .arg(rankAndOthers(last, QStringLiteral("came"), QStringLiteral("came")), timeInWords(after));
}

QString inWords(const engine::Run& run, const analysis::WaitSums& waits) {
    const Leaders late = leadersOf(waits.caused);
    if (late.count == 0 || waits.caused[late.first].count() == 0) return QStringLiteral("No rank waits for another.");
    const std::vector<engine::Picoseconds> waited = waitedOf(waits);
    const Leaders most = leadersOf(waited);
    return QStringLiteral("R%1 longest, %2; r%3 others wait longest directly, %4.")
               .arg(rankAndOthers(most, QStringLiteral("waits"), QStringLiteral("wait")),
                    allOrEach(waited[most.first], most),
                    rankAndOthers(late, QStringLiteral("makes"), QStringLiteral("make")),
                    allOrEach(waits.caused[late.first], late)) +
           lastInWords(run);
}

}  // namespace

Scene waitsScene(const Subject& subject, const ViewState& state, QSizeF size) {
    const engine::Run& run = subject.run();
    const analysis::WaitSums& waits = subject.tallies().waits;
    // Those of another tool's trace are all there.
    if (run.droppedMessages > 0 && run.setting.on != "trace")
        return sorry(
            QStringLiteral("Only %1 of %2 messages were kept, so nobody can say who waited for whom.")
                .arg(countInWords(static_cast<std::int64_t>(run.messages.size())), countInWords(run.messageCount)),
            state.dark, size);
    QString words = inWords(run, waits);
    if (words.startsWith(QStringLiteral("No rank"))) return sorry(words, state.dark, size);
    // The longest number beside the plot is not known before the plot's width is; that of single ranks is long enough.
    const QString widest = QStringLiteral("888.88 \u00b5s");
    const analysis::Bins bins = barsIn(plotWidth(size, widest), run.ranks);
    if (bins.together()) words += QStringLiteral(" A bar is the average of %1 neighbouring ranks.").arg(bins.each());
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = words;
    struct Bar {
        engine::Picoseconds sender{};
        engine::Picoseconds receiver{};
        engine::Picoseconds collectives{};
        engine::Picoseconds caused{};
        std::int64_t longest = 0;  // rank of the bar that waited most
        std::int64_t latest = 0;   // and the one that made others wait most
    };
    const std::vector<engine::Picoseconds> waited = waitedOf(waits);
    std::vector<Bar> bars;
    for (std::int32_t bin = 0; bin < bins.shown; ++bin) {
        const std::int64_t first = bins.first(bin);
        const std::int64_t next = bins.first(bin + 1);
        const auto mostOf = [&](const std::vector<engine::Picoseconds>& times) {
            return std::max_element(times.begin() + first, times.begin() + next) - times.begin();
        };
        bars.push_back({sumOf(waits.forSender, first, next) / (next - first),
                        sumOf(waits.forReceiver, first, next) / (next - first),
                        sumOf(waits.inCollectives, first, next) / (next - first),
                        sumOf(waits.caused, first, next) / (next - first), mostOf(waited), mostOf(waits.caused)});
    }
    const bool collectives = sumOf(waits.inCollectives, 0, run.ranks).count() > 0;
    const ChartFrame frame =
        chartFrame(pencil, size, words, widest, QStringLiteral("rank"), legendOf(collectives, bins.together()));
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
        const QString tip =
            QStringLiteral("%1: waited %2 for senders%3 for receivers%4, made others wait %5")
                .arg(who, timeInWords(bar.sender), (collectives ? ", " : " and ") + timeInWords(bar.receiver),
                     collectives ? QStringLiteral(" and %1 in collectives").arg(timeInWords(bar.collectives))
                                 : QString{},
                     timeInWords(bar.caused));
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
        const double above = piece(zero, bar.sender, -1, forSender(palette));
        const double top = piece(above, bar.receiver, -1, forReceiver(palette));
        piece(top, bar.collectives, -1, inCollectives(palette));
        piece(zero, bar.caused, +1, caused(palette));
        if (state.rank && bins.binOf(state.rank->value) == bin) markBar(pencil, frame, x, pitch - gap);
    }
    numbersBelow(pencil, frame, {run.ranks, run.ranks}, 0);
    return scene;
}

Table waitsTable(const Subject& subject, const ViewState&) {
    const analysis::WaitSums& waits = subject.tallies().waits;
    const bool collectives = sumOf(waits.inCollectives, 0, subject.run().ranks).count() > 0;
    QStringList columns{QStringLiteral("Rank"), QStringLiteral("Waited for senders"),
                        QStringLiteral("Waited for receivers"), QStringLiteral("Made others wait")};
    if (collectives) columns.insert(3, QStringLiteral("Waited in collectives"));
    Table table{columns, {}, 0};
    for (std::size_t rank = 0; rank < waits.caused.size(); ++rank) {
        QStringList row{QString::number(rank), timeInWords(waits.forSender[rank]), timeInWords(waits.forReceiver[rank]),
                        timeInWords(waits.caused[rank])};
        if (collectives) row.insert(3, timeInWords(waits.inCollectives[rank]));
        table.add(row);
    }
    return table;
}

}  // namespace app::gui
