// SPDX-License-Identifier: BSD-3-Clause
// Which calls of MPI the program spends its time in.
#include "app/analysis/calls/call_kinds.hpp"
#include "app/analysis/overview/traced_program.hpp"
#include "app/analysis/tables/answering.hpp"

namespace app::analysis::questions::about_calls {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

void answer(Inquiry& inquiry, engine::Table& table) {
    if (!isProgram(inquiry.trace())) return addRemark(table, "no calls of a program were recorded");
    const std::vector<CallKind> kinds =
        callKinds(*inquiry.trace().recording, inquiry.selection(), {.report = {}, .stop = inquiry.progress().stop});
    engine::Picoseconds all{};
    for (const CallKind& kind : kinds) all += kind.time;
    for (const CallKind& kind : kinds) {
        const auto moved = [&](engine::Bytes bytes) { return kind.upTo ? Cell{bytes} : Cell{}; };
        table.rows.push_back(
            {cell(kind.operation), kind.ranks ? Cell{*kind.ranks} : Cell{}, kind.upTo ? Cell{*kind.upTo} : Cell{},
             kind.calls, moved(kind.sent), moved(kind.received), kind.time,
             all.count() > 0 ? Cell{static_cast<double>(kind.time.count()) / static_cast<double>(all.count())} : Cell{},
             kind.time / kind.calls, kind.longest, cell(kind.slowest), kind.begin});
    }
    remarkOnCut(inquiry, table);
}

}  // namespace

Question question() {
    return {
        .name = "calls",
        .page = 133,
        .meaning = "MPI calls by operation, communicator size and message size",
        .title = "MPI calls by operation, communicator size and message size",
        .how =
            "without MPI_Init and MPI_Finalize; calls that are in no other MPI call, of the ranks' own threads; the size of a call is the larger of what it "
            "sends and receives; a class holds what is larger than half of its largest size",
        .columns = {{"operation", Content::words, "the MPI function"},
                    {"ranks", Content::count, "of its communicator"},
                    {"up_to_bytes", Content::bytes, "the largest size of the class; empty for calls that move nothing"},
                    {"calls", Content::count, "of all ranks"},
                    {"sent_bytes", Content::bytes, "as recorded, in all"},
                    {"received_bytes", Content::bytes, "likewise"},
                    {"time_s", Content::time, "in these calls, of all ranks"},
                    {"mpi_share", Content::share, "of the time in all MPI calls"},
                    {"mean_s", Content::time, "of a call"},
                    {"longest_s", Content::time, "of a call", Leads::duration},
                    {"longest_rank", Content::rank, "whose call that was", Leads::rank},
                    {"begin_s", Content::time, "of that call", Leads::begin}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_calls
