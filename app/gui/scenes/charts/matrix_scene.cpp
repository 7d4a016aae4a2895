// SPDX-License-Identifier: BSD-3-Clause
// The communication matrix: senders downwards, receivers to the right, bytes as colour.
#include "app/gui/scenes/common/chart_frame.hpp"
#include "app/gui/scenes/drawing/number_text.hpp"
#include "app/gui/scenes/text/run_text.hpp"

#include <algorithm>
#include <set>

namespace app::gui {
namespace {

constexpr std::size_t mostFramed = 400;  // pairs of the round in progress

/// "12", or "12-15" where they are taken together.
QString ranksOf(const analysis::Bins& ranks, std::int32_t bin) {
    const std::int64_t first = ranks.first(bin);
    const std::int64_t last = ranks.first(bin + 1) - 1;
    return first == last ? QString::number(first) : QStringLiteral("%1-%2").arg(first).arg(last);
}

QString trafficInWords(const DrawableRun& subject) {
    const analysis::Traffic& traffic = subject.tallies().traffic;
    const std::int64_t ranks = traffic.ranks.count;
    QString words =
        QStringLiteral(
            "%1 of %2 directed pairs of ranks (sender, receiver) have messages, at most %3 per pair. Rows send, columns receive.")
            .arg(countInWords(traffic.pairs), countInWords(ranks * (ranks - 1)), bytesInWords(traffic.busiest));
    if (traffic.ranks.together()) words += QStringLiteral(" A cell is %1 \u00d7 %1 ranks.").arg(traffic.ranks.each());
    return words;
}

}  // namespace

Scene trafficScene(const DrawableRun& subject, const ViewState& state, QSizeF size) {
    if (state.veil) return sorry(hiddenWords(), state.dark, size);
    const analysis::Traffic& traffic = subject.tallies().traffic;
    if (traffic.cells.empty() || subject.run().messages.empty())
        return sorry(QStringLiteral("No message was recorded."), state.dark, size);
    Scene scene;
    SceneBuilder pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    scene.description = trafficInWords(subject);
    Legend legend;
    addLoadScale(legend, QStringLiteral("bytes of a cell: 0 to %1").arg(bytesInWords(traffic.largest)));
    legend.entry(QStringLiteral("in flight"), [](SceneBuilder& with, const QRectF& box) {
        with.rectangle(box.adjusted(2, 1, -2, -1), {}, with.palette().accent).width = 1.5;
    });
    ChartFrame frame = chartFrame(pencil, size, scene.description,
                                  QStringLiteral("from ") + QString::number(subject.run().ranks), {}, legend);
    const double side = std::min(frame.plot.width(), frame.plot.height());
    frame.plot.setSize({side, side});
    const double pitch = side / traffic.ranks.shown;
    const double gap = pitch >= 8 ? 1 : 0;
    pencil.rectangle(frame.plot, palette.tint);
    for (std::int32_t from = 0; from < traffic.ranks.shown; ++from)
        for (std::int32_t to = 0; to < traffic.ranks.shown; ++to) {
            const analysis::Traffic::Cell& cell = traffic.at(from, to);
            if (cell.messages == 0) continue;
            const double share =
                traffic.largest == 0 ? 0 : static_cast<double>(cell.bytes) / static_cast<double>(traffic.largest);
            Shape& shape = pencil.rectangle(
                {frame.plot.left() + to * pitch, frame.plot.top() + from * pitch, pitch - gap, pitch - gap},
                loadColour(share, state.dark));
            shape.meaning = {Meaning::Kind::rank, traffic.ranks.first(from), -1};
            if (gap > 0 || traffic.ranks.shown <= 64)
                shape.tip = QStringLiteral("from %1 to %2: %3 messages, %4")
                                .arg(ranksOf(traffic.ranks, from), ranksOf(traffic.ranks, to))
                                .arg(cell.messages)
                                .arg(bytesInWords(cell.bytes));
        }
    // What is in flight now.
    const std::vector<std::size_t> moving = subject.messagesAt(state.time);
    std::set<std::pair<std::int32_t, std::int32_t>> now;
    for (const std::size_t i : moving) {
        if (now.size() >= mostFramed) break;
        now.emplace(traffic.ranks.binOf(subject.run().messages.from()[i].value),
                    traffic.ranks.binOf(subject.run().messages.to()[i].value));
    }
    for (const auto& [from, to] : now)
        pencil
            .rectangle({frame.plot.left() + to * pitch - 0.5, frame.plot.top() + from * pitch - 0.5,
                        std::max(pitch - gap + 1, 2.0), std::max(pitch - gap + 1, 2.0)},
                       {}, palette.accent)
            .width = pitch >= 8 ? 1.5 : 1;
    if (state.rank) {
        const double at = traffic.ranks.binOf(state.rank->value) * pitch;
        for (const QRectF& box : {QRectF{frame.plot.left() - 1, frame.plot.top() + at - 1, side + 2, pitch + 1},
                                  QRectF{frame.plot.left() + at - 1, frame.plot.top() - 1, pitch + 1, side + 2}})
            pencil.rectangle(box, {}, palette.ink).dashed = true;
    }
    numbersBelow(pencil, frame, {subject.run().ranks, subject.run().ranks}, 0);
    numbersBeside(pencil, frame, {subject.run().ranks, subject.run().ranks});
    return scene;
}

Table trafficTable(const DrawableRun& subject, const ViewState&) {
    const analysis::Traffic& traffic = subject.tallies().traffic;
    Table table = tableWith(
        {{"from", Content::rank}, {"to", Content::rank}, {"messages", Content::count}, {"bytes", Content::bytes}});
    for (std::int32_t from = 0; from < traffic.ranks.shown; ++from)
        for (std::int32_t to = 0; to < traffic.ranks.shown; ++to) {
            const analysis::Traffic::Cell& cell = traffic.at(from, to);
            if (cell.messages > 0)
                table.rows.push_back({traffic.ranks.first(from), traffic.ranks.first(to), cell.messages, cell.bytes});
        }
    return table;
}

}  // namespace app::gui
