// SPDX-License-Identifier: BSD-3-Clause
// By which algorithms the collectives of a replayed program run.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/session/options/variant.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/cost/model.hpp"
#include "engine/run/executor.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// An algorithm for one problem, or none.
struct ChosenAlgorithm {
    std::optional<engine::Plan> plan;  ///< nothing: its ranks meet, and leave as late after that as recorded
    std::string why;                   ///< where there is no plan
};

/// How one collective of a program runs.
struct CollectiveWay {
    const engine::Plan* plan = nullptr;  ///< null: its ranks meet
    /// Recognised in place of a plan; lives as long as the program.
    const analysis::AlgorithmsInSequence* sequence = nullptr;
    bool named = false;  ///< by its recorder, its messages or the user; else the fastest stands for the library's
    std::string_view source{};  ///< of an algorithm that nobody chose: "recorded", "recognised", "closest", "assumed"
    bool ofLibrary = false;     ///< named, and what the library runs by itself: a check needs no rule for it
    bool kept = false;          ///< it keeps its recorded time, since alpha and beta of the machine are not known

    /// Whether the program that runs it needs a rule.
    [[nodiscard]] bool isChosen() const { return named && !ofLibrary && plan != nullptr; }
    /// Whether its messages are known.
    [[nodiscard]] bool hasSchedule() const { return plan != nullptr || sequence != nullptr; }
    /// As an emulation takes it; null where its ranks meet.
    [[nodiscard]] engine::SchedulePtr schedule() const {
        return plan != nullptr ? plan->schedule : sequence != nullptr ? sequence->schedule : nullptr;
    }
};

/// Source of an algorithm that stands for the library's, of which nothing is known.
inline constexpr std::string_view assumedSource = "assumed";

/// Gives each collective of `program` whose algorithm was not recorded the one that its messages match, or the one that
/// they are closest to. A collective whose problem only its messages show gets that too. Throws Cancelled.
void recogniseAlgorithms(analysis::RecordedProgram& program, const analysis::Trace& trace,
                         const engine::Progress& progress = {});

/// Chooses for one problem after the other, each once.
class AlgorithmChoice {
public:
    /// `topology`: of all `ranks`, as analysis::networkNamed takes it.
    AlgorithmChoice(emulation::Conditions conditions, std::string topology, std::int32_t ranks)
        : conditions_{std::move(conditions)}, topology_{std::move(topology)}, ranks_{ranks} {}

    /// The fastest of the catalogue under the conditions; among some of the ranks without slow ones and slow links,
    /// which are numbered among all.
    const ChosenAlgorithm& best(const analysis::RecordedCollective& collective, const engine::Progress& progress);
    /// What its recorder names, where that stands here and fits; else null.
    const ChosenAlgorithm* recorded(const analysis::RecordedCollective& collective, const engine::Progress& progress);
    /// As said; where it does not fit the problem, nothing and why not.
    const ChosenAlgorithm& said(const analysis::RecordedCollective& collective, const Variant& variant,
                                const engine::Progress& progress);
    /// Recorded algorithms that are none of the catalogue, and why; empty words where they are.
    [[nodiscard]] const std::map<std::string, std::string>& unknown() const { return unknown_; }

private:
    emulation::Conditions conditions_;
    std::string topology_;
    std::int32_t ranks_;
    std::map<std::string, ChosenAlgorithm> known_;  // by way and problem
    std::map<std::string, std::string> unknown_;
};

}  // namespace app
