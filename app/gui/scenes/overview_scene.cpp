// SPDX-License-Identifier: BSD-3-Clause
// The whole run as one low strip: how many messages are under way, and which part of it the diagram shows.
#include "app/gui/scenes/overview.hpp"

#include "app/gui/scenes/space_time_frame.hpp"
#include "app/gui/scenes/words.hpp"

#include <algorithm>
#include <cmath>

namespace app::gui {
namespace {

constexpr double inset = 2;

QRectF stripOf(const Subject& subject, const ViewState& state, QSizeF size) {
    // Under the plot of the diagram, which has the same width.
    const TimeAxis above = timeAxisOf(subject, state, QSizeF{size.width(), 400});
    return {above.left(), inset, above.right() - above.left(), std::max(size.height() - 2 * inset, 1.0)};
}

}  // namespace

TimeAxis overviewAxis(const Subject& subject, const ViewState& state, QSizeF size) {
    const QRectF strip = stripOf(subject, state, size);
    return TimeAxis{{}, subject.run().duration, strip.left(), strip.right()};
}

Scene overviewBackground(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const QRectF strip = stripOf(subject, state, size);
    const TimeAxis axis = overviewAxis(subject, state, size);
    pencil.rectangle(strip, pencil.palette().tint);
    const auto columns = static_cast<std::size_t>(strip.width());
    if (columns == 0) return scene;
    // Messages under way per pixel: +1 where one begins, -1 after its end, so that the shortest still counts.
    std::vector<std::int64_t> steps(columns + 1);
    const auto columnOf = [&](engine::Picoseconds time) {
        return static_cast<std::size_t>(
            std::clamp(axis.pixel(time) - strip.left(), 0.0, static_cast<double>(columns - 1)));
    };
    const engine::Messages& messages = subject.run().messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        ++steps[columnOf(messages.sendBegin()[i])];
        --steps[columnOf(messages.receiveEnd()[i]) + 1];
    }
    std::int64_t most = 1;
    std::int64_t now = 0;
    for (const std::int64_t step : steps) most = std::max(most, now += step);
    now = 0;
    for (std::size_t column = 0; column < columns;) {
        const std::size_t from = column;
        now += steps[column];
        for (++column; column < columns && steps[column] == 0;) ++column;
        if (now == 0) continue;
        const double height = std::max(1.0, strip.height() * static_cast<double>(now) / static_cast<double>(most));
        pencil.rectangle({strip.left() + static_cast<double>(from), strip.bottom() - height,
                          static_cast<double>(column - from), height},
                         pencil.palette().receiving);
    }
    scene.description = QStringLiteral("Messages under way over the whole run, at most %1 at a time.").arg(most);
    return scene;
}

Scene overviewForeground(const Subject& subject, const ViewState& state, QSizeF size) {
    Scene scene;
    Pencil pencil{scene, state.dark};
    const Palette& palette = pencil.palette();
    const QRectF strip = stripOf(subject, state, size);
    const TimeAxis axis = overviewAxis(subject, state, size);
    const TimeAxis seen = timeAxisOf(subject, state, size);
    const double left = std::max(axis.pixel(seen.begin()), strip.left());
    const double right = std::min(std::max(axis.pixel(seen.end()), left + 3), strip.right());
    if (state.veil) {
        const double from = axis.pixel(*state.veil);
        pencil.rectangle({from, strip.top(), strip.right() - from, strip.height()}, palette.tint);
    }
    Shape& window = pencil.rectangle({left, strip.top(), right - left, strip.height()}, {}, palette.muted);
    window.radius = 2;
    window.width = 1.5;
    window.tip = QStringLiteral("Seen above: %1 to %2. Drag to move, wheel to zoom.")
                     .arg(timeInWords(seen.begin()), timeInWords(seen.end()));
    const double x = axis.pixel(state.time);
    pencil.line({x, strip.top()}, {x, strip.bottom()}, palette.accent, 1.5);
    return scene;
}

Table overviewTable(const Subject& subject, const ViewState&) {
    Table table{
        {QStringLiteral("Round"), QStringLiteral("Begins"), QStringLiteral("Ends"), QStringLiteral("Messages")}, {}, 0};
    for (std::size_t round = 0; subject.hasRounds() && round < subject.run().perRound.size(); ++round) {
        const engine::RoundTimes& times = subject.run().perRound[round];
        table.add({QString::number(round + 1), timeInWords(times.begin), timeInWords(times.end),
                   QString::number(times.messages)});
    }
    return table;
}

}  // namespace app::gui
