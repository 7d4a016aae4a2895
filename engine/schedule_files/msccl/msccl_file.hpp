// SPDX-License-Identifier: BSD-3-Clause
// What a file of MSCCL says, as msccl-tools writes it: for each GPU its thread blocks, for each thread block its steps,
// which are done one after the other.
//
// | type             | a step of a thread block                                                          |
// |------------------|-----------------------------------------------------------------------------------|
// | s                | sends the source to the thread block's receiver                                   |
// | r                | receives into the target                                                          |
// | rcs              | receives into the target, and sends that on                                       |
// | rrc, rrcs        | combines what it receives with what the target holds, there; rrcs sends that on   |
// | rrs              | sends on what it receives combined with what the target holds, and stores nothing |
// | re               | combines the source into the target                                               |
// | cpy              | copies the source to the target                                                   |
// | nop              | only waits                                                                        |
//
// Any step may wait until step `deps` of thread block `depid` of its own GPU is done, which says so (hasdep).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::msccl {

/// Input, output and scratch of a GPU, each a number of chunks of one size; "i", "o" and "s" in files.
enum class Buffer : std::uint8_t { input, output, scratch };
inline constexpr std::size_t buffers = 3;
inline constexpr std::string_view bufferLetters = "ios";

enum class Kind : std::uint8_t {
    send,
    receive,
    receiveCopySend,
    receiveReduceCopy,
    receiveReduceSend,
    receiveReduceCopySend,
    reduce,
    copy,
    nothing,
};

constexpr bool receives(Kind kind) { return kind >= Kind::receive && kind <= Kind::receiveReduceCopySend; }
constexpr bool sends(Kind kind) {
    return kind == Kind::send || kind == Kind::receiveCopySend || kind == Kind::receiveReduceSend ||
           kind == Kind::receiveReduceCopySend;
}
constexpr bool reduces(Kind kind) { return kind >= Kind::receiveReduceCopy && kind <= Kind::reduce; }
/// Whether what a step receives, reads or makes ends in its target.
constexpr bool writes(Kind kind) {
    return kind != Kind::send && kind != Kind::receiveReduceSend && kind != Kind::nothing;
}

/// The first of a run of chunks.
struct Place {
    Buffer buffer = Buffer::input;
    std::int64_t first = 0;
};

struct Step {
    Kind kind = Kind::nothing;
    Place source{};
    Place target{};
    std::int64_t count = 0;      ///< chunks
    std::int32_t waitsFor = -1;  ///< place of a thread block of this GPU; -1: none
    std::int64_t itsStep = -1;
    bool tells = true;  ///< others may wait for it
};

struct ThreadBlock {
    std::int32_t id = 0;
    std::int32_t sendsTo = -1;
    std::int32_t receivesFrom = -1;
    std::int32_t channel = 0;
    std::vector<Step> steps{};
};

struct Gpu {
    std::array<std::int64_t, buffers> chunks{};
    std::vector<ThreadBlock> blocks{};
};

struct File {
    std::string name{};
    std::string collective{};
    std::int64_t loop = 0;  ///< chunks of the larger of a GPU's input and output; 0: the file does not say
    bool inPlace = false;
    std::vector<Gpu> gpus{};
    std::vector<std::string> remarks{};  ///< what was missing and is assumed
};

/// Reads the XML, up to 16 MiB of it. Throws Error{"FILE:LINE: ..."} for what is no XML, and Error{"FILE: gpu 2, thread
/// block 0, step 3: ..."}; `file` is what complaints call it.
File fileFrom(std::string_view content, std::string_view file);

/// "gpu 2, thread block 0, step 3".
std::string stepName(std::size_t gpu, std::int32_t block, std::size_t step);

}  // namespace engine::schedules::msccl
