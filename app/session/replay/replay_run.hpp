// SPDX-License-Identifier: BSD-3-Clause
// A recorded program again, in virtual time: first under the conditions of the recording, which says how far the answer
// can be trusted, then with what is to be changed.
#pragma once

#include "app/analysis/replay/computation_changes.hpp"
#include "app/analysis/replay/recorded_program.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/analysis/training/job_summary.hpp"
#include "app/session/options/specification.hpp"
#include "emulation/replay/replay.hpp"
#include "engine/base/table.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct ReplayedRun;

/// What is to be another way than it was.
struct ReplayWish {
    Asked asked{};                    ///< conditions of the run: model, topology, ...
    std::vector<std::string> with{};  ///< algorithms: "allreduce=allreduce/ring:segments=4", "best"
    analysis::ComputationChange ownTime{};
    bool overlap = false;                         ///< calls that need not block do not: analysis::overlapped
    std::optional<emulation::InPorts> inPorts{};  ///< nothing: as recorded
    bool kept = false;                            ///< what the last replay did is to be recorded
    bool checked = false;                         ///< the program is to be run with the algorithms of the last replay
    /// The replay of the recorded conditions, where it is known from another replay of this trace; outlives the call.
    const ReplayedRun* known = nullptr;
};

/// One replay of the program.
struct ReplayedRun {
    std::string model;       ///< engine::toText
    std::string network;     ///< its name
    std::string sharing;     ///< of links, emulation::toText
    std::string unevenness;  ///< late and slow parts, emulation::toText; empty: none
    emulation::InPorts inPorts = emulation::InPorts::byMessage;
    emulation::Replayed result{};
    analysis::SetUp setUp{};
    std::optional<analysis::JobSummary> job{};  ///< of a training job
    std::vector<std::string> stuck{};           ///< what ranks wait for forever, in sentences; of many the first ones

    /// From the last exit from MPI_Init, or the first event of the last rank, to the end.
    [[nodiscard]] engine::Picoseconds programTime() const { return result.duration - setUp.last(); }
};

/// How much longer an activity took in a replay than in the recording.
struct ActivityDifference {
    std::string activity;
    engine::Picoseconds time{};  ///< mean of the ranks
    double share = 0;            ///< of the recorded time outside computation
};

struct Replaying {
    std::int32_t ranks = 0;
    std::int64_t messages = 0;  ///< outside of collectives
    std::int64_t collectives = 0;
    engine::Picoseconds recorded{};
    bool isInitialised = false;                 ///< MPI_Init was recorded, so that times before its end are known
    std::string modelOrigin;                    ///< "recorded", "fitted", "given" or "assumed"
    std::optional<analysis::JobSummary> job{};  ///< of a training job, as recorded
    ReplayedRun asRecorded;
    std::optional<ReplayedRun> changed;  ///< where anything is
    bool otherConditions = false;        ///< than those of the recording hold for that
    bool otherTimes = false;             ///< ranks compute for other times in it than recorded
    /// Of a GOAL text, which has no times of messages: `recorded` is the time of the first replay, which has no error.
    bool isOfGoal = false;
    std::string rules;         ///< where it is to be checked: rules for the drop-in library that say the same
    std::size_t named = 0;     ///< collectives that these rules are about
    engine::Table activities;  ///< mean times of ranks by what they did
    engine::Table perRank;
    engine::Table algorithms;  ///< collectives alike in one row
    std::vector<std::string> remarks;
    // What is kept of the last replay; the recording and the run only where it came to its end.
    traces::RecordingPtr recording{};  ///< of a program
    engine::RunPtr run{};              ///< of a run of ours, which is one collective
    std::string notKept{};             ///< why there is neither, where that is no fault of the wish; a sentence
    emulation::Program
        program{};  ///< that the last replay ran, also where ranks are stuck, with the schedules of its collectives

    [[nodiscard]] const ReplayedRun& last() const { return changed ? *changed : asRecorded; }
    /// The same of the recording; what lies before it takes as long in the first replay as recorded.
    [[nodiscard]] engine::Picoseconds recordedProgramTime() const { return recorded - asRecorded.setUp.last(); }
    /// What the replay of the recorded conditions is off by, as a share of recordedProgramTime(); 0 where that is 0.
    [[nodiscard]] double error() const;
    /// The same of the time that ranks did not compute: what was not simply kept. Nothing where they did nothing else.
    std::optional<double> errorBesideComputing;
    /// Of activities outside computation, the largest first: errors of several may cancel in the sum. Without those
    /// below 5% of the recorded time outside computation.
    std::vector<ActivityDifference> differences{};
    /// Of recordedProgramTime(): how much of it ranks spent on average in calls of MPI that keep their recorded time.
    double keptInMpi = 0;
};

/// What is kept as a trace like any that was read, with at most `budget` messages in its run (see traces::runOf);
/// nothing where nothing is kept. Throws Cancelled.
std::optional<Trace> traceOf(const Replaying& replaying, std::int64_t budget = engine::RunBuilder::defaultBudget,
                             const engine::Progress& progress = {});

/// Writes what is kept as the archive `target`: a folder, or an anchor that ends in .otf2. Throws Error when it is
/// there already or cannot be written; an archive in a folder may be replaced.
void writeReplayed(const Replaying& replaying, const std::filesystem::path& target,
                   traces::Overwrite overwrite = traces::Overwrite::refuse, const engine::Progress& progress = {});

/// Throws Error for what cannot be replayed, or changed so; Cancelled.
Replaying replayed(const Trace& trace, const ReplayWish& wish, const engine::Progress& progress = {});

}  // namespace app
