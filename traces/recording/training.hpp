// SPDX-License-Identifier: BSD-3-Clause
// What recordings of training jobs hold beyond those of MPI programs: ranks that drive accelerators, of which kernels,
// collectives and copies were recorded by stream.
//
//   locations     the own location of a rank is the stream on which it computes most; without an accelerator, the
//                 thread with the most events. Other streams and threads follow.
//   collectives   a participant enters when its kernel starts, and leaves when that ends
//   markers       one per step and rank: what the profiler calls ProfilerStep#7, with the text "7"; and of each
//                 collective that a kernel waits for (awaitedGroup)
//   algorithms    what ran a collective (Ran)
#pragma once

#include "traces/recording/recording.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace traces {

/// The property of a recording that says which tool traced the training job.
inline constexpr auto trainingSource = "COLLSCOPE_TRAINING::SOURCE";

inline bool isTraining(const Recording& recording) { return recording.properties.count(trainingSource) != 0; }

/// The source of jobs that were not measured: their times follow from durations and dependences.
inline constexpr std::string_view chakraSource = "Chakra";
inline bool isOfChakra(const Recording& recording) {
    const auto source = recording.properties.find(trainingSource);
    return source != recording.properties.end() && source->second == chakraSource;
}

/// How the name of a process group begins whose members were not recorded: all ranks stand for them.
inline constexpr std::string_view unknownGroup = "unknown process group";
inline bool isKnown(const Communicator& group) { return !group.name.starts_with(unknownGroup); }

/// The group and the category of markers that mark steps.
inline constexpr std::string_view stepGroup = "PyTorch profiler", stepCategory = "step";

/// The group of markers at a collective's stream, from its end to the start of the kernel that waits for it; there are
/// some where the profiler recorded the waits of streams.
inline constexpr std::string_view awaitedGroup = "kernels that wait for a collective";

/// What ran a collective, as far as its kernel's name and its metadata tell.
struct Ran {
    std::string algorithm;    ///< "RING", "TREE", "NVLS"; empty where not recorded
    std::string protocol;     ///< "LL", "LL128", "SIMPLE"; empty where not recorded
    std::string elementType;  ///< "Float", as PyTorch names it; empty where not recorded

    /// "RING, LL, Float"; "-" stands for what is not recorded.
    [[nodiscard]] std::string words() const;
    /// The inverse of `words`.
    static Ran from(std::string_view words);

    friend bool operator==(const Ran&, const Ran&) = default;
};

/// "all_reduce": as PyTorch calls the operation.
std::string_view torchName(Operation operation);
/// Likewise of an operation as the catalogue calls it: "allreduce"; of other words these.
std::string torchName(const std::string& called);

/// How much data one rank handles in nccl-tests' sense, and the factor from algorithm to bus bandwidth.
/// Source: NVIDIA/nccl-tests, doc/PERFORMANCE.md.
struct BusTraffic {
    Bytes size = 0;     ///< the size of the operation: for all_gather and reduce_scatter the whole vector
    double factor = 1;  ///< bus bandwidth / algorithm bandwidth; all_reduce of n ranks: 2 (n - 1) / n
};
/// Nothing where the operation has no such definition, or sizes are unknown.
std::optional<BusTraffic> busTraffic(Operation operation, std::int32_t ranks, Bytes sent, Bytes received);

}  // namespace traces
