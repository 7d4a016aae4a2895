// SPDX-License-Identifier: BSD-3-Clause
// What ranks read and wrote. What Score-P writes is read in tests/scripts/traces/otf2_files_test.py.
#include "app/analysis/program/file_use.hpp"
#include "app/analysis/tables/table_definition.hpp"
#include "tests/support/small_runs.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::analysis::in_files {
namespace {

using engine::Picoseconds;
using engine::Rank;
using samples::rowsOf;
using traces::FileOperation;
using traces::NoticeKind;

/// Rank 0 opens a file at 5 and reads 100 bytes from 10 to 30; meanwhile it writes 7 bytes into another, from 20 to 60,
/// and reads what it cancels, from 40 to 50. Rank 1 writes 1000 bytes into the first, from 35 to 40, and begins a write
/// at 70 that never ends. Rank 0 goes to a place in the second at 62; rank 1 enters a call at 75 that locks the first
/// at 80 and the second at 82. Nobody uses the third.
traces::Recording usedFiles() {
    traces::RecordingBuilder b{2};
    b.rest().files = {{"a", "POSIX I/O"}, {"b", "MPI I/O"}, {"c", ""}};
    const auto tell = [&](int rank, int time, NoticeKind kind, std::uint32_t file, std::uint64_t bytes = 0,
                          std::uint16_t slot = 0, FileOperation does = FileOperation::read) {
        b.notice(rank,
                 {.time = Picoseconds{time},
                  .number = bytes,
                  .subject = file,
                  .kind = kind,
                  .detail = kind == NoticeKind::beginOperation ? static_cast<std::uint8_t>(does) : std::uint8_t{2},
                  .slot = slot});
    };
    for (const int rank : {0, 1}) b.enter(rank, Picoseconds{0}, "main");
    tell(0, 5, NoticeKind::openFile, 0);
    tell(0, 10, NoticeKind::beginOperation, 0, 4096);
    tell(0, 20, NoticeKind::beginOperation, 1, 7, 1, FileOperation::write);
    tell(0, 30, NoticeKind::endOperation, 0, 100);
    tell(0, 40, NoticeKind::beginOperation, 1, 8);
    tell(0, 50, NoticeKind::cancelOperation, 1);
    tell(0, 60, NoticeKind::endOperation, 1, 7, 1);
    tell(0, 61, NoticeKind::closeFile, 0);
    tell(1, 35, NoticeKind::beginOperation, 0, 1000, 0, FileOperation::write);
    tell(1, 40, NoticeKind::endOperation, 0, 1000);
    tell(1, 70, NoticeKind::beginOperation, 0, 5, 0, FileOperation::write);
    tell(0, 62, NoticeKind::seekFile, 1, 4096);
    b.enter(1, Picoseconds{75}, "flock");
    tell(1, 80, NoticeKind::lockFile, 0);
    tell(1, 82, NoticeKind::lockFile, 1);
    b.leave(1, Picoseconds{84});
    tell(1, 90, NoticeKind::unlockFile, 0);
    for (const int rank : {0, 1}) b.leave(rank, Picoseconds{100});
    return b.finish();
}

std::string filesIn(const Part& part, std::vector<std::string> communicators = {}) {
    auto recording = std::make_shared<const traces::Recording>(usedFiles());
    const Trace trace{.report = reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
                      .recording = recording};
    TraceAnalysis analysis{trace, {.part = part, .communicators = std::move(communicators)}};
    return rowsOf(computeTable(tableNamed("files"), analysis));
}

TEST(Files, areThoseThatRanksUsed) {
    // File, interface, ranks, opens, reads, writes, bytes read and written, time, longest, whose, begin; seeks, locks,
    // and how long they were waited for.
    EXPECT_EQ(filesIn({}),
              "b MPI I/O 2 0 1 1 0 7 50 40 0 20 1 1 2\n"
              "a POSIX I/O 2 1 1 2 100 1000 25 20 0 10 0 1 5\n");
}

TEST(Files, ofAPartAreThoseOfItsRanksInItsTime) {
    Part second;
    second.ranks = {Rank{1}};
    EXPECT_EQ(filesIn(second),
              "a POSIX I/O 1 0 0 2 0 1000 5 5 1 35 0 1 5\n"
              "b MPI I/O 1 0 0 0 0 0 0 - - - 0 1 2\n");
    Part middle;
    middle.from = Picoseconds{25}, middle.to = Picoseconds{38};
    // Of the read 5, of the writes 13 and 3; what was cancelled and what never ended came later.
    EXPECT_EQ(filesIn(middle),
              "b MPI I/O 1 0 0 1 0 7 13 13 0 25 0 0 0\n"
              "a POSIX I/O 2 0 1 1 100 1000 8 5 0 25 0 0 0\n");
    Part late;
    late.from = Picoseconds{77}, late.to = Picoseconds{81};
    // Of the lock of the first 3; of that of the second, from 80 on, 1.
    EXPECT_EQ(filesIn(late),
              "a POSIX I/O 1 0 0 0 0 0 0 - - - 0 1 3\n"
              "b MPI I/O 1 0 0 0 0 0 0 - - - 0 1 1\n");
    EXPECT_EQ(filesIn({}, {"0"}), "") << "files have no communicators";
}

}  // namespace
}  // namespace app::analysis::in_files
