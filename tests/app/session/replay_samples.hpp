// SPDX-License-Identifier: BSD-3-Clause
// What tests of replays begin with.
#pragma once

#include "app/session/session.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/recording_builder.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <filesystem>
#include <memory>

#include <unistd.h>

namespace app::samples {

constexpr engine::Picoseconds us(std::int64_t time) { return engine::Picoseconds{time * 1'000'000}; }

inline Trace traceOf(traces::RecordingBuilder& builder) {
    auto recording = std::make_shared<const traces::Recording>(builder.finish());
    return {.report = analysis::reportOn(std::make_shared<const engine::Run>(traces::runOf(*recording))),
            .recording = recording};
}

/// A place of this process; nothing is there.
inline std::filesystem::path scratchOf(const char* name) {
    return std::filesystem::temp_directory_path() / engine::text("collscope-replayed-", name, "-", ::getpid());
}

/// Both send first.
inline Trace headToHead() {
    traces::RecordingBuilder builder{2};
    for (const int rank : {0, 1}) {
        builder.enter(rank, us(10), "MPI_Send");
        builder.leave(rank, us(13));
        builder.enter(rank, us(14), "MPI_Recv");
        builder.leave(rank, us(15));
        builder.message({.from = engine::Rank{rank},
                         .to = engine::Rank{1 - rank},
                         .bytes = 5000,
                         .sendBegin = us(10),
                         .sendEnd = us(13),
                         .receiveBegin = us(14),
                         .receiveEnd = us(15)});
    }
    return traceOf(builder);
}

/// Ranks compute in main, and in assemble for 10, 10, 40 us; then they meet.
inline Trace uneven() {
    traces::RecordingBuilder builder{3};
    std::vector<traces::Participant> parts;
    for (const int rank : {0, 1, 2}) {
        const std::int64_t end = rank == 2 ? 45 : 15;
        builder.enter(rank, us(0), "main");
        builder.enter(rank, us(5), "assemble");
        builder.leave(rank, us(end));
        builder.enter(rank, us(end), "MPI_Barrier");
        builder.leave(rank, us(47));
        builder.leave(rank, us(50));
        parts.push_back({.rank = engine::Rank{rank}, .begin = us(end), .end = us(47)});
    }
    builder.collective(traces::Operation::barrier, 0, traces::noRank, std::move(parts));
    return traceOf(builder);
}

}  // namespace app::samples
