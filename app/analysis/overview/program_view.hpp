// SPDX-License-Identifier: BSD-3-Clause
// A program that was traced, as pictures need it: where it was when, what it repeated, who waited, and why.
#pragma once

#include "app/analysis/collectives/rank_groups.hpp"
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/program/iterations.hpp"
#include "app/analysis/program/location_timelines.hpp"
#include "app/analysis/program/metric_curves.hpp"
#include "app/analysis/schedule/message_pattern.hpp"
#include "app/analysis/trace/trace_analysis.hpp"
#include "app/analysis/training/job_summary.hpp"
#include "app/analysis/wait_states/root_causes.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace app::analysis {

/// Whether calls of its ranks were recorded, by another program than this one: what pictures of programs are about.
bool isProgram(const Trace& trace);

class TracedProgram {
public:
    /// Of all that `analysis` covers; its trace must be a program. Throws Error and Cancelled.
    explicit TracedProgram(TraceAnalysis& analysis);
    /// What is known at once: calls, messages, collectives and metrics. It has neither call paths nor waits yet, nor
    /// what follows from them, and is to be asked for its tracks, metrics and groups alone. Throws Cancelled.
    TracedProgram(traces::RecordingPtr recording, const engine::Progress& progress);

    [[nodiscard]] const traces::Recording& recording() const { return *recording_; }
    [[nodiscard]] const CallPaths& paths() const { return *paths_; }
    [[nodiscard]] bool isRecorded(engine::Rank rank) const { return std::ranges::binary_search(recorded_, rank); }
    /// Those that were recorded, rising.
    [[nodiscard]] const std::vector<engine::Rank>& recordedRanks() const { return recorded_; }
    [[nodiscard]] const std::vector<Wait>& waits() const { return waits_->all; }
    /// Who waits in them.
    [[nodiscard]] const Threads& threads() const { return waits_->threads; }
    /// Of all waits.
    [[nodiscard]] engine::Picoseconds waited() const { return waited_; }
    /// The costliest first.
    [[nodiscard]] const std::vector<Cause>& causes() const { return causes_; }
    /// Whether delays of `rank` made at least a tenth of all waiting.
    [[nodiscard]] bool isToBlame(engine::Rank rank) const;
    /// Those that made at least a tenth of all waiting, the costliest first: ten at most.
    [[nodiscard]] std::span<const Cause> mainCauses() const;
    [[nodiscard]] const Iterations& iterations() const { return iterations_; }
    /// Which of them are odd, rising.
    [[nodiscard]] const std::vector<std::size_t>& oddIterations() const { return oddIterations_; }
    /// Of the messages that were sent in each of them.
    [[nodiscard]] const std::vector<MessagePattern>& patterns() const { return patterns_; }
    [[nodiscard]] const CallProfile& profile() const { return *profile_; }
    [[nodiscard]] const LocationTimelines& tracks() const { return *tracks_; }
    [[nodiscard]] const MetricCurves& metrics() const { return *metrics_; }
    [[nodiscard]] const std::vector<RankGroup>& nodes() const { return nodes_; }
    [[nodiscard]] const std::vector<RankGroup>& communicators() const { return communicators_; }

    /// The longest call of a path, on one rank or, with traces::noRank, on any; nothing where it made none.
    [[nodiscard]] std::optional<traces::TimeSpan> longestCall(PathId path, engine::Rank rank) const;

    /// Of a training job; nothing of any other program.
    [[nodiscard]] const std::optional<JobSummary>& job() const { return job_; }

    /// The costliest cause in a clause: "512 ms of waiting caused by rank 3, in main/assemble". If other ranks caused
    /// nearly as much, these ranks; if ranks compute one after the other, are late in turn or none stands out, that; if
    /// nobody waited, how long the program took and that it did not wait. Of a program that did not end or is wrong
    /// that; of a training job its straggler, or its step.
    [[nodiscard]] std::string headline() const;
    /// The time that it begins with.
    [[nodiscard]] engine::Picoseconds headlineTime() const;
    /// What there is to say besides: how late that was and how often, its share of all waiting and that of its
    /// rank, what all waiting comes to, iterations, the parallel efficiency and what limits it.
    [[nodiscard]] std::string besides() const;

private:
    void prepareViews(const engine::Progress& progress);
    /// Waiting time that the rank of the costliest cause caused in all.
    [[nodiscard]] engine::Picoseconds fromWorst() const { return alike_.front().all(); }

    traces::RecordingPtr recording_;
    std::shared_ptr<const CallPaths> paths_;
    std::optional<Efficiency> efficiency_;
    std::optional<JobSummary> job_;
    std::shared_ptr<const TracedWaits> waits_;
    engine::Picoseconds waited_{};
    engine::Picoseconds couldWait_{};  ///< what `waited_` is a share of
    bool threadsWaited_ = false;       ///< for each other
    std::vector<Cause> causes_;
    std::vector<engine::Picoseconds> caused_;  ///< by rank
    Cause worst_{};                            ///< the costliest one, over all wait states; if there are causes
    std::vector<DelayRow> alike_{};            ///< of its rank, then of those that caused nearly as much
    bool isAttributed_ = false;                ///< all waiting, to ranks that caused it
    std::string fault_{};                      ///< the program is wrong or did not end: what the page says first
    std::string moreOfFault_{};                ///< and what it says then
    bool sharesProcessors_ = false;
    std::string insteadOfRank_{};  ///< what the headline says where it names no rank that caused the waiting
    Iterations iterations_;
    std::vector<std::size_t> oddIterations_;
    std::vector<MessagePattern> patterns_;  ///< by iteration
    std::unique_ptr<const CallProfile> profile_;
    std::unique_ptr<const LocationTimelines> tracks_;
    std::unique_ptr<const MetricCurves> metrics_;
    std::vector<engine::Rank> recorded_;
    std::vector<RankGroup> nodes_;
    std::vector<RankGroup> communicators_;
};
using TracedProgramPtr = std::shared_ptr<const TracedProgram>;

}  // namespace app::analysis
