// SPDX-License-Identifier: BSD-3-Clause
// Dumps of PyTorch's Flight Recorder: the last collectives of each rank, written when one of them times out
// (TORCH_NCCL_DUMP_ON_TIMEOUT, or torch._C._distributed_c10d._dump_nccl_trace).
//
// A dump is a dictionary, as a pickle or as json, by version 2.x:
//   version, pg_config {name: {name, desc, ranks "[0, 1]"}}, entries, and beside it the rank, which else is what the
//   file's name ends with
//   an entry: record_id, process_group (name, description), collective_seq_id, p2p_seq_id, op_id, is_p2p,
//   profiling_name "nccl:all_reduce", input_sizes, output_sizes, input_dtypes, output_dtypes, state, time_created_ns,
//   time_discovered_started_ns, time_discovered_completed_ns, retired, frames [{name, filename, line}]
// Entries lie in a ring: the first ones may be lost.
// Source: pytorch/pytorch, torch/csrc/distributed/c10d/FlightRecorder.hpp; tools/flight_recorder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace traces::flight {

enum class State : std::uint8_t {
    scheduled,  ///< enqueued; its kernel has not started
    started,    ///< its kernel runs
    completed
};
std::string_view name(State state);

using Sizes = std::vector<std::vector<std::int64_t>>;  ///< by tensor, by dimension

struct Entry {
    std::int64_t record = 0;  ///< its number among those of the rank
    std::string operation;    ///< "all_reduce", "send"
    std::string group;        ///< the name of its process group
    std::string description;
    std::int64_t sequence = 0;  ///< of collectives in the group; entries that are launched together share one
    std::int64_t transfer = 0;  ///< of point-to-point transfers likewise
    bool isTransfer = false;
    std::int64_t source = -1;  ///< of a transfer: ranks in the group
    std::int64_t target = -1;
    Sizes in, out;
    std::string inTypes, outTypes;  ///< "float32"; of several "float32, int64"
    State state = State::scheduled;
    std::int64_t created = 0;         ///< ns since 1970
    std::vector<std::string> frames;  ///< "train_step, train.py:88", the innermost first; at most 64
};

struct Dump {
    std::filesystem::path path;
    std::int64_t rank = -1;
    std::string version;
    std::map<std::string, std::vector<std::int64_t>> groups;  ///< members by name, as far as pg_config has them
    std::vector<Entry> entries;                               ///< by record
};

/// Whether `path` is a dump, or a folder that holds some and no OTF2 archive, by their first bytes.
bool isDumps(const std::filesystem::path& path);

/// Reads a file, or all dumps of a folder, by rank. Throws Error where one is damaged, holds more than data, or two are
/// of one rank.
std::vector<Dump> readDumps(const std::filesystem::path& path);

}  // namespace traces::flight
