// SPDX-License-Identifier: BSD-3-Clause
// What tests of replays begin with.
#pragma once

#include "app/session/session.hpp"
#include "engine/text.hpp"
#include "traces/recording_builder.hpp"
#include "traces/run_of.hpp"

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

}  // namespace app::samples
