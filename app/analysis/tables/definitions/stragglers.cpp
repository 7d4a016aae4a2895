// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a training job that keep the others waiting.
#include "app/analysis/training/stragglers.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "traces/recording/training.hpp"

namespace app::analysis::tables::about_stragglers {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

std::string wordsOf(Excess excess) {
    switch (excess) {
        case Excess::kernels: return "kernels";
        case Excess::host: return "host";
        case Excess::none: break;
    }
    return {};
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || !traces::isTraining(*trace.recording))
        return addRemark(table, "the trace is not one of a training job");
    for (const Straggler& one : stragglersOf(*trace.recording, analysis.span()).all) {
        if (!analysis.wish().part.has(one.rank)) continue;
        const bool known = one.excess != Excess::none;
        table.rows.push_back({cell(one.rank), one.steps, one.ofSteps, one.lateness, one.waiting,
                              cell(std::string{traces::torchName(one.operation)}),
                              cell(trace.recording->communicators[engine::asSize(one.communicator)].name),
                              cell(wordsOf(one.excess)), cell(one.longer), known ? Cell{one.by} : Cell{}});
    }
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "stragglers",
        .page = 191,
        .meaning = "training jobs: ranks that enter collectives late and cause waiting, and their activity meanwhile",
        .title = "ranks that enter collectives late and cause waiting",
        .how =
            "a rank is late if it enters an all_reduce, all_gather, reduce_scatter, all_to_all or barrier later than "
            "the median of the other ranks by more than each of these: 20 us, 5% of the shortest duration, the "
            "uncertainty of the clocks; in each step the collective in which it causes the most waiting counts; "
            "`longer` is the activity whose time in the late steps exceeds the median of the other ranks most, if the "
            "excess is at least half of the lateness",
        .columns = {{"rank", Content::rank, "rank that is late", CellLocation::rank},
                    {"steps", Content::count, "number of steps in which it is late"},
                    {"of_steps", Content::count, "number of all steps"},
                    {"late_s", Content::time, "mean lateness per such step, in the collective that it enters latest"},
                    {"waiting_s", Content::time, "total time that other ranks waited"},
                    {"operation", Content::words, "operation that it enters late most often"},
                    {"group", Content::words, "the process group"},
                    {"in", Content::words,
                     "what takes longer: kernels on its streams, or its host while streams are idle"},
                    {"longer", Content::words, "operation that launched the longer kernels, or function of the host"},
                    {"longer_s", Content::time, "excess time per step over the median of the other ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_stragglers
