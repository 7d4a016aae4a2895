// SPDX-License-Identifier: BSD-3-Clause
// How the pictures of rounds are divided, and what is written in them. The same for both layers of the view.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/layout/layout.hpp"

namespace app::gui {

constexpr double betweenPictures = 10;
constexpr double labelGap = 4;        // pixels between a rank and what it holds
constexpr double smallestNumber = 7;  // radius of a rank that carries its number

/// Which rounds are shown, and where.
struct StripFrame {
    QRectF area;
    QRectF legend;    ///< empty where there is no room, or nothing to say
    double head = 0;  ///< height of the line above all pictures; 0: all rounds are there, and no block is followed
    double side = 0;  ///< height of a picture
    double wide = 0;
    int columns = 1;
    std::int64_t first = 0;
    std::int64_t shown = 0;     ///< pictures
    std::int64_t together = 1;  ///< rounds in each
    QSizeF labels{0, 0};        ///< of what a rank holds, at the most; empty: it is not named

    [[nodiscard]] static double above() { return lineHeight(points::small) + 2; }
    [[nodiscard]] static double below() { return lineHeight(points::tiny) + 2; }
    [[nodiscard]] double height() const { return side + above() + below() + betweenPictures / 2; }
    /// All that belongs to a round.
    [[nodiscard]] QRectF cellOf(std::int64_t round) const {
        const std::int64_t at = round - first;
        const double wide = area.width() / columns;
        return {area.left() + static_cast<double>(at % columns) * wide,
                area.top() + head + static_cast<double>(at / columns) * height(), wide - 2, height() - 2};
    }
    /// Upper left of the picture of a round.
    [[nodiscard]] QPointF cornerOf(std::int64_t round) const {
        const QRectF cell = cellOf(round);
        return {cell.center().x() - wide / 2, cell.top() + above()};
    }
    /// Of every picture, from its corner on.
    [[nodiscard]] NetworkLayout layout(const DrawableRun& subject) const {
        // In rows they stand in the middle of their ranks.
        const bool rows = subject.blueprint().arrangement == NetworkShape::Arrangement::facing;
        const double beside = labels.isEmpty() ? 1 : rows ? labels.width() / 2 : labels.width() + labelGap;
        const double high = labels.isEmpty() ? 1 : labels.height() + 1;
        return {subject, QRectF{0, 0, wide, side}.adjusted(beside, high, -beside, -high)};
    }
};

/// What filled ranks mean; empty where none is.
QString filledInWords(const DrawableRun& subject, const ViewState& state);
/// What the colours of messages mean; empty where they have none.
Legend stripLegend(const DrawableRun& subject, const ViewState& state);
/// The radius of ranks: as large as their numbers need where there is room, else a share of that of the network.
double markRadius(const DrawableRun& subject, const NetworkLayout& layout);
/// "0", "1", "(4)": what `rank` holds when the round begins, in brackets where it is a part.
QStringList heldBy(const DrawableRun& subject, std::int32_t rank, std::int64_t round);
/// Whether these words are drawn one below the other: beside ranks in a row there is no room for them.
bool stacksHeld(const DrawableRun& subject, std::int32_t rank);
StripFrame stripFrame(const DrawableRun& subject, const ViewState& state, QSizeF size);

}  // namespace app::gui
