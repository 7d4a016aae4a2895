// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/answers.hpp"
#include "traces/clocks.hpp"
#include "traces/run_of.hpp"

namespace app {

Trace openTrace(const std::filesystem::path& path, Clocks clocks, const engine::Progress& progress,
                const traces::Opening& opening, std::int64_t budget) {
    traces::RecordingPtr recording = traces::openRecording(path, opening, progress);
    if (clocks == Clocks::fitted)
        recording = std::make_shared<const traces::Recording>(
            traces::corrected(*recording, traces::fitClocks(*recording)));
    auto run = std::make_shared<const engine::Run>(
        traces::runOf(*recording, {.stop = progress.stop}, budget));
    return {.report = reportOn(std::move(run), {.stop = progress.stop}), .recording = std::move(recording)};
}

}  // namespace app
