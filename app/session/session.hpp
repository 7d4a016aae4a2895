// SPDX-License-Identifier: BSD-3-Clause
// Functions shared by the command line and the window. Values in, values out; nothing is printed, no Qt.
// Mistakes of the user come as engine::Error.
#pragma once

#include "app/analysis/containers/sub_progress.hpp"
#include "app/analysis/trace/trace.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace app {

// Used throughout the command line and the window.
using analysis::Report;
using analysis::Trace;
using analysis::within;

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
/// numbers that are missing too, naming the field.
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
    std::string on = "virtual";                    ///< "virtual", "threads" or "mpi"
    NetworkWish network{};
    engine::Model model{};
    emulation::Stepping stepping = emulation::Stepping::free;
    emulation::Sharing sharing = emulation::Sharing::bottleneck;
    emulation::Protocol protocol{};
    emulation::Perturbation perturbation{};
    std::int64_t budget = engine::RunBuilder::defaultBudget;

    friend bool operator==(const RunWish&, const RunWish&) = default;
};

/// The checked plan. A torus named by `network` becomes part of the problem where the algorithm is made for one; with
/// `neighboursOnly` the schedule is the relayed one. What is left to the algorithm is chosen for `model`.
engine::Plan makePlan(const engine::Algorithm& algorithm, const ProblemWish& problem,
                      const std::map<std::string, std::string>& options, const NetworkWish& network = {},
                      const engine::Progress& progress = {}, const engine::Model& model = {});
engine::Plan makePlan(const RunWish& wish, const engine::Progress& progress = {});

/// The network wished for, or the algorithm's own wiring where none is named, for all ranks of the schedule.
emulation::NetworkPtr networkFor(const engine::Plan& plan, const NetworkWish& wish = {});

/// `wish` with the network named that it runs on: where it names none, that of its algorithm. What cannot run is left
/// as it is.
RunWish pinned(RunWish wish);
/// `wish` with another algorithm, and no options: on the same network where `wish` names one, see `pinned`.
RunWish rivalOf(RunWish wish, const std::string& algorithm);

/// How `wish` runs in virtual time.
emulation::Conditions conditionsOf(const RunWish& wish);

/// Runs as wished, and proves the schedule unless it is too long.
Report execute(const RunWish& wish, const engine::Progress& progress = {});

}  // namespace app
