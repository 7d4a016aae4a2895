// SPDX-License-Identifier: BSD-3-Clause
// Which rank of a program runs on which host, so that less of its traffic crosses the network.
#pragma once

#include "app/session/replay/replay_run.hpp"
#include "app/session/tune/program_times.hpp"

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace app::tune {

struct Host {
    std::string name{};
    std::int32_t slots = 1;
    std::vector<std::string> switches{};  ///< above it, the outermost first
};

/// One host a line: "node1 slots=4 switch=spine1/leaf2", "node1:4" or "node1"; # begins a remark. All hosts have
/// switches, or none has. Throws Error, which begins with `path` and the line.
std::vector<Host> hostsFrom(std::string_view words, const std::string& path);

/// Bytes between ranks, both directions together; the lower rank first.
using PairTraffic = std::map<std::pair<std::int32_t, std::int32_t>, engine::Bytes>;

/// All messages of a program: those outside of collectives and those of the schedules of its collectives.
PairTraffic trafficOf(const emulation::Program& program);

/// How many levels of the network lie between two different hosts: 1 below one switch or between hosts without
/// switches, and so on. Ranks of one host are at level 0.
std::int32_t levelBetween(const Host& a, const Host& b);

/// By rank, the place in `hosts` on which it runs.
using RankOrder = std::vector<std::int32_t>;
/// Hosts are filled in their order. Throws Error where there are too few slots.
RankOrder filledInOrder(const std::vector<Host>& hosts, std::int32_t ranks);
/// With as many ranks on each host as `start`, but so that the sum of bytes x level is smaller: ranks that exchange
/// much are gathered, then pairs are swapped as long as that helps. Never worse than `start`. Throws Cancelled.
RankOrder betterOrder(const std::vector<Host>& hosts, const RankOrder& start, const PairTraffic& traffic,
                      const engine::Progress& progress = {});
/// By level.
std::vector<engine::Bytes> bytesByLevel(const std::vector<Host>& hosts, const RankOrder& order,
                                        const PairTraffic& traffic);

struct Placement {
    std::vector<Host> hosts{};
    RankOrder before{};
    RankOrder after{};
    std::vector<engine::Bytes> bytesBefore{};  ///< by level
    std::vector<engine::Bytes> bytesAfter{};
    std::string network{};                 ///< on which it was emulated
    engine::Picoseconds emulatedBefore{};  ///< time after MPI_Init
    engine::Picoseconds emulatedAfter{};   ///< likewise
    std::vector<std::string> remarks{};

    [[nodiscard]] bool isBetter() const { return before != after; }
};

/// `asked` may name another network; without it, the hosts are nodes of a cluster with one card each. Throws Error,
/// Cancelled.
Placement placementFor(const Trace& trace, std::vector<Host> hosts, const Asked& asked,
                       const engine::Progress& progress = {});

/// The program itself in both orders, in turn.
/// Starts `command`, such as "mpirun -n 8 ./program", `repeats` times in each order, each run up to `most`. Throws
/// Error where it cannot be measured, Cancelled.
ProgramTimes measured(const Placement& placement, const std::string& command, bool lab, std::int32_t repeats,
                      std::chrono::seconds most, const engine::Progress& progress = {});

/// "within a host", "within a switch", ..., "between hosts", of each level.
std::vector<std::string> levelNames(const std::vector<Host>& hosts);
/// Open MPI's rankfile. A rank may use all processors of its host: a numbered slot that a host lacks ends mpirun
/// without a message.
std::string asRankfile(const std::vector<Host>& hosts, const RankOrder& order);
/// A host a line, rank by rank: MPICH's host file, or Open MPI's with --map-by seq.
std::string asHostList(const std::vector<Host>& hosts, const RankOrder& order);

}  // namespace app::tune
