// SPDX-License-Identifier: BSD-3-Clause
// A cluster on the desk: network namespaces of this machine as hosts, each with one port of a chosen speed.
//
//   host i = namespace collscope-i, address 10.77.0.i, one cable to a common switch; the cable is slowed down at both
//   of its ends, so that each host sends and receives at `rate` at the same time. Speed can be set, latency cannot.
//
// The lab lives in the kernel until it is taken down; nothing else of the machine is touched. Needs root and the
// programs ip and tc.
#pragma once

#include "engine/run/executor.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace engine::live {

struct Lab {
    std::int32_t hosts = 0;          ///< as asked for
    std::int32_t existing = 0;       ///< as there are; fewer when it was broken off
    engine::Rate rate{};             ///< of each port, each way
    bool queues = true;              ///< a port moves one message after the other; else it shares itself among them
    std::int64_t backlogBefore = 0;  ///< packets that could wait for a processor of this machine; 0: not changed

    [[nodiscard]] bool whole() const { return hosts == existing; }
    friend bool operator==(const Lab&, const Lab&) = default;
};

/// Most hosts: addresses 10.77.0.1 to 10.77.0.250.
inline constexpr std::int32_t mostLabHosts = 250;

/// The lab that stands, or what is left of one; nothing when there is none.
std::optional<Lab> existingLab();

/// Sets a lab up. Throws Error when it cannot or when one stands already; what was begun is then taken down, as it is
/// when `progress` says stop (Cancelled).
Lab setUpLab(std::int32_t hosts, engine::Rate rate, const engine::Progress& progress = {});

/// Takes down whatever stands, and ends the processes in it. Returns how many hosts there were. Throws Error.
std::int32_t takeDownLab();

/// What Open MPI's mpirun needs beside its usual arguments to run `processes` on the hosts of `lab`; `agent` is the
/// command that runs another one on a host. Writes the list of hosts to `hostfile`.
std::vector<std::string> labArguments(const Lab& lab, std::int32_t processes, const std::string& agent,
                                      const std::filesystem::path& hostfile);

/// The same for MPICH's mpiexec, with UCX; `agent` is a program that runs another one on a host.
std::vector<std::string> labArgumentsOfMpich(const Lab& lab, const std::filesystem::path& agent,
                                             const std::filesystem::path& hostfile);

/// The command that runs `command` of the shell on the host of this address. Throws Error for an address of no host.
std::vector<std::string> onLabHost(const std::string& address, const std::string& command);

}  // namespace engine::live
