// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/trace/trace.hpp"

#include "app/analysis/containers/sub_progress.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"
#include "traces/clocks/clock_ends.hpp"
#include "traces/recording/run_from_recording.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

/// Messages that a run may keep, which take 64 bytes each, in three eighths of `memory` bytes, but never less than
/// 100,000.
std::int64_t keptWithin(std::uint64_t memory) {
    return static_cast<std::int64_t>(std::max<std::uint64_t>(memory / 8 * 3 / 64, 100'000));
}

}  // namespace

bool Trace::isReplay() const {
    if (!recording || isCollscopeRun()) return false;
    // Of fitted parameters there is no property of the model.
    const auto first = recording->properties.lower_bound(std::string{traces::own::replayed::properties});
    return first != recording->properties.end() && first->first.starts_with(traces::own::replayed::properties);
}

bool Trace::sharesProcessors() const { return propertyOfProgram(traces::own::sharing) != nullptr && !isReplay(); }

std::string whyNoTimes(const Trace& trace, const Fit& fit, bool alphaGiven, bool betaGiven) {
    if (trace.sharesProcessors())
        return "ranks share processors, and the times of messages include waiting for a processor";
    return whyTooUncertain(fit, alphaGiven, betaGiven);
}

std::string clockWords(const Trace& trace) {
    if (!trace.recording || trace.isCollscopeRun()) return {};
    std::string words = trace.recording->corrected ? traces::fittedWords(*trace.recording) : "";
    for (const traces::NotRecorded& absence : trace.recording->absences)
        if (absence.what == traces::Absence::clocks)
            words += trace.recording->corrected
                         ? engine::text(words.empty() ? "" : "; ", "with fitted times still ", absence.words)
                         : engine::text(absence.words, "; ", engine::field::clocks, " fitted corrects them");
    return words;
}

traces::RecordingPtr inTime(traces::RecordingPtr recording, Clocks clocks, const traces::MemoryBudget& memory) {
    const bool contradict =
        std::any_of(recording->absences.begin(), recording->absences.end(),
                    [](const traces::NotRecorded& one) { return one.what == traces::Absence::clocks; });
    const bool needed = clocks == Clocks::fittedWhereNeeded && contradict && !traces::isOwn(*recording);
    if (clocks != Clocks::fitted && !needed) return recording;
    return std::make_shared<const traces::Recording>(
        traces::corrected(*recording, traces::fitClocksOf(*recording, memory), memory));
}

Trace openTrace(const std::filesystem::path& path, Clocks clocks, const engine::Progress& progress,
                const traces::Opening& opening, std::int64_t budget, traces::BusyRanks busy) {
    const traces::RecordingPtr recording =
        inTime(traces::openRecording(path, opening, within(progress, 0, 0.7)), clocks, opening.memory);
    auto run = std::make_shared<const engine::Run>(traces::runOf(
        *recording, within(progress, 0.7, 0.9), std::min(budget, keptWithin(opening.memory.bytes)), busy));
    return {.report = reportOn(std::move(run), within(progress, 0.9, 1)),
            .recording = recording,
            .memory = opening.memory,
            .most = roomWithin(opening.memory.bytes, recording->collectives.participants.size())};
}

}  // namespace app::analysis
