// SPDX-License-Identifier: BSD-3-Clause
// What every link carried in every round: the busiest links, most bytes on top.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/maximum_with_ties.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr double leastRow = 2;     // pixels
constexpr double highestRow = 56;  // of few links in a large picture
constexpr int shadesOfLoad = 24;

QString nameOf(const DrawableRun& subject, engine::LinkId link) { return linkName(*subject.report().network, link); }

QString loadsInWords(const DrawableRun& subject) {
    const analysis::LinkRounds& found = subject.tallies().linkRounds;
    const std::int32_t all = subject.report().network->links();
    const std::vector<engine::Bytes>& totals = subject.report().congestion->perLink;
    const Leaders most = leadersOf(totals);
    return QStringLiteral(
               "%1 of %2 links carry data. %3 most, %4%5 in the whole run; the maximum in one round is %6. Rows: most "
               "bytes first.")
        .arg(countInWords(found.used), countInWords(all),
             capitalised(inWords(
                 most, QStringLiteral("link"), QStringLiteral("links"),
                 [&](std::size_t link) { return nameOf(subject, engine::LinkId{static_cast<std::int32_t>(link)}); })) +
                 (most.count > 1 ? QStringLiteral(" carry") : QStringLiteral(" carries")),
             bytesInWords(totals[most.first]), most.count > 1 ? QStringLiteral(" each") : QString{},
             bytesInWords(found.largest));
}

}  // namespace

Scene linksScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (state.veil) return sorry(hiddenWords(), state.dark, size);
    const analysis::LinkRounds& found = subject.tallies().linkRounds;
    if (!found.unknown.empty()) return sorry(QString::fromStdString(found.unknown), state.dark, size);
    if (found.links.empty()) return sorry(QStringLiteral("No link carries data."), state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = loadsInWords(subject);
    Legend legend;
    addLoadScale(legend, QStringLiteral("load: 0 to %1").arg(bytesInWords(found.largest)));
    legend.entry(QStringLiteral("current round"), [](SceneBuilder& with, const QRectF& box) {
        with.rectangle(box.adjusted(2, 1, -2, -1), {}, with.palette().accent).width = 1.5;
    });
    QString widest;
    for (const engine::LinkId link : found.links) {
        const QString name = nameOf(subject, link);
        if (sizeOf(name, points::tiny).width() > sizeOf(widest, points::tiny).width()) widest = name;
    }
    const auto framed = [&](SceneBuilder& with) {
        return chartFrame(with, size, scene.description, widest, QStringLiteral("round"), legend);
    };
    const auto rowsIn = [&](const ChartFrame& frame) {
        return static_cast<std::size_t>(
            std::clamp(frame.plot.height() / leastRow, 1.0, static_cast<double>(found.links.size())));
    };
    const auto drawn = [&](std::size_t rows) {
        return QStringLiteral(" Drawn are %1 of them, the busiest first.")
            .arg(countInWords(static_cast<std::int64_t>(rows)));
    };
    // How many rows there is room for is known when the words are set, which say it: a first try.
    const QString words = scene.description;
    scene.description = words + drawn(found.links.size());
    Scene tried;
    SceneBuilder trying{tried, state.dark};
    const std::size_t rows = rowsIn(framed(trying));
    scene.description = static_cast<std::int64_t>(rows) < found.used ? words + drawn(rows) : words;
    const ChartFrame frame = framed(pencil);
    const double high = std::min(frame.plot.height() / static_cast<double>(rows), highestRow);
    const double wide = frame.plot.width() / found.rounds.shown;
    const double gap = high >= 8 && wide >= 8 ? 1 : 0;
    const auto namesApart = static_cast<std::size_t>(labelStep(high, lineHeight(points::tiny) - 1));
    for (std::size_t row = 0; row < rows; ++row) {
        const engine::LinkId link = found.links[row];
        const QString name = nameOf(subject, link);
        const auto shadeOf = [&](std::int32_t column) {
            const engine::Bytes load = found.at(row, column);
            return load == 0
                       ? 0
                       : 1 + static_cast<int>((shadesOfLoad - 1) * load / std::max<engine::Bytes>(found.largest, 1));
        };
        for (std::int32_t column = 0; column < found.rounds.shown;) {
            const std::int32_t from = column;
            const engine::Bytes load = found.at(row, from);
            // Equal neighbours too narrow to be distinguished are one shape.
            do ++column;
            while (gap == 0 && column < found.rounds.shown && shadeOf(column) == shadeOf(from));
            Shape& cell = pencil.rectangle(
                {frame.plot.left() + from * wide, frame.plot.top() + static_cast<double>(row) * high,
                 (column - from) * wide - gap, high - gap},
                load == 0 ? palette.tint
                          : loadColour(static_cast<double>(load) / static_cast<double>(found.largest), state.dark));
            const std::int64_t round = found.rounds.first(from);
            cell.meaning = {Meaning::Kind::link, link.value, round};
            if (gap > 0)
                cell.tip = QStringLiteral("link %1, round %2: %3").arg(name).arg(round + 1).arg(bytesInWords(load));
        }
        if (row % namesApart == 0)
            pencil.text({frame.numbers, frame.plot.top() + (static_cast<double>(row) + 0.5) * high},
                        Qt::AlignRight | Qt::AlignVCenter, name, points::tiny, palette.muted);
        if (state.link == link) {
            Shape& ring =
                pencil.rectangle({frame.plot.left() - 1.5, frame.plot.top() + static_cast<double>(row) * high - 1.5,
                                  frame.plot.width() + 2, high + 2},
                                 {}, palette.accent);
            ring.width = 1.5;
        }
    }
    const std::int32_t now = found.rounds.binOf(std::min(subject.roundAt(state.time).value, subject.run().rounds - 1));
    Shape& cursor = pencil.rectangle(
        {frame.plot.left() + now * wide - 0.75, frame.plot.top() - 2, wide + 0.5, static_cast<double>(rows) * high + 3},
        {}, palette.accent);
    cursor.width = 1.5;
    ChartFrame axis = frame;
    axis.plot.setHeight(static_cast<double>(rows) * high);
    numbersBelow(pencil, axis, {found.rounds.count, found.rounds.count}, 1);
    return scene;
}

Table linksTable(const DrawableRun& subject, const ViewState& state) {
    const analysis::LinkRounds& found = subject.tallies().linkRounds;
    const engine::Round round = std::min(subject.roundAt(state.time), engine::Round{subject.run().rounds - 1});
    Table table = tableWith({{"link"},
                             {"now_bytes", Content::bytes, engine::text("in round ", round.value + 1)},
                             {"most_bytes", Content::bytes, "most in one round"},
                             {"bytes", Content::bytes, "in the whole run"}});
    if (!found.unknown.empty()) return table;
    const std::int32_t now = found.rounds.binOf(std::min(subject.roundAt(state.time).value, subject.run().rounds - 1));
    for (std::size_t row = 0; row < found.links.size(); ++row) {
        engine::Bytes most = 0;
        for (std::int32_t bin = 0; bin < found.rounds.shown; ++bin) most = std::max(most, found.at(row, bin));
        const auto link = found.links[row].index();
        table.rows.push_back({cellOf(nameOf(subject, found.links[row])), found.at(row, now), most,
                              subject.report().congestion->perLink[link]});
    }
    return table;
}

}  // namespace app::gui
