// SPDX-License-Identifier: BSD-3-Clause
// An execution plan of MSCCL++ (json): for each GPU its thread blocks, for each thread block its operations, which are
// done one after the other. Unlike MSCCL's steps they write to the memory of other GPUs, and read it.
// Plans in the format before 2025, in which channels belong to two buffers, are read as well.
//
// | name               | an operation                                                                            |
// |--------------------|-----------------------------------------------------------------------------------------|
// | copy, put, get     | copies each source to its target, where put's targets and get's sources are remote      |
// | pws, pwsf          | put, then signal                                                                        |
// | re, res            | combines its sources into all its targets; res has remote targets                       |
// | rre, rres          | the same, with remote sources                                                           |
// | glre, glres, gstore| the same through a switch: a source, or target, on each GPU of a group                  |
// | signal, wait       | tells the peers of its channels; waits until they have told. rlxsignal, rlxwait as well |
// | barrier            | waits until so many thread blocks of the GPU are there                                  |
// | sem_release, -acquire | adds to semaphores of the GPU; waits until they are not 0, and takes from them       |
// | ppkt, rppkt, upkt, cpkt, repkt, respkt, recpkt, recspkt, gstorepkt | the same with packets: whoever reads one   |
// |                    | waits until it is there                                                                 |
// | nop, flush         | nothing that a schedule shows                                                           |
// | pipeline           | its operations, repeated over parts of the chunks: they are read once, for whole chunks |
#pragma once

#include "engine/schedule_files/msccl/msccl_file.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::msccl {

/// A run of chunks of one buffer of one GPU.
struct Run {
    std::int32_t gpu = 0;
    Place place{};
    std::int64_t count = 0;
    bool packets = false;  ///< each chunk comes with a flag, for which readers wait
};

/// One end of a channel. The channels of two GPUs in their order belong together.
struct ChannelEnd {
    std::int32_t peer = 0;
    std::int32_t number = 0;  ///< among the channels of its type to this peer
    bool port = false;        ///< type "port", else "memory"
};

enum class Effect : std::uint8_t { nothing, move, reduce, signal, wait, barrier, acquire, release };

struct PlanOperation {
    std::string name{};
    Effect effect = Effect::nothing;
    std::vector<Run> sources{};  ///< of a move one for each target, or one for all
    std::vector<Run> targets{};
    std::vector<ChannelEnd> channels{};   ///< of signal and wait, and of moves that signal afterwards
    std::vector<std::int32_t> numbers{};  ///< of semaphores, or of the barrier
    std::int32_t blocks = 0;              ///< that meet at the barrier
};

struct PlanBlock {
    std::int32_t id = 0;
    std::vector<PlanOperation> operations{};
};

struct PlanGpu {
    std::vector<PlanBlock> blocks{};
    std::vector<std::int64_t> semaphores{};  ///< their values at first
};

struct Plan {
    File file{};  ///< buffers and collective, as in a file of MSCCL; without thread blocks
    std::vector<PlanGpu> gpus{};
};

/// Whether the json is such a plan.
bool isPlan(std::string_view content);

/// Chunks are cut into as many as thread blocks share. Throws Error{"FILE:LINE: ..."} for what is no json, and
/// Error{"FILE: gpu 2, thread block 0, operation 3: ..."}; `file` is what complaints call it.
Plan planFrom(std::string_view content, std::string_view file);

/// "gpu 2, thread block 0, operation 3".
std::string operationName(std::size_t gpu, std::int32_t block, std::size_t operation);

}  // namespace engine::schedules::msccl
