// SPDX-License-Identifier: BSD-3-Clause
// By which algorithms the collectives of a replayed program run.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/session/options/variant.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/cost/model.hpp"
#include "engine/run/executor.hpp"

#include <map>
#include <optional>
#include <string>
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
    bool named = false;  ///< by its recorder or the user; else the fastest stands for the library's, which is not known
    bool ofLibrary = false;  ///< named, and what the library runs by itself: a check needs no rule for it
    bool kept = false;       ///< it keeps its recorded time, since alpha and beta of the machine are not known

    /// Whether the program that runs it needs a rule.
    [[nodiscard]] bool isChosen() const { return named && !ofLibrary && plan != nullptr; }
};

/// "allreduce/ring:segments=4": what makes the same plan again.
std::string variantWords(const engine::Plan& plan);

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
