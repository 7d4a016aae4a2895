// SPDX-License-Identifier: BSD-3-Clause
// Whether the clocks of ranks agree, and what would make them.
#include "traces/clocks/clocks.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clock_ends.hpp"

namespace app::analysis::tables::about_clocks {
namespace {

using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return addRemark(table, "all ranks of this run had one clock");
    const traces::ClockCheck check = traces::checkClocks(*trace.recording);
    addRemark(table, check.violations() == 0 ? engine::text("no contradiction among ", check.messages, " messages and ",
                                                            check.collectives, " collectives")
                                             : traces::describe(check));
    const std::vector<bool> recorded = traces::recordedRanks(*trace.recording);
    const auto add = [&](std::size_t rank, const traces::FittedClock& clock) {
        if (!recorded[rank]) return;
        table.rows.push_back({static_cast<std::int64_t>(rank),
                              rank < check.byRank.size() ? Cell{check.byRank[rank]} : Cell{}, clock.added.offset,
                              clock.tied ? Cell{clock.slack} : Cell{}, clock.added.drift,
                              Cell{std::string{clock.tied ? "yes" : "no"}}});
    };
    if (trace.recording->corrected) {
        addRemark(table, "times contain the offsets and drifts");
        for (std::size_t rank = 0; rank < recorded.size(); ++rank) add(rank, trace.recording->fittedClocks[rank]);
        return;
    }
    addRemark(table, "times are those recorded, without the offsets and drifts");
    const traces::ClockFit fit = traces::fitClocksOf(*trace.recording, trace.memory);
    for (std::size_t rank = 0; rank < fit.byRank.size(); ++rank)
        add(rank, {fit.byRank[rank], fit.slack[rank], fit.tied[rank]});
    if (!fit.consistent) addRemark(table, "no offsets and drifts remove all contradictions; these leave the fewest");
}

}  // namespace

TableDefinition definition() {
    return {.name = "clocks",
            .page = 180,
            .meaning = "contradictions between the clocks of ranks, and fitted offsets",
            .title = "contradictions between the clocks of ranks, and fitted offsets",
            .how =
                "minimum-delay fit; for a training job by the ends of its collectives; all tables use it if clocks "
                "contradict each other, unless `--clocks recorded`",
            .columns = {{"rank", Content::rank, "rank of MPI_COMM_WORLD", CellLocation::rank},
                        {"contradictions", Content::count, "number of its records that contradict those of others"},
                        {"offset_s", Content::time, "offset that the fit adds to its times"},
                        {"within_s", Content::time, "uncertainty of the offset, in either direction"},
                        {"drift_share", Content::share, "clock drift that the fit corrects, as a share of time"},
                        {"tied", Content::words, "yes if messages or collectives connect it with the reference rank"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_clocks
