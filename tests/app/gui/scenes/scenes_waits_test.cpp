// SPDX-License-Identifier: BSD-3-Clause
// The chart of waits of a traced program: what is waited for at windows and by threads has bars and columns as well.
#include "tests/app/gui/scenes/scenes_support.hpp"
#include "tests/app/gui/shown_table.hpp"
#include "tests/support/programs/thread_program.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <gtest/gtest.h>

namespace app::gui {
namespace {

using engine::Picoseconds;
using engine::Rank;
using traces::NoticeKind;

/// Rank 1 waits 15 ps for a lock that rank 0 has, then threads of rank 0 meet, the second 6 ps late.
traces::Recording lockedAndLate() {
    traces::RecordingBuilder b{2};
    const int worker = b.thread(Rank{0}, "OMP thread 1");
    b.rest().windows.resize(1, {.communicator = 0});
    const auto call = [&](int location, int begin, int end, const char* name, NoticeKind kind, int told) {
        b.enter(location, Picoseconds{begin}, name);
        b.notice(location, {.time = Picoseconds{told}, .kind = kind, .peer = Rank{0}});
        b.leave(location, Picoseconds{end});
    };
    call(0, 0, 2, "MPI_Win_lock", NoticeKind::requestWindow, 0);
    call(0, 18, 22, "MPI_Win_unlock", NoticeKind::releaseWindow, 20);
    call(1, 5, 21, "MPI_Win_lock", NoticeKind::requestWindow, 5);
    call(1, 30, 31, "MPI_Win_unlock", NoticeKind::releaseWindow, 31);
    for (const auto& [location, came] : {std::pair{0, 40}, {worker, 46}}) {
        b.enter(location, Picoseconds{came}, "!$omp barrier");
        b.leave(location, Picoseconds{46});
    }
    traces::Recording recording = b.finish();
    analysis::samples::giveRoles(recording);
    return recording;
}

TEST(WaitsChart, hasWhatIsWaitedAtWindowsAndByThreads) {
    auto kept = std::make_shared<const traces::Recording>(lockedAndLate());
    const DrawableRun subject{analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*kept))), kept};
    const ShownTable table{waitsTable(subject, {})};
    EXPECT_EQ(table.columns.join('|'), "rank|waited at windows|threads waited for each other|made others wait")
        << "no column of a wait state that no rank had";
    ASSERT_EQ(table.rows.size(), 2);
    EXPECT_EQ(table.rows[0].join('|'), "0|0 s|6 ps|21 ps");
    EXPECT_EQ(table.rows[1].join('|'), "1|15 ps|0 s|0 s");
    const Scene scene = waitsScene(subject, {}, {900, 600});
    EXPECT_TRUE(
        scene.description.startsWith("Rank 1 waits longest, 15 ps in total. The others waited longest for rank 0, "))
        << scene.description.toStdString();
    QStringList tips;
    for (const Shape& shape : shapesOf(scene, Meaning::Kind::rank, Shape::Kind::rectangle)) {
        tips << shape.tip;
        EXPECT_NE(shape.fill, paletteFor(false).accent) << "whom others wait for is not always the cause";
    }
    EXPECT_TRUE(
        tips.contains("rank 1: waited 15 ps at windows and 0 s of threads for each other, made others wait 0 s"))
        << tips.join('\n').toStdString();
}

}  // namespace
}  // namespace app::gui
