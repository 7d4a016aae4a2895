// SPDX-License-Identifier: BSD-3-Clause
// What replays of a program took, beside what was recorded.
#pragma once

#include "app/session/replay/replay_algorithms.hpp"
#include "app/session/replay/replay_run.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app {

/// What the tables of a replay are called, and those of a check of it.
namespace replayTable {
inline constexpr std::string_view activities = "activities";
inline constexpr std::string_view collectives = "collectives";
inline constexpr std::string_view ranks = "ranks";
inline constexpr std::string_view check = "check";
inline constexpr std::string_view checkActivities = "check-activities";
}  // namespace replayTable

class ReplayTables {
public:
    /// `recorded` and `made` outlive the object.
    ReplayTables(const analysis::RecordedProgram& recorded, analysis::KeptTimes kept, const Replaying& made)
        : recorded_{recorded}, kept_{std::move(kept)}, made_{made} {}

    /// See Replaying.
    [[nodiscard]] std::optional<double> errorBesideComputing() const;
    [[nodiscard]] std::vector<ActivityDifference> differences() const;
    [[nodiscard]] double keptInMpi() const;
    /// What ranks spent on average, by activity: rows add up to the whole time. Of a training job what its accelerators
    /// do in a step.
    [[nodiscard]] engine::Table activities() const;
    [[nodiscard]] engine::Table perRank() const;
    /// Collectives that are alike in one row. `ways`: by replay and collective.
    [[nodiscard]] engine::Table algorithms(const std::vector<std::vector<CollectiveWay>>& ways) const;

private:
    [[nodiscard]] engine::Table steps() const;

    [[nodiscard]] engine::Picoseconds meanGaps() const;

    const analysis::RecordedProgram& recorded_;
    analysis::KeptTimes kept_;
    const Replaying& made_;
};

/// What ranks spent on average, by activity, from when each has left MPI_Init: as the last replay predicts it, and as
/// `measured` in a run of the program.
engine::Table activitiesBeside(const Replaying& predicted, const analysis::RecordedProgram& measured);

}  // namespace app
