// SPDX-License-Identifier: BSD-3-Clause
// Collectives of a training job by kind: skew, latency, bandwidth.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/training/collective_costs.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis::tables::about_bandwidth {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

/// In 10^9 bytes per second.
Cell orNothing(const std::optional<double>& bytes) { return bytes ? Cell{*bytes / 1e9} : Cell{}; }

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || !traces::isTraining(*trace.recording))
        return addRemark(table, "the trace is not one of a training job");
    engine::Picoseconds hidden{};
    const std::optional<double> limit = limitOfLink(analysis.wish().beta);
    for (const CollectiveCost& one : collectiveCostsOf(*trace.recording, analysis.span())) {
        const bool several = one.present > 1;
        table.rows.push_back(
            {cell(std::string{traces::torchName(one.operation)}),
             cell(trace.recording->communicators[engine::asSize(one.communicator)].name), std::int64_t{one.ranks},
             std::int64_t{one.present}, one.size() > 0 ? Cell{one.size()} : Cell{}, cell(one.ran.elementType),
             cell(one.ran.algorithm), cell(one.ran.protocol), one.calls, one.total, one.skew ? Cell{*one.skew} : Cell{},
             one.longestSkew ? Cell{*one.longestSkew} : Cell{}, several ? Cell{one.latency} : Cell{},
             several ? Cell{} : Cell{one.latency}, orNothing(one.algorithmBandwidth()), orNothing(one.busBandwidth()),
             limit && one.busBandwidth() ? Cell{*one.busBandwidth() / *limit} : Cell{},
             one.last == traces::noRank ? Cell{} : cell(one.last),
             one.last == traces::noRank ? Cell{} : Cell{one.lastTimes}});
        if (several && !one.skew) hidden = std::max(hidden, one.uncertainty);
        if (!several)
            addRemark(
                table,
                "skew, latency, bandwidths and the rank that enters last need traces of at least two ranks of the "
                "process group; duration includes waiting for ranks that were not recorded");
        else if (one.operation == traces::Operation::barrier) continue;
        else if (one.size() == 0) addRemark(table, "no bandwidth where neither kernel nor operation records the size");
        else if (!one.traffic) addRemark(table, "no bus bandwidth of operations for which nccl-tests defines none");
    }
    if (hidden.count() > 0)
        addRemark(table,
                  engine::text("no skew and no last rank where the clocks do not show them: they may differ by up to ",
                               engine::showTime(hidden)));
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "bandwidth",
        .page = 192,
        .meaning =
            "training jobs: skew, latency, algorithm and bus bandwidth of each kind of collective, and who enters last",
        .title = "collectives by kind",
        .how =
            "one row for collectives of the same operation, process group, bytes, element type and algorithm; "
            "bandwidths are those of nccl-tests, by the median latency",
        .columns =
            {{"operation", Content::words, "as PyTorch calls it"},
             {"group", Content::words, "the process group"},
             {"ranks", Content::count, "of the process group"},
             {"recorded", Content::count, "largest number of these ranks with a trace"},
             {"size_bytes", Content::bytes, "of the operation: of an all_gather or reduce_scatter the whole vector"},
             {"type", Content::words, "element type"},
             {"algorithm", Content::words, "algorithm, from the name of the kernel"},
             {"protocol", Content::words, "protocol, if the library has a kernel for each"},
             {"calls", Content::count, "number of collectives"},
             {"total_s", Content::time, "total time of all calls and recorded ranks"},
             {"skew_s", Content::time,
              "last entry - first entry, median over calls; nothing below the uncertainty of clocks"},
             {"max_skew_s", Content::time, "largest skew; likewise"},
             {"latency_s", Content::time,
              "the shortest duration over ranks, median over calls; of several recorded ranks"},
             {"duration_s", Content::time,
              "of collectives with one recorded rank: median over calls, waiting included"},
             {"algbw_gb_per_s", Content::number, "size / latency, in 10^9 bytes per second"},
             {"busbw_gb_per_s", Content::number, "that times 2 (n - 1) / n for all_reduce, and so on"},
             {"limit_share", Content::share, "of the link's bandwidth by --bandwidth or --beta; nothing without"},
             {"last", Content::rank, "the rank that enters last most often, if clocks show it", CellLocation::rank},
             {"last_times", Content::count, "number of calls in which it enters last"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_bandwidth
