// SPDX-License-Identifier: BSD-3-Clause
// What all charts have in common: a sentence on top that says what is seen, the plot, and numbers along its sides.
#pragma once

#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

namespace app::gui {

/// Pixels: of the single rank that stands out, over a bar of several.
inline constexpr double thinBar = 1;

struct ChartFrame {
    QRectF plot;
    QRectF legend;
    double numbers = 0;  ///< right end of the numbers on the left
};

/// Draws `words` and divides the rest; `widest` is the longest text on the left, `below` what the bottom says.
ChartFrame chartFrame(SceneBuilder& pencil, QSizeF size, const QString& words, const QString& widest,
                      const QString& below, const Legend& legend);

/// The least height of such a chart, with a plot of `plot` pixels, in which nothing is left out.
double wholeChartHeight(double width, double plot, const QString& words, const Legend& legend);

/// How wide the plot of such a chart is.
double plotWidth(QSizeF size, const QString& widest);

/// A bar for each of `things` on `width` pixels; of more than there is room for, one for 2, 4, 8, ... neighbours.
analysis::Bins barsIn(double width, std::int64_t things);

/// Numbers of things below the plot: the first, the last, and as many between as fit; `shift` is added to each (rounds
/// are counted from 1 for people).
void numbersBelow(SceneBuilder& pencil, const ChartFrame& frame, const analysis::Bins& bins, std::int64_t shift);
/// The same at the left of the plot.
void numbersBeside(SceneBuilder& pencil, const ChartFrame& frame, const analysis::Bins& bins);

/// Nothing, half and all of something at the left of the plot, each with a line across it.
void sharesBeside(SceneBuilder& pencil, const ChartFrame& frame);

/// A ring around the bar from `x` on, over all the height of the plot: it is of what is selected.
void markBar(SceneBuilder& pencil, const ChartFrame& frame, double x, double width);

/// One sentence instead of a chart that cannot be drawn.
Scene sorry(const QString& why, bool dark, QSizeF size);

/// A load scale as an entry of a legend.
void addLoadScale(Legend& legend, const QString& words);

}  // namespace app::gui
