// SPDX-License-Identifier: BSD-3-Clause
// Time against a size or another number, for several algorithms, with what no algorithm can beat as a line.
#pragma once

#include "app/gui/gui.hpp"
#include "app/gui/scenes/scene.hpp"

namespace app::gui {

struct SweepLine {
    QString name;
    std::vector<std::pair<std::int64_t, engine::Picoseconds>> points;  ///< numbers rising
};

struct Sweep {
    std::vector<SweepLine> lines;
    SweepLine bound;                          ///< lower bound on the time; no points where there is none
    std::vector<QString> absent;              ///< algorithms that cannot solve the problem
    QString across = QStringLiteral("size");  ///< what the numbers are
    bool bytes = true;                        ///< they are bytes

    [[nodiscard]] bool empty() const { return lines.empty(); }
};

/// Both axes are logarithmic; lines differ in colour and in the shape of their marks.
Scene sweepScene(const Sweep& sweep, bool dark, QSizeF size);
/// One row per number, one column per algorithm.
Table sweepTable(const Sweep& sweep);

/// What `chart` says, as lines.
Sweep sweepOf(const Chart& chart);

/// Runs every algorithm of the collective of `wish` in virtual time with contributions of 1 B to 16 MiB; at most as
/// many algorithms as there are colours, the wished one first.
Sweep sweepSizes(const RunWish& wish, const engine::Progress& progress);

}  // namespace app::gui
