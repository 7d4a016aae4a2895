// SPDX-License-Identifier: BSD-3-Clause
// How many bytes each rank sends and receives in collectives.
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::questions::about_amounts {
namespace {

using engine::cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (!isProgram(analysis.trace())) return addRemark(table, "no calls of a program were recorded");
    const traces::Recording& recording = *analysis.trace().recording;
    for (const Amounts& one :
         amountsOf(recording, analysis.selection(), {.report = {}, .stop = analysis.progress().stop})) {
        engine::Bytes received = 0;
        for (const RankAmount& its : one.ranks) received += its.received;
        const double mean = static_cast<double>(received) / static_cast<double>(one.ranks.size());
        for (const RankAmount& its : one.ranks)
            table.rows.push_back({cell(std::string{traces::nameOf(one.operation)}),
                                  cell(communicatorName(recording, one.communicator)), cell(its.rank), its.calls,
                                  its.sent, its.received,
                                  mean > 0 ? engine::Cell{static_cast<double>(its.received) / mean} : engine::Cell{}});
    }
    remarkOnCut(analysis, table);
}

}  // namespace

Question question() {
    return {
        .name = "amounts",
        .page = 136,
        .meaning = "bytes that each rank sends and receives in collectives",
        .title = "bytes sent and received in collectives, by rank",
        .how = "as the MPI standard counts them for each operation, a rank's own share included; largest amounts first",
        .columns = {{"operation", Content::words, "the collective operation"},
                    {"communicator", Content::words, "name of the communicator"},
                    {"rank", Content::rank, "rank of MPI_COMM_WORLD", Leads::rank},
                    {"calls", Content::count, "number of calls"},
                    {"sent_bytes", Content::bytes, "sum over the calls"},
                    {"received_bytes", Content::bytes, "sum over the calls"},
                    {"received_ratio", Content::number, "received bytes relative to the mean of the ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_amounts
