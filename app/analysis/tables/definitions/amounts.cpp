// SPDX-License-Identifier: BSD-3-Clause
// How many bytes each rank sends and receives in collectives and in one-sided communication.
#include "app/analysis/collectives/amounts.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/byte_counting.hpp"

namespace app::analysis::tables::about_amounts {
namespace {

using engine::cell;
using engine::Content;

void addRows(engine::Table& table, const std::string& operation, const std::string& communicator,
             const std::vector<RankAmount>& ranks) {
    engine::Bytes received = 0;
    for (const RankAmount& its : ranks) received += its.received;
    const double mean = static_cast<double>(received) / static_cast<double>(ranks.size());
    for (const RankAmount& its : ranks)
        table.rows.push_back({cell(operation), cell(communicator), cell(its.rank), its.calls, its.sent, its.received,
                              mean > 0 ? engine::Cell{static_cast<double>(its.received) / mean} : engine::Cell{}});
}

std::string operationOf(const OneSidedAmounts& one) {
    using enum traces::NoticeKind;
    return engine::text(one.kind == put ? "put" : one.kind == get ? "get" : "atomic", ", window ", one.window + 1);
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (!isProgram(analysis.trace())) return addRemark(table, "no calls of a program were recorded");
    const traces::Recording& recording = *analysis.trace().recording;
    const engine::Progress within{.report = {}, .stop = analysis.progress().stop};
    for (const Amounts& one : amountsOf(recording, analysis.selection(), within))
        addRows(table, std::string{traces::nameOf(one.operation)}, communicatorName(recording, one.communicator),
                one.ranks);
    if (const traces::Counting counting = traces::countingOf(recording); !table.rows.empty()) {
        if (counting == traces::Counting::arguments)
            addRemark(
                table,
                "collectives: bytes that the arguments of a rank describe, of a broadcast one buffer at every rank");
        if (counting == traces::Counting::totals)
            addRemark(table,
                      "collectives: bytes that a rank moves as Score-P counts them, at the root of a broadcast one "
                      "buffer for each rank, its own included");
    }
    for (const OneSidedAmounts& one : oneSidedAmountsOf(recording, analysis.selection(), within))
        addRows(table, operationOf(one), communicatorName(recording, recording.windows[one.window].communicator),
                one.ranks);
    remarkOnCut(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "amounts",
        .page = 136,
        .meaning = "bytes that each rank sends and receives in collectives and in one-sided communication",
        .title = "bytes sent and received in collectives and one-sided communication, by rank",
        .how =
            "collectives: as the recorder counted them, which a note states; largest amounts first; one-sided "
            "communication: a target receives what is put there and sends what is got; of atomic operations all bytes "
            "count as sent to the target",
        .columns = {{"operation", Content::words, "the collective operation; put, get or atomic at a window"},
                    {"communicator", Content::words, "name of the communicator; of a window the one it was made on"},
                    {"rank", Content::rank, "rank of MPI_COMM_WORLD", CellLocation::rank},
                    {"calls", Content::count, "number of calls, of one-sided communication those of the origin"},
                    {"sent_bytes", Content::bytes, "sum over the calls"},
                    {"received_bytes", Content::bytes, "sum over the calls"},
                    {"received_ratio", Content::number, "received bytes / their mean over ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_amounts
