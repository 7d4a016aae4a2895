// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/trace.hpp"

#include "app/analysis/share.hpp"
#include "traces/clocks.hpp"
#include "traces/run_of.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

/// Messages that a run may keep, which take 64 bytes each, in three eighths of `memory` bytes, but never less than
/// 100,000.
std::int64_t keptWithin(std::uint64_t memory) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(memory / 8 * 3 / 64, 100'000));
}

}  // namespace

Trace openTrace(const std::filesystem::path& path, Clocks clocks, const engine::Progress& progress,
                const traces::Opening& opening, std::int64_t budget) {
    traces::RecordingPtr recording = traces::openRecording(path, opening, within(progress, 0, 0.7));
    if (clocks == Clocks::fitted)
        recording =
            std::make_shared<const traces::Recording>(traces::corrected(*recording, traces::fitClocks(*recording)));
    const std::size_t most = questionMessagesWithin(opening.memory.bytes);
    auto run = std::make_shared<const engine::Run>(
        traces::runOf(*recording, within(progress, 0.7, 0.9), std::min(budget, keptWithin(opening.memory.bytes))));
    return {
        .report = reportOn(std::move(run), within(progress, 0.9, 1)), .recording = std::move(recording), .most = most};
}

}  // namespace app::analysis
