// SPDX-License-Identifier: BSD-3-Clause
// The bars of the space-time diagram: what each rank does, or all those of a folded group together.
#include "app/gui/scenes/time/run_timeline_frame.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace app::gui {
namespace {

constexpr double lowestSign = 3;  // pixels of a bar with the sign of its state

QColor mixOf(const Palette& palette, const StateColumns::Times& times) {
    std::array<double, 3> sums{};
    double all = 0;
    for (std::size_t state = 0; state < times.size(); ++state) {
        const QColor colour = colourOf(static_cast<RankState>(state), palette);
        const auto time = static_cast<double>(times[state]);
        all += time;
        sums[0] += time * static_cast<double>(colour.redF());
        sums[1] += time * static_cast<double>(colour.greenF());
        sums[2] += time * static_cast<double>(colour.blueF());
    }
    if (all <= 0) return palette.paper;
    const auto channel = [all](double sum) { return static_cast<float>(sum / all); };
    return QColor::fromRgbF(channel(sums[0]), channel(sums[1]), channel(sums[2]));
}

/// "node 3, 64 ranks: receiving 40%, waiting 60%".
QString statesInWords(const RowGroup& group, const StateColumns::Times& times) {
    double all = 0;
    for (const std::int64_t time : times) all += static_cast<double>(time);
    QStringList parts;
    for (std::size_t state = 0; state < times.size(); ++state)
        if (times[state] > 0)
            parts << QStringLiteral("%1 %2%")
                         .arg(nameOf(static_cast<RankState>(state)))
                         .arg(std::lround(100 * static_cast<double>(times[state]) / all));
    return QStringLiteral("%1, %2: %3").arg(group.name, nameOfFolded(group), parts.join(QStringLiteral(", ")));
}

/// One per message, so that messages that follow each other stay apart.
void drawBar(SceneBuilder& pencil, const RunTimelineFrame& frame, engine::Rank rank, const RankStretch& stretch) {
    const Palette& palette = pencil.palette();
    const double left = std::max(frame.axis.pixel(stretch.begin), frame.plot.left());
    double right = std::min(frame.axis.pixel(stretch.end), frame.plot.right());
    const double middle = frame.middleOf(rank);
    const bool receives = stretch.state == RankState::receiving;
    const bool busy = receives || stretch.state == RankState::sending || stretch.state == RankState::both ||
                      stretch.state == RankState::combining;
    const Meaning meaning = busy ? Meaning{Meaning::Kind::rank, rank.value, -1}
                                 : Meaning{Meaning::Kind::still, rank.value, stretch.begin.count()};
    if (stretch.state == RankState::computing) return;  // lies behind the bars
    if (stretch.state == RankState::done) {
        if (frame.pitch < 5 || middle < frame.plot.top() || middle > frame.plot.bottom()) return;
        pencil.line({left, middle}, {right, middle}, palette.faint).meaning = meaning;
        return;
    }
    if (busy && right - left > 12 && frame.bar >= 5) right -= 1;
    const QRectF box = frame.cut({left, middle - frame.bar / 2, std::max(right - left, 0.5), frame.bar});
    if (box.height() <= 0) return;
    const bool roomy = frame.bar >= 5 && box.width() >= 3;
    if (!busy) {
        const bool seen = frame.bar >= lowestSign && box.width() >= lowestSign;
        drawStill(pencil, box, stretch.state, seen).meaning = meaning;
        return;
    }
    const QColor fill = colourOf(stretch.state, palette);
    Shape& shape = receives && roomy ? pencil.rectangle(box.adjusted(0.5, 0.5, -0.5, -0.5), fill, palette.sending)
                                     : pencil.rectangle(box, fill);
    shape.meaning = meaning;
}

/// The row of a folded group: of each column of time the colours of its states, mixed by the time of its ranks in them.
void drawStates(SceneBuilder& pencil, const RunTimelineFrame& frame, std::size_t number,
                const RankStretches& stretches) {
    const RowGroup& group = frame.groups[number];
    const QRectF row{frame.plot.left(), frame.topOf(group.first) + (frame.pitch - frame.bar) / 2, frame.plot.width(),
                     frame.bar};
    const QRectF box = frame.cut(row);
    if (box.height() <= 0) return;
    const StateColumns columns = statesOfGroup(frame, stretches, number);
    const Palette& palette = pencil.palette();
    QImage image{columns.columns(), 1, QImage::Format_ARGB32};
    for (std::int32_t column = 0; column < columns.columns(); ++column)
        image.setPixelColor(column, 0, mixOf(palette, columns.at(column)));
    Shape& cells = pencil.cells(box, image);
    cells.meaning = {Meaning::Kind::group, static_cast<std::int64_t>(number), -1};
    cells.tip = statesInWords(group, columns.inAll());
}

}  // namespace

StateColumns statesOfGroup(const RunTimelineFrame& frame, const RankStretches& stretches, std::size_t group) {
    constexpr double columnWidth = 2;
    StateColumns columns{frame.axis, std::max(1, static_cast<std::int32_t>(frame.plot.width() / columnWidth))};
    for (const engine::Rank rank : *frame.groups[group].ranks)
        for (const RankStretch& stretch : stretches.of(rank)) columns.add(stretch);
    return columns;
}

void drawBars(SceneBuilder& pencil, const DrawableRun& subject, const ViewState& state, const RunTimelineFrame& frame) {
    const std::vector<std::uint32_t> seen = messagesInSight(subject, frame).value_or(std::vector<std::uint32_t>{});
    const RankStretches stretches{subject, seen, frame.axis.begin(), frame.axis.end()};
    for (std::size_t row = frame.firstRow(); row < frame.endRow(); ++row) {
        const engine::Rank rank{frame.rankOf(row)};
        if (rank.value < 0) {
            drawStates(pencil, frame, frame.groupOf(row), stretches);
            continue;
        }
        for (const RankStretch& stretch : stretches.of(rank)) drawBar(pencil, frame, rank, stretch);
        if (state.rank == rank) {
            Shape& ring = pencil.rectangle(frame.cut({frame.plot.left() - 1, frame.middleOf(rank) - frame.bar / 2 - 2,
                                                      frame.plot.width() + 2, frame.bar + 4}),
                                           {}, pencil.palette().accent);
            ring.radius = 3;
            ring.width = 1.5;
        }
    }
}

}  // namespace app::gui
