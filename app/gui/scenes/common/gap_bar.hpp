// SPDX-License-Identifier: BSD-3-Clause
// The time of a run as a bar: the lower bound, then what each cause added; or, where no bound is known, what the ranks
// spent their time with.
#pragma once

#include "app/analysis/overview/program_view.hpp"
#include "app/gui/scenes/drawing/legend.hpp"
#include "app/gui/scenes/run/drawable_run.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace app::gui {

/// Where the mean time per activity is shown.
enum class SpentIn : std::uint8_t { idleChart, waitsChart, callTree };

/// A part of the time, or what a cause saved of it.
struct GapPart {
    std::optional<std::size_t> cause;  ///< in analysis::gapCauses; nothing: the bound, or what ranks spent
    QString name;
    engine::Picoseconds time{};  ///< negative: saved
    QColor colour;               ///< invalid if saved
    QString size{};              ///< beside the name; empty: the time
    std::optional<SpentIn> spent{};
    bool waits = false;  ///< drawn as waiting is everywhere
    QString base{};      ///< of the shares of all parts; in the first part only
};

/// The bound and all causes that took or saved time; empty where the report has no gap or no bound.
std::vector<GapPart> gapPartsOf(const Report& report, bool dark);

/// Mean time per rank by activity: of a program (null: of none) by what they did, else
/// by whether messages were in flight.
std::vector<GapPart> spentPartsOf(const DrawableRun& subject, const analysis::TracedProgram* program, bool dark);

/// What the parts are called, and how large they are.
Legend legendOf(const std::vector<GapPart>& parts);

/// Cuts `bar` among the parts. Where some are saved, parts that take time are longer together than the time: the end of
/// the bar, beyond the time, is hatched as saved. What each piece means is up to the picture.
void drawGapBar(SceneBuilder& pencil, const std::vector<GapPart>& parts, const QRectF& bar,
                const std::function<Meaning(const GapPart&)>& meaning);

}  // namespace app::gui
