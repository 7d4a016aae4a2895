// SPDX-License-Identifier: BSD-3-Clause
// A trace as it is read, whoever recorded it.
#pragma once

#include "app/analysis/bounds/cost_model_fit.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/trace/run_report.hpp"
#include "traces/clocks/clocks.hpp"
#include "traces/recording/archive.hpp"
#include "traces/recording/recording.hpp"
#include "traces/recording/run_from_recording.hpp"

#include <filesystem>
#include <string>

namespace app::analysis {

/// A trace as read: what it recorded, and what follows from its run where the archive is one of ours.
struct Trace {
    Report report;
    traces::RecordingPtr recording{};  ///< null for a run that never was an archive
    traces::MemoryBudget memory{};     ///< it was opened within
    AnswerRoom most{};                 ///< of another tool's trace

    /// Recorded by this program: algorithm, problem and rounds are known.
    [[nodiscard]] bool isCollscopeRun() const { return report.run->setting.on != "trace"; }
    /// By how much times of two ranks may be apart although they are shown as equal; 0 where clocks were not fitted.
    [[nodiscard]] engine::Picoseconds uncertainty() const {
        return recording ? traces::ClockUncertainty{*recording}.most() : engine::Picoseconds{};
    }
    /// Written by a replay, whose times of messages are those of a model.
    [[nodiscard]] bool isReplay() const;
    /// Whether times in calls include waiting for a processor, since ranks shared processors. Those of a replay do not,
    /// whatever its recording; its computation may.
    [[nodiscard]] bool sharesProcessors() const;
    /// The property of this name of a program that was traced; nothing where there is none.
    [[nodiscard]] const std::string* propertyOfProgram(const std::string& name) const {
        if (!recording || isCollscopeRun()) return nullptr;
        const auto its = recording->properties.find(name);
        return its == recording->properties.end() ? nullptr : &its->second;
    }
};

/// Why a fit to the trace's messages gives no times: their ranks shared processors, or its intervals are too wide.
/// Empty where it does. A parameter that the user gave is not checked.
std::string whyNoTimes(const Trace& trace, const Fit& fit, bool alphaGiven = false, bool betaGiven = false);

/// What is to be known of a trace whose clocks contradict each other: whether its times are those recorded, and what is
/// left of it; empty where nothing is.
std::string clockWords(const Trace& trace);

/// Whose times are looked at: those recorded, those fitted so that nothing is impossible, or fitted ones only where the
/// recorded ones contradict each other.
enum class Clocks : std::uint8_t { recorded, fitted, fittedWhereNeeded };

/// `recording` with the times of these clocks, both within `memory`; itself where they are its own.
traces::RecordingPtr inTime(traces::RecordingPtr recording, Clocks clocks, const traces::MemoryBudget& memory);

/// Messages that the window keeps of a trace: 56 bytes each, those of 10^8 events.
inline constexpr std::int64_t drawnMessages = 30'000'000;

/// Reads an archive of any tool; with fitted clocks messages no longer arrive before they are sent, and a remark of the
/// run says so. The run keeps the earliest `budget` messages of another tool's archive and counts the rest.
Trace openTrace(const std::filesystem::path& path, Clocks clocks = Clocks::fittedWhereNeeded,
                const engine::Progress& progress = {}, const traces::Opening& opening = {},
                std::int64_t budget = engine::RunBuilder::defaultBudget,
                traces::BusyRanks busy = traces::BusyRanks::told);

}  // namespace app::analysis
