// SPDX-License-Identifier: BSD-3-Clause
// One file that the PyTorch profiler (Kineto) wrote: what one rank did.
//
// The format is Chrome's trace events with one process per device, from PyTorch 1.8 to today:
//   distributedInfo        rank, world_size and, from 2.3 on, the process groups in pg_config
//   baseTimeNanoseconds    what times count from, from 2.2 on; before, they count from 1970
//   "ph": "X"              an activity: ts and dur in microseconds, with up to three decimals
//   "cat"                  cpu_op, user_annotation, cuda_runtime, kernel, gpu_memcpy, ...; "Operator", "Runtime",
//                          "Kernel", "Memcpy" before 1.12
//   args of a kernel       device, stream, correlation with the call of the runtime that launched it; of NCCL's, from
//                          2.3 on, the collective, its elements and its process group
//   record_param_comms     the same of the operation that launched it, from 2.1 on
//   cuda_sync              "Stream Wait Event": a stream waits for what another one had to do when an event was
//   recorded
// Source: pytorch/kineto, libkineto/src/output_json.cpp; pytorch/pytorch, torch/csrc/profiler/util.cpp (saveNcclMeta).
#pragma once

#include "engine/run/executor.hpp"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace traces::kineto {

constexpr std::int64_t mostRanks = 65'536;                    ///< of a job
constexpr std::int64_t mostElements = std::int64_t{1} << 40;  ///< of a collective

enum class Kind : std::uint8_t {
    operation,   ///< of PyTorch: aten::mm
    annotation,  ///< of the user or of PyTorch: ProfilerStep#7
    python,      ///< a function of Python
    runtime,     ///< a call of CUDA's or HIP's runtime
    wait,        ///< of a stream for an event; recorded where the profiler was asked for it
    kernel,
    copy,  ///< between or within memories
    fill   ///< of memory
};
constexpr bool isOfAccelerator(Kind kind) { return kind >= Kind::kernel; }

/// What is recorded of a collective or a point-to-point transfer; -1 and empty where it is not.
struct CollectiveFacts {
    std::string name;         ///< "allreduce"
    std::string elementType;  ///< "Float"
    std::string group;        ///< the name of the process group: "0"
    std::string description;  ///< of the process group: "default_pg"
    std::vector<std::int32_t> ranks;
    bool ranksCut = false;  ///< there are more than `ranks`
    std::int64_t in = -1;   ///< elements
    std::int64_t out = -1;
    std::int64_t size = -1;  ///< of the group
    std::int64_t start = -1;
    std::int64_t stride = -1;
    std::int64_t sequence = -1;  ///< in the group

    friend auto operator<=>(const CollectiveFacts&, const CollectiveFacts&) = default;
};

struct Activity {
    std::int64_t begin = 0;  ///< ns since 1970
    std::int64_t end = 0;
    std::int64_t correlation = -1;  ///< of a call of the runtime and what it launches; -1: none
    std::int32_t name = 0;          ///< index into Profile::names
    std::int32_t facts = -1;        ///< index into Profile::facts
    std::int32_t lane = 0;          ///< index into Profile::lanes
    Kind kind = Kind::operation;
};

/// A thread or a stream.
struct Lane {
    std::int64_t process = 0;  ///< or the device
    std::int64_t thread = 0;   ///< or the stream
    bool isStream = false;
    std::string name;

    friend auto operator<=>(const Lane&, const Lane&) = default;
};

struct ProcessGroup {
    std::string name;
    std::string description;
    std::vector<std::int32_t> ranks;
};

/// A stream waits for an event, which was recorded on another one.
struct StreamWait {
    std::int64_t device = 0;
    std::int64_t stream = 0;        ///< that waits
    std::int64_t correlation = -1;  ///< of the call that makes it wait
    std::int64_t producer = 0;      ///< the stream with the event
    std::int64_t recordedBy = -1;   ///< correlation of the call that recorded the event
};

struct Profile {
    std::filesystem::path path;
    std::int64_t rank = -1;       ///< -1: not recorded
    std::int64_t worldSize = -1;  ///< likewise
    std::vector<ProcessGroup> groups;
    std::vector<std::string> names;
    std::vector<CollectiveFacts> facts;
    std::vector<Lane> lanes;
    std::vector<Activity> activities;  ///< as they lie in the file
    std::vector<StreamWait> waits;
    std::int64_t passedOver = 0;  ///< activities with times or places that cannot be
};

/// Reads the file as a stream. `loaded` counts its bytes. Throws Error where it is no trace of the profiler, or ends
/// early, and Cancelled.
Profile readProfile(const std::filesystem::path& path, std::atomic<std::uint64_t>& loaded,
                    const engine::Progress& progress);

/// Whether the file begins as such a trace does.
bool looksLikeProfile(const std::filesystem::path& path);

}  // namespace traces::kineto
