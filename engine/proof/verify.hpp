// SPDX-License-Identifier: BSD-3-Clause
// Proves that a schedule fulfils its contract, by following what every rank holds; or names the first counterexample.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/run/executor.hpp"
#include "engine/schedule/counter_example.hpp"
#include "engine/schedule/schedule.hpp"

#include <string>

namespace engine {

/// The outcome of a proof. Counts are of what was followed, whole when `proved`.
struct Verdict {
    bool proved = false;
    /// "round 3: rank 2 sends block 4 to rank 1 before it has it"; empty when proved. Rounds are counted from 1.
    std::string counterExample;
    Place place{};  ///< what the counterexample is about
    std::int64_t rounds = 0;
    std::int64_t messages = 0;
    Bytes bytes = 0;
    Cost lockstep;  ///< rounds with messages, and the sums over rounds of the largest message and most combined bytes
};

/// Checks, round by round: both ends of every message agree; no rank uses more ports than declared; messages stay
/// between neighbours of the declared wiring; nothing is sent that is not held; nothing is delivered twice unless
/// declared; and in the end everyone holds what the contract says, each contribution as often as it says.
/// Needs O(ranks x pieces held) memory. Throws Cancelled.
Verdict verify(const Schedule& schedule, const Problem& problem, const Progress& progress = {});

}  // namespace engine
