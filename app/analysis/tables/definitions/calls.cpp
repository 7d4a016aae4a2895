// SPDX-License-Identifier: BSD-3-Clause
// Which calls of MPI the program spends its time in.
#include "app/analysis/calls/calls_by_size.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>

namespace app::analysis::tables::about_calls {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (!isProgram(analysis.trace())) return addRemark(table, "no calls of a program were recorded");
    const std::vector<CallGroup> kinds =
        callGroups(*analysis.trace().recording, analysis.selection(), {.report = {}, .stop = analysis.progress().stop});
    setHeadings(table, {{"ranks", "communicator size"},
                        {"up_to_bytes", "size per rank, up to"},
                        {"mpi_time_share", "share of MPI time"}});
    engine::Picoseconds all{};
    for (const CallGroup& kind : kinds) all += kind.time;
    for (const CallGroup& kind : kinds) {
        const auto moved = [&](engine::Bytes bytes) { return kind.upTo ? Cell{bytes} : Cell{}; };
        const bool isTimed = kind.slowest != traces::noRank;
        table.rows.push_back({cell(kind.operation), kind.ranks ? Cell{*kind.ranks} : Cell{},
                              kind.upTo ? Cell{*kind.upTo} : Cell{}, kind.calls, moved(kind.sent), moved(kind.received),
                              kind.time, ratioCell(kind.time, all), kind.time / kind.calls,
                              isTimed ? Cell{kind.longest} : Cell{}, isTimed ? cell(kind.slowest) : Cell{},
                              isTimed ? Cell{kind.begin} : Cell{}});
    }
    if (analysis.wish().part.choosesMessages())
        addRemark(table, "the selection of messages by tag or size does not apply here: this table has all calls");
    const auto isPoll = [](const CallGroup& kind) { return kind.operation.ends_with(traces::own::foundNothing); };
    const auto isGap = [](const traces::NotRecorded& one) { return one.what == traces::Absence::interval; };
    if (std::ranges::any_of(kinds, isPoll) && std::ranges::any_of(analysis.trace().recording->absences, isGap))
        addRemark(table,
                  "calls that found nothing were counted to the end, other calls only where the recorder had room");
    remarkOnCut(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "calls",
        .page = 133,
        .meaning = "MPI calls by operation, communicator size and message size",
        .title = "MPI calls by operation, communicator size and message size",
        .how =
            "calls of all threads, without MPI_Init, MPI_Finalize and nested MPI calls; the size of a call is the larger of "
            "its sent and received bytes; a size class ranges from more than half of its largest size up to it; bytes "
            "put into windows and written to files count as sent, those got and read as received; calls that found "
            "nothing, such as MPI_Test, have rows of their own, without the longest of them",
        .columns = {{"operation", Content::words, "the MPI function"},
                    {"ranks", Content::count, "in the communicator"},
                    {"up_to_bytes", Content::bytes,
                     "largest size of the size class; empty for calls that transfer no data"},
                    {"calls", Content::count, "number of calls, all ranks"},
                    {"sent_bytes", Content::bytes, "sum over the calls, as recorded"},
                    {"received_bytes", Content::bytes, "sum over the calls, as recorded"},
                    {"time_s", Content::time, "time spent in the calls, sum over all ranks"},
                    {"mpi_time_share", Content::share, "share of the time in all MPI calls"},
                    {"mean_s", Content::time, "mean time of a call"},
                    {"longest_s", Content::time, "time of the longest call", CellLocation::duration},
                    {"longest_rank", Content::rank, "rank of the longest call", CellLocation::rank},
                    {"begin_s", Content::time, "start of the longest call", CellLocation::begin}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_calls
