// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/common/block_highlight.hpp"

#include "app/gui/scenes/drawing/colours.hpp"
#include "app/gui/scenes/drawing/style.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

namespace app::gui {

std::int32_t columnOfBlock(const DrawableRun& subject, std::int64_t number) {
    const analysis::Columns& columns = subject.columns();
    if (columns.count() == 0) throw engine::Error{"no block can be followed: it is not known what the messages carry"};
    const std::int32_t all = columns.firstIn(columns.count());
    if (number < 0 || number >= all)
        throw engine::Error{engine::text("--block ", number, ": this run has only ", columns.singular(),
                                         all == 1 ? " 0" : engine::text("s 0 to ", all - 1))};
    std::int32_t column = 0;
    while (columns.firstIn(column + 1) <= number) ++column;
    return column;
}

QColor messageColour(const DrawableRun& subject, const ViewState& state, std::size_t message, bool dark) {
    if (!state.block) return subject.colourOf(subject.columnOf(message), dark);
    if (subject.carries(message, *state.block)) return subject.colourOf(*state.block, dark);
    return otherMessages(dark);
}

QColor otherMessages(bool dark) {
    const Palette palette = paletteFor(dark);
    return mixed(palette.paper, palette.muted, 0.45);
}

void addFollowedTo(Legend& legend, const DrawableRun& subject, std::int32_t column) {
    legend.entry(subject.columnName(column) + QStringLiteral(", followed"),
                 [&subject, column](SceneBuilder& pencil, const QRectF& box) {
                     const QPointF middle{box.left(), box.center().y()};
                     pencil.arrow(middle, middle + QPointF{box.width(), 0}, subject.colourOf(column, pencil.dark()), 2);
                 });
}

void addMessagesTo(Legend& legend, const DrawableRun& subject, const ViewState& state, const QString& words) {
    const bool coloured = !state.block && subject.columns().count() > 1;
    const QString what = QString::fromStdString(subject.columns().singular());
    legend.entry(coloured ? QStringLiteral("%1 (colour: its first %2)").arg(words, what) : words,
                 [&subject, coloured](SceneBuilder& pencil, const QRectF& box) {
                     const auto arrow = [&](const QRectF& in, const QColor& colour) {
                         pencil.arrow(in.topLeft() + QPointF{0, 1}, in.bottomRight() - QPointF{0, 1}, colour, 1.2);
                     };
                     if (!coloured) return arrow(box, pencil.palette().muted);
                     for (std::int32_t half = 0; half < 2; ++half)
                         arrow(box.adjusted(half * box.width() / 2, 0, (half - 1) * box.width() / 2, 0),
                               subject.colourOf(half * subject.columns().count() / 2, pencil.dark()));
                 });
}

std::vector<analysis::Hop> followedHops(const DrawableRun& subject, const ViewState& state) {
    if (!state.block) return {};
    std::vector<analysis::Hop> hops = subject.routeOf(*state.block)->hops;
    if (state.veil)
        std::erase_if(hops, [&](const analysis::Hop& hop) {
            return subject.run().messages.sendBegin()[hop.message] >= *state.veil;
        });
    return hops;
}

bool holdsFollowed(const DrawableRun& subject, const ViewState& state, engine::Rank rank, engine::Picoseconds time) {
    return state.block && subject.holdings().unknown().empty() &&
           subject.holdings().at(rank, *state.block, time, time).held > 0;
}

}  // namespace app::gui
