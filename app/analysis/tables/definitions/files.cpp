// SPDX-License-Identifier: BSD-3-Clause
// What ranks read and wrote, file by file.
#include "app/analysis/program/file_use.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_files {
namespace {

using engine::cell;
using engine::Cell;
using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.recording->files.empty())
        return addRemark(table, "the trace has no records of files");
    for (const FileUse& use : fileUses(*trace.recording, analysis.selection())) {
        const traces::File& file = trace.recording->files[use.file];
        table.rows.push_back({cell(file.name), cell(file.through), use.ranks, use.opens, use.reads, use.writes,
                              use.read, use.written, use.time, use.longest ? Cell{*use.longest} : Cell{},
                              use.slowest == traces::noRank ? Cell{} : cell(use.slowest),
                              use.longest ? Cell{use.begin} : Cell{}, use.seeks, use.locks, use.lockWait});
    }
    remarkOnClocks(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "files",
        .page = 137,
        .meaning = "file accesses: bytes and time by file",
        .title = "file accesses by file",
        .how =
            "by the records of files that Score-P writes, and Collscope's recorder of MPI's own: with the bytes that calls "
            "asked for; a file that is used through several interfaces has a row of "
            "each, and what one of them hands on to another counts in both",
        .columns = {{"file", Content::words, "name of the file"},
                    {"through", Content::words, "the interface: POSIX I/O, MPI I/O, ..."},
                    {"ranks", Content::count, "number of ranks that used it"},
                    {"opens", Content::count, "number of opens"},
                    {"reads", Content::count, "number of reads"},
                    {"writes", Content::count, "number of writes"},
                    {"read_bytes", Content::bytes, "total bytes read"},
                    {"written_bytes", Content::bytes, "total bytes written"},
                    {"time_s", Content::time, "in operations, flushes included, summed over ranks"},
                    {"longest_s", Content::time, "longest operation", CellLocation::duration},
                    {"rank", Content::rank, "rank of the longest operation", CellLocation::rank},
                    {"begin_s", Content::time, "start of the longest operation", CellLocation::begin},
                    {"seeks", Content::count, "number of seeks"},
                    {"locks", Content::count, "number of locks acquired"},
                    {"lock_wait_s", Content::time,
                     "time from the entry of the requesting call until the lock was granted, summed over ranks"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_files
