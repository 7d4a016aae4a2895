// SPDX-License-Identifier: BSD-3-Clause
// A run and what follows from it: its plan, its proof, its bounds and where the time above them went.
#pragma once

#include "app/analysis/bounds/bound_gap.hpp"
#include "app/analysis/bounds/lower_bounds.hpp"
#include "app/analysis/schedule/algorithm_recognition.hpp"
#include "emulation/conditions.hpp"
#include "emulation/networks/congestion.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/proof/verify.hpp"
#include "engine/run/executor.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// Everything there is to say about one run. What cannot be known (a foreign trace has no plan) is absent, never
/// guessed.
struct Report {
    engine::RunPtr run;
    std::optional<engine::Plan> plan;  ///< the algorithm that made it
    std::optional<engine::Model> model;
    emulation::NetworkPtr network;  ///< null when not known
    std::optional<emulation::Congestion> congestion;
    std::optional<engine::Verdict> verdict;  ///< proof of the schedule
    /// If the schedule does not say what its messages carry (GOAL): the algorithms with the highest likeness of
    /// messages, at least likeEnough; those with the fewest options first.
    std::vector<Recognition> resembles{};
    std::optional<Limits> limits;           ///< the lower bounds; rounds, bytes, time and gap are held to one class
    std::optional<Totals> totals;           ///< of the plan, where it was counted
    std::optional<engine::Cost> predicted;  ///< the closed form, where there is one for the schedule that ran
    /// The time of the closed form, where the conditions are those that it speaks of: alpha and beta alone.
    std::optional<engine::Picoseconds> predictedTime;
    std::optional<engine::Picoseconds> lockstep;  ///< time when all ranks march in step
    std::optional<Gap> gap;                       ///< virtual runs under alpha and beta only, if right
    bool compared = false;                        ///< the data of this very execution were compared with what is right
    bool correct = true;                          ///< and were so, as far as they were compared
    std::string fault;                            ///< first fault, when not correct or not proved
    std::optional<engine::Place> faultAt;         ///< what of the schedule the fault is about, where it was refuted

    /// The lower bound on time of the run's class, where it is known.
    [[nodiscard]] std::optional<engine::Picoseconds> timeBound() const;
    /// Rounds; where a round has more messages than ports, as many as its messages follow each other there.
    [[nodiscard]] std::int64_t startups() const;
    /// The largest message of every round, added up; where messages wait for ports, all that follow each other there.
    [[nodiscard]] engine::Bytes serializedBytes() const;
    /// Bytes through the ports of the rank that sent, or received, most; nothing where not all messages are known.
    [[nodiscard]] std::optional<engine::Bytes> busiestRank() const;
    /// The busiest link of the round `congestion->peakRound`; nothing where no link is known to have been used.
    [[nodiscard]] std::optional<emulation::LinkPeak> peak() const;
    /// What the network's links force, where that decides the bound on time; else null.
    [[nodiscard]] const emulation::bounds::NetworkBound* binding() const;
    /// Bytes that the run moved over the links of binding() in all, and over the busiest of them; nothing where there
    /// is no such bound, or not all messages are known.
    struct CutLoad {
        engine::Bytes all = 0;
        engine::Bytes busiest = 0;
    };
    [[nodiscard]] std::optional<CutLoad> bindingLoad() const;
};

/// What the setting of a run says whose messages were relayed from neighbour to neighbour.
inline constexpr std::string_view relayedRouting = "neighbours-only";
/// And of a progress over MPI: messages wait for their receivers' grants.
inline constexpr std::string_view grantedProgress = "granted";

/// "4 senders, 6 receivers, 64 KiB each"; "8 ranks, sum of int32, 64 KiB each".
std::string problemWords(const engine::Problem& problem);

/// Late and slow parts; nothing where the setting's words are not understood.
std::optional<emulation::Perturbation> perturbationOf(const engine::Setting& setting);

/// "rank 3 starts 1 ms late", "rank 3 takes 4 times as long, link 3 -> 4 takes 8 times as long per byte". Of a file
/// that another version wrote perhaps what it has.
std::string perturbationWords(const engine::Setting& setting);

/// With every run, schedules of at most so many turns (ranks x rounds) are proved.
inline constexpr std::int64_t provedTurns = 2'000'000;

/// Of a plan from a file, which nobody has proved before, what of it can run (engine::asFarAsPaired); any other as it
/// is.
engine::Plan runnablePart(engine::Plan plan, const engine::Progress& progress = {});

/// The machine that a run in virtual time has under `conditions`.
Machine machineOf(const emulation::Conditions& conditions, const emulation::Network* network);

/// Under which conditions it ran in virtual time; nothing where it did not, or where they are not known.
std::optional<emulation::Conditions> recordedConditions(const Report& report);

/// The model of a run that has one and a plan, combining as the run's problem does.
engine::Model ownModel(const Report& report);

/// What `cause` is called in the gap of the report, which has one.
std::string_view nameOf(const GapCause& cause, const Report& report);
/// What `cause` means in the gap of the report, which has one: a clause.
std::string meaningOf(const GapCause& cause, const Report& report);

/// Everything that follows from a run and its setting alone.
Report reportOn(engine::RunPtr run, const engine::Progress& progress = {});

/// Adds to `report`, of which the run and what made it are there, all that follows from them.
void addDerivedResults(Report& report, const engine::Progress& progress);

}  // namespace app::analysis
