// SPDX-License-Identifier: BSD-3-Clause
// The first counterexample of a refuted schedule, where and when pictures show it.
#pragma once

#include "app/analysis/dataflow/block_columns.hpp"
#include "app/analysis/trace/run_report.hpp"
#include "app/gui/scenes/drawing/legend.hpp"

#include <optional>
#include <vector>

namespace app::gui {

struct Fault {
    engine::Picoseconds begin{};         ///< from when on it is seen
    engine::Picoseconds end{};           ///< and until when; the end of the run belongs to it
    std::optional<engine::Rank> rank{};  ///< who does, or lacks, something
    std::optional<engine::Rank> from{};  ///< of a message that never ran: its ends, if the run has such ranks
    std::optional<engine::Rank> to{};
    std::optional<std::size_t> message{};  ///< index of the message that is wrong, if it ran
    std::optional<std::int32_t> column{};  ///< of what is sent, lacking, or there twice
    std::vector<engine::Waiter> circle{};  ///< of a deadlock: which rank waits for which, all of them ranks of the run
    engine::Picoseconds time{};            ///< the moment that shows it best

    [[nodiscard]] bool seenAt(engine::Picoseconds moment) const { return begin <= moment && moment <= end; }
};

/// Nothing where the schedule was not refuted.
std::optional<Fault> faultOf(const analysis::Report& report, const analysis::Columns& columns);

/// "Rank 3, thread block 0, step 1 waits for a message from gpu 2 on channel 0": what the mark of one of a circle says.
QString waiterInWords(const engine::Waiter& waiter);

/// The mark of a fault: a disc with a cross.
void drawFaultMark(SceneBuilder& pencil, QPointF middle, double radius, const QString& tip,
                   const Meaning& meaning = {});

/// Its entry in a legend.
void addFaultTo(Legend& legend);

}  // namespace app::gui
