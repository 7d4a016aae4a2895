// SPDX-License-Identifier: BSD-3-Clause
// A program that tells everything that a location may tell besides its calls and messages: every kind of notice.
#pragma once

#include "traces/recording/recording_builder.hpp"

#include <vector>

namespace support {

/// Two ranks, the first of two threads: a team and locks of it, a window, parameters and files.
inline traces::Recording toldProgram() {
    using traces::FileOperation;
    using traces::Notice;
    using traces::NoticeKind;
    using traces::ParameterType;
    using traces::Picoseconds;
    using traces::Rank;
    traces::RecordingBuilder b{2};
    const int worker = b.thread(Rank{0}, "OMP thread 1");
    traces::Recording& rest = b.rest();
    rest.windows = {{.communicator = 0}};
    rest.groups = {{Rank{0}}, {Rank{1}}};
    rest.parameters = {{.name = "step", .words = {}}, {.name = "phase", .words = {"begin", "go on"}}};
    rest.files = {{.name = "in.dat", .through = "POSIX I/O"}, {.name = "out.dat", .through = "MPI I/O"}};
    for (const int location : {0, 1, worker}) {
        std::int64_t now = 10;
        const auto tell = [&](NoticeKind kind, std::uint32_t subject, std::uint64_t number = 0, int detail = 0,
                              int peer = -1, int slot = 0) {
            b.notice(location, {.time = Picoseconds{now += 10},
                                .number = number,
                                .subject = subject,
                                .kind = kind,
                                .detail = static_cast<std::uint8_t>(detail),
                                .slot = static_cast<std::uint16_t>(slot),
                                .peer = Rank{peer}});
        };
        const auto call = [&](const char* name, auto inside) {
            b.enter(location, Picoseconds{now += 10}, name);
            inside();
            b.leave(location, Picoseconds{now += 10});
        };
        const int other = location == 1 ? 0 : 1;
        const auto group = static_cast<std::uint64_t>(other);
        call("main", [&] {
            for (std::uint64_t step = 0; step < 3; ++step) {
                tell(NoticeKind::parameter, 0, step, static_cast<int>(ParameterType::integer));
                tell(NoticeKind::parameter, 0, step, static_cast<int>(ParameterType::natural));
                tell(NoticeKind::parameter, 1, step % 2, static_cast<int>(ParameterType::words));
            }
            if (location != worker) tell(NoticeKind::fork, 0, 2);
            tell(NoticeKind::teamBegin, 0);
            tell(NoticeKind::acquireLock, 7, 1, 3);
            tell(NoticeKind::releaseLock, 7, 1, 3);
            tell(NoticeKind::teamEnd, 0);
            if (location != worker) tell(NoticeKind::join, 0);
            call("MPI_Win_post", [&] { tell(NoticeKind::syncGroup, 0, group); });
            call("MPI_Win_start", [&] { tell(NoticeKind::syncGroup, 0, group); });
            call("MPI_Put", [&] { tell(NoticeKind::put, 0, 64, 0, other); });
            call("MPI_Get", [&] { tell(NoticeKind::get, 0, 64, 0, other); });
            call("MPI_Accumulate", [&] { tell(NoticeKind::atomic, 0, 64, 0, other); });
            call("MPI_Win_flush", [&] { tell(NoticeKind::flushWindow, 0, 0, 0, other); });
            call("MPI_Win_flush_all", [&] { tell(NoticeKind::flushWindow, 0, 0, 0, traces::everyRank.value); });
            call("MPI_Win_test", [&] { tell(NoticeKind::syncGroup, 0, group, traces::syncNone); });
            call("MPI_Win_complete", [&] { tell(NoticeKind::syncGroup, 0, group, 3); });
            call("MPI_Win_wait", [&] { tell(NoticeKind::syncGroup, 0, group, 3); });
            call("MPI_Win_lock", [&] {
                tell(NoticeKind::requestWindow, 0, 1, traces::lockExclusive, other);
                tell(NoticeKind::acquireWindow, 0, 1, traces::lockExclusive, other);
            });
            call("MPI_Win_unlock", [&] { tell(NoticeKind::releaseWindow, 0, 1, 0, other); });
            call("MPI_Win_lock_all", [&] { tell(NoticeKind::requestWindow, 0, 0, 1, traces::everyRank.value); });
            call("MPI_Win_unlock_all", [&] { tell(NoticeKind::releaseWindow, 0, 0, 0, traces::everyRank.value); });
            for (const std::uint32_t file : {0U, 1U}) {
                tell(NoticeKind::openFile, file, 0, 2);
                tell(NoticeKind::beginOperation, file, 100, static_cast<int>(FileOperation::read), -1, 0);
                tell(NoticeKind::beginOperation, file, 200, static_cast<int>(FileOperation::write), -1, 1);
                tell(NoticeKind::endOperation, file, 99, 0, -1, 0);
                tell(NoticeKind::cancelOperation, file, 0, 0, -1, 1);
                tell(NoticeKind::seekFile, file, 4096);
                tell(NoticeKind::lockFile, file, 0, traces::lockExclusive);
                tell(NoticeKind::unlockFile, file, 0, traces::lockExclusive);
                tell(NoticeKind::tryFile, file, 0, traces::lockExclusive);
                tell(NoticeKind::closeFile, file);
            }
        });
    }
    return b.finish();
}

}  // namespace support
