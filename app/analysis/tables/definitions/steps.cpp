// SPDX-License-Identifier: BSD-3-Clause
// What the accelerators of a training job did in each step.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/training/step_times.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis::tables::about_steps {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || !traces::isTraining(*trace.recording))
        return addRemark(table, "the trace is not one of a training job");
    const std::vector<StepTimes> all = stepTimesOf(*trace.recording, analysis.span());
    if (all.empty()) return addRemark(table, "no kernels and no copies were recorded");
    for (const StepTimes& one : all) {
        if (!analysis.wish().part.has(one.rank)) continue;
        StepSums sums;
        sums.add(one);
        table.rows.push_back({cell(one.rank), cell(one.step), one.span.begin, one.duration(), one.compute, one.exposed,
                              one.hidden, one.idle, sums.overlap() ? Cell{*sums.overlap()} : Cell{}});
    }
    const auto unmarked = std::count_if(all.begin(), all.end(), [](const StepTimes& one) { return one.step.empty(); });
    if (unmarked == static_cast<std::ptrdiff_t>(all.size()))
        addRemark(table, "the profiler marked no steps: rows are about the whole time");
    else if (unmarked > 0)
        addRemark(table, "rows without a step are about the whole time: the profiler marked no steps of these ranks");
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "steps",
        .page = 190,
        .meaning = "training jobs: compute, exposed and hidden communication, and idle time of each step and rank",
        .title = "activity of the accelerators in each step",
        .how =
            "a step is what the profiler calls ProfilerStep, on the rank's thread; compute is the time in which a "
            "stream runs a kernel other than communication, or copies; exposed is communication without compute at the "
            "same time, hidden the rest of communication; idle is the rest",
        .columns = {{"rank", Content::rank, "rank of the step", CellLocation::rank},
                    {"step", Content::words, "number of the step, as the profiler counts"},
                    {"begin_s", Content::time, "start, since the start of the trace", CellLocation::begin},
                    {"duration_s", Content::time, "duration of the step", CellLocation::duration},
                    {"compute_s", Content::time, "time in which a stream computes or copies"},
                    {"exposed_s", Content::time, "time in which streams communicate and none computes"},
                    {"hidden_s", Content::time,
                     "time in which streams communicate while others compute: a part of compute_s"},
                    {"accelerator_idle_s", Content::time, "time in which all streams are idle"},
                    {"overlap_share", Content::share, "share of the communication that is hidden"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_steps
