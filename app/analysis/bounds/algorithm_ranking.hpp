// SPDX-License-Identifier: BSD-3-Clause
// What else could have solved a problem, and how long it would take under a model on a network.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/network.hpp"
#include "engine/run/executor.hpp"

#include <string>
#include <vector>

namespace app::analysis {

/// One algorithm of the catalogue with the options that suit it best here.
struct Alternative {
    engine::Plan plan;
    engine::Picoseconds time{};

    [[nodiscard]] const std::string& id() const { return plan.algorithm->id; }
};

struct AlgorithmRanking {
    std::vector<Alternative> ranked;  ///< fastest first; each algorithm once
    std::vector<std::string> left{};  ///< ids left out, each with its reason: "bcast/flat: needs more ports"
};

/// Turns (ranks x rounds) that one schedule may have to be tried, and all of one problem together.
inline constexpr std::int64_t triedTurns = 3'000'000;
inline constexpr std::int64_t triedTurnsInAll = 12'000'000;

/// The network that `topology` names (as --topology does; empty: fully connected) for a schedule of `ranks` ranks.
emulation::NetworkPtr networkNamed(const std::string& topology, std::int32_t ranks);

/// Emulates every algorithm for `problem` with its options varied, under `conditions`, with the ports of the problem.
/// Schedules that use more ports than it has are left out. Throws Error for a bad topology, Cancelled.
AlgorithmRanking whatIf(const engine::Problem& problem, const emulation::Conditions& conditions,
                        const std::string& topology, const engine::Progress& progress = {});

/// How long one plan takes under the same conditions.
engine::Picoseconds emulatedTime(const engine::Plan& plan, emulation::Conditions conditions,
                                 const std::string& topology, const engine::Progress& progress = {});

}  // namespace app::analysis
