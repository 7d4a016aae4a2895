// SPDX-License-Identifier: BSD-3-Clause
// What was measured while the program ran.
#include "app/analysis/program/metric_curves.hpp"
#include "app/analysis/tables/table_helpers.hpp"

#include <algorithm>

namespace app::analysis::tables::about_metrics {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;
using engine::Picoseconds;

/// The steps of a curve within a part of the time.
struct Sums {
    std::optional<double> least, most;
    Picoseconds mostAt{};
    double integral = 0;  ///< value times seconds
    Picoseconds time{};
};

Sums sumsOf(const Curve& curve, const Part& part) {
    const Picoseconds from = part.from.value_or(Picoseconds::min());
    const Picoseconds to = part.to.value_or(Picoseconds::max());
    Sums sums;
    for (std::size_t i = curve.at(from); i < curve.size(); ++i) {
        const Curve::Step step = curve[i];
        const Picoseconds begin = std::max(step.begin, from);
        const Picoseconds end = std::min(step.end, to);
        if (begin >= end) break;
        if (!sums.most || step.value > *sums.most) sums.most = step.value, sums.mostAt = begin;
        sums.least = std::min(sums.least.value_or(step.value), step.value);
        sums.integral += step.value * engine::seconds(end - begin);
        sums.time += end - begin;
    }
    return sums;
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.recording->samples.empty()) return addRemark(table, "no metrics were recorded");
    const traces::Recording& recording = *trace.recording;
    const Part& part = analysis.wish().part;
    const MetricCurves curves{recording, {.report = {}, .stop = analysis.progress().stop}};
    for (const MetricCurve& one : curves.all()) {
        const bool isAsked = one.rank == traces::noRank ? part.ranks.empty() : part.has(one.rank);
        if (!isAsked) continue;
        const traces::Metric& metric = recording.metrics[one.metric];
        const Sums sums = sumsOf(one.curve, part);
        const bool any = sums.most.has_value();
        table.rows.push_back({metric.name, cell(unitOf(metric)), modeOf(metric),
                              one.rank == traces::noRank ? Cell{} : cell(one.rank), cell(one.about),
                              static_cast<std::int64_t>(one.samples), any ? Cell{*sums.least} : Cell{},
                              any ? Cell{*sums.most} : Cell{}, any ? Cell{sums.mostAt} : Cell{},
                              any ? Cell{sums.integral / engine::seconds(sums.time)} : Cell{},
                              any ? Cell{sums.integral} : Cell{}, one.last});
    }
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "metrics",
        .page = 97,
        .meaning = "recorded metrics: minimum, maximum and mean",
        .title = "recorded metrics",
        .how =
            "a counter is shown as its rate from sample to sample; other metrics are constant until the next sample, "
            "or since the previous one, as recorded",
        .columns = {{"metric", Content::words, "name of the metric"},
                    {"unit", Content::words, "unit of least, most and mean"},
                    {"mode", Content::words, "mode of its values, as recorded"},
                    {"rank", Content::rank, "rank of the metric; empty for several ranks or none", CellLocation::rank},
                    {"about", Content::words, "thread of the rank, or node or group"},
                    {"samples", Content::count, "number of samples in the whole trace"},
                    {"least", Content::number, "smallest value, in the unit of the metric"},
                    {"most", Content::number, "largest value, in the unit of the metric"},
                    {"most_at_s", Content::time, "time of the first largest value, since the start of the trace",
                     CellLocation::begin},
                    {"mean", Content::number, "mean over time, in the unit of the metric"},
                    {"integral", Content::number, "growth of a counter; value × seconds of another metric"},
                    {"last", Content::number, "last sample of the whole trace, as recorded"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_metrics
