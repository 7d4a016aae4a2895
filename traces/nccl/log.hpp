// SPDX-License-Identifier: BSD-3-Clause
// What NCCL and RCCL write with NCCL_DEBUG=INFO: rings and trees of each channel, connections, and with
// NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING,COLL the topology of hosts, algorithm and protocol of collectives, and their
// calls.
//
// Each line has the prefix "host:pid:tid [device] NCCL INFO "; what stands before it does not matter. By version:
//   "Channel 00/02 :  0 1 2 3"          a ring, from rank 0; at most 20 ranks before 2.23, 128 characters since then
//   "Ring 00 : 3 -> 0 -> 1"             neighbours of a rank in a ring (GRAPH, since 2.9)
//   "Trees [0] 1/2/-1->0->-1 [1] ..."   children -> rank -> parent by channel; the reverse order in 2.4; in 2.5 to 2.7
//                                       the tree down follows after "|"; at most 1023 characters, since 2.12 with the
//                                       prefix
//   "Channel 00/0 : 0[1a000] -> 1[1c000] via P2P/IPC", "Ring 00 : ..." before 2.8
//   "comm 0x... rank 0 nranks 4 ... commId 0x... - Init COMPLETE"   the id since 2.16
//   "=== System : maxBw 24.0 ...", "CPU/0 (1/1/2)", "+ PCI[24.0] - GPU/1A000 (0)", "===..."
//   "AllReduce: opCount 0 ... count 64 datatype 7 ... comm 0x... [nranks=4] ..."
//   "1024 Bytes -> Algo 1 proto 2 time 7.5", since 2.23 "AllReduce: 1024 Bytes -> Algo RING proto LL
//   channel{Lo..Hi}={0..1}"
// Source: NVIDIA/nccl, src/init.cc, src/graph/{rings,topo}.cc, src/enqueue.cc, 2.4.8 to 2.30.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace traces::nccl {

inline constexpr std::int32_t nobody = -1;

/// A rank in a tree.
struct TreeNode {
    std::int32_t parent = nobody;
    std::vector<std::int32_t> children{};

    friend bool operator==(const TreeNode&, const TreeNode&) = default;
};

/// As far as it was logged.
struct Channel {
    std::vector<std::int32_t> order{};                                     ///< the ring as rank 0 lists it
    bool cut = false;                                                      ///< NCCL cut that list
    bool inColumns = false;                                                ///< it stands at every fourth column
    std::map<std::int32_t, std::pair<std::int32_t, std::int32_t>> ring{};  ///< predecessor and successor by rank
    std::map<std::int32_t, TreeNode> tree{};                               ///< by rank
};

/// An end of a link of a host: a processor, switch, accelerator or network card, as NCCL found them.
struct HostLink {
    std::string from, to;  ///< "GPU/1a000"
    std::string kind;      ///< "NVL", "PCI", "SYS", "NET"
    double gigabytes = 0;  ///< per second in one direction
};
struct Host {
    std::map<std::string, std::int32_t> accelerators{};  ///< their ranks
    std::vector<HostLink> links{};                       ///< each once
};

/// Calls of one size.
struct Calls {
    std::int64_t calls = 0;                                   ///< the most of any rank: each logs its own
    std::set<std::pair<std::string, std::string>> callers{};  ///< process and handle of the communicator
};

struct Communicator {
    std::string id{};        ///< empty where not logged: ranks are then joined by the order of their communicators
    std::int32_t ranks = 0;  ///< where no line tells, one more than the largest rank seen
    std::set<std::int32_t> seen{};                                               ///< ranks that wrote something
    std::map<std::int32_t, std::string> hosts{};                                 ///< by rank
    std::map<std::int32_t, Channel> channels{};                                  ///< by number
    std::map<std::pair<std::int32_t, std::int32_t>, std::string> connections{};  ///< "P2P/IPC" by sender and receiver
    std::map<std::string, Host> topology{};                                      ///< by host
    std::map<std::pair<std::string, engine::Bytes>, Calls> calls{};              ///< by operation and size
};

/// The algorithm and protocol for a size; `operation` is empty before 2.23.
struct Choice {
    std::string operation{}, algorithm{}, protocol{};
    engine::Bytes bytes = 0;
    std::int32_t firstChannel = nobody, lastChannel = nobody;  ///< nobody: not logged

    auto operator<=>(const Choice&) const = default;
};

struct Log {
    std::string version{};  ///< "2.18.6+cuda12.1"
    std::vector<Communicator> communicators{};
    std::map<Choice, std::int64_t> choices{};  ///< the most calls of any rank
    std::int64_t unassigned = 0;               ///< lines of connections and calls that fit several communicators
};

/// Whether `path` is such a log, or a folder that holds some, by the first MiB of a file.
bool isLog(const std::filesystem::path& path);

/// Reads a file, or all logs of a folder. Unknown and damaged lines are skipped. Throws Error where a file cannot be
/// read or nothing of a ring, tree, connection or collective is in it.
Log readLog(const std::filesystem::path& path);

}  // namespace traces::nccl
