// SPDX-License-Identifier: BSD-3-Clause
// The verbs, for both heads: the command line and the window. Values in, values out; nothing is printed, no Qt.
// Mistakes of the user come as engine::Error.
#pragma once

#include "emulation/clocks/clockwork.hpp"
#include "engine/catalogue.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/executor.hpp"
#include "engine/verify.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace app {

/// A problem as the user states it: words and numbers, not yet checked against each other.
struct ProblemWish {
    std::optional<std::int64_t> ranks{};   ///< intragroup
    std::optional<std::int64_t> groupA{};  ///< intergroup: p
    std::optional<std::int64_t> groupB{};  ///< intergroup: q
    engine::Bytes size = 65536;            ///< per contribution, >= 0
    std::optional<engine::Bytes> sizeB{};  ///< contributions of group B, if they differ (full duplex only)
    std::string sizes = "regular";         ///< distribution, or "@file"
    std::int64_t root = 0;
    engine::Operation operation = engine::Operation::sum;
    engine::Element element = engine::Element::int32;
    int ports = 1;

    friend bool operator==(const ProblemWish&, const ProblemWish&) = default;
};

/// The checked problem that `wish` states for `collective`. Numbers that do not belong to the collective are an Error;
/// numbers that are missing too, naming the flag.
engine::Problem makeProblem(engine::Collective collective, const ProblemWish& wish);

/// The network as the user asks for it.
struct NetworkWish {
    std::string topology{};       ///< empty: the algorithm's own wiring
    std::string placement{};      ///< --placement; empty: rank r on place r
    bool neighboursOnly = false;  ///< messages are relayed from neighbour to neighbour

    friend bool operator==(const NetworkWish&, const NetworkWish&) = default;
};

/// One execution as the user asks for it.
struct RunWish {
    std::string algorithm;  ///< id
    ProblemWish problem{};
    std::map<std::string, std::string> options{};  ///< --set
    std::string on = "virtual";                    ///< "virtual" or "threads"
    std::string topology{};                        ///< these three as in NetworkWish
    std::string placement{};
    bool neighboursOnly = false;
    engine::Model model{};
    emulation::Stepping stepping = emulation::Stepping::free;
    emulation::Sharing sharing = emulation::Sharing::bottleneck;
    emulation::Protocol protocol{};
    emulation::Perturbation perturbation{};
    std::int64_t budget = engine::RunBuilder::defaultBudget;

    friend bool operator==(const RunWish&, const RunWish&) = default;
};

/// The checked plan. A torus named by `network` becomes part of the problem where the algorithm is made for one; with
/// `neighboursOnly` the schedule is the relayed one.
engine::Plan makePlan(const engine::Algorithm& algorithm, const ProblemWish& problem,
                      const std::map<std::string, std::string>& options, const NetworkWish& network = {},
                      const engine::Progress& progress = {});
engine::Plan makePlan(const RunWish& wish, const engine::Progress& progress = {});

/// The network wished for, or the algorithm's own wiring where none is named, for all ranks of the schedule.
emulation::NetworkPtr networkFor(const engine::Plan& plan, const NetworkWish& wish = {});
NetworkWish networkOf(const RunWish& wish);

/// Bounds of the plan's problem on `wiring`, with as many ports as the schedule uses. A ring or torus binds an
/// algorithm only if it promises to talk to neighbours alone: other messages cross many links at once and reach farther
/// than one hop a round.
engine::Bounds boundsFor(const engine::Plan& plan, const engine::Wiring& wiring);

/// Where the time above the bound went; the parts add up to duration - bound.
struct Gap {
    engine::Picoseconds extraRounds{};   ///< startups beyond the bound's, at alpha each
    engine::Picoseconds extraBytes{};    ///< bytes beyond the bound's, at beta each
    engine::Picoseconds combining{};     ///< bytes combined, at gamma each: the bound is about moving them only
    engine::Picoseconds congestion{};    ///< messages slowed down by shared links
    engine::Picoseconds perturbation{};  ///< late ranks, slow ranks, slow links
    engine::Picoseconds waiting{};       ///< the rest: waiting; negative when not marching in step won time

    friend bool operator==(const Gap&, const Gap&) = default;
};

/// Everything there is to say about one run. What cannot be known (a foreign trace has no plan) is absent, never
/// guessed.
struct Report {
    engine::RunPtr run;
    std::optional<engine::Plan> plan;  ///< the algorithm that made it
    std::optional<engine::Model> model;
    emulation::NetworkPtr network;  ///< null when not known
    std::optional<emulation::Congestion> congestion;
    std::optional<engine::Verdict> verdict;  ///< proof of the schedule
    std::optional<engine::Bounds> bounds;
    /// The bound that its rounds are to be held against: `unitRounds` where every message is one whole contribution,
    /// else `startups`.
    std::optional<engine::Bound<std::int64_t>> roundBound;
    std::optional<engine::Picoseconds> timeBound;
    std::optional<engine::Cost> predicted;  ///< the closed form, where there is one for the schedule that ran
    /// The time of the closed form, where the conditions are those that it speaks of: alpha and beta alone.
    std::optional<engine::Picoseconds> predictedTime;
    std::optional<engine::Picoseconds> lockstep;  ///< time when all ranks march in step
    std::optional<Gap> gap;                       ///< virtual runs under alpha and beta only
    bool compared = false;                        ///< the data of this very execution were compared with what is right
    bool correct = true;                          ///< and were so, as far as they were compared
    std::string fault;                            ///< first fault, when not correct or not proved

    /// The busiest link of the round `congestion->peakRound`; nothing where no link is known to have been used.
    [[nodiscard]] std::optional<emulation::LinkPeak> peak() const;
};

/// With every run, schedules of at most so many turns (ranks x rounds) are proved.
inline constexpr std::int64_t provedTurns = 2'000'000;

/// Messages of schedules of at most so many turns are looked at one by one, which is faster than to prove them.
inline constexpr std::int64_t countedTurns = 64'000'000;

/// How `wish` runs in virtual time.
emulation::Conditions conditionsOf(const RunWish& wish);

/// The time that no schedule can beat under `model` on `network` (which may be null: alpha and beta hold everywhere);
/// nothing where it is not known.
std::optional<engine::Picoseconds> leastTime(const engine::Bounds& bounds, const engine::Model& model,
                                             const emulation::Network* network);

/// Runs as wished, and proves the schedule unless it is too long.
Report execute(const RunWish& wish, const engine::Progress& progress = {});

/// What an archive holds, with everything that can be derived from it.
Report open(const std::filesystem::path& trace, const engine::Progress& progress = {});

/// Everything that follows from a run and its setting alone.
Report reportOn(engine::RunPtr run, const engine::Progress& progress = {});

}  // namespace app
