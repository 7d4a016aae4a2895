// SPDX-License-Identifier: BSD-3-Clause
// The buffers of all GPUs: what is in each chunk, and whether those who use a chunk wait for each other.
#pragma once

#include "engine/schedule_files/msccl/postcondition.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine::schedules::msccl {

/// A step that used a chunk: thread blocks are counted through all GPUs.
struct Doer {
    std::int32_t block = -1;
    std::int32_t step = -1;
};

/// How many steps of each thread block are known to be done.
using Clock = std::vector<std::int32_t>;

struct Cell {
    std::int32_t content = -1;  ///< -1: nothing
    std::int32_t recipe = -1;
    Doer writer{};
    std::vector<Doer> readers{};  ///< since it was written, one a thread block
};

class Memory {
public:
    /// Throws Error, which begins with `file`, where there are more chunks than are followed.
    Memory(const File& msccl, const Promise& promise, std::string_view file);

    [[nodiscard]] Cell& at(std::int32_t gpu, Place place, std::int64_t chunk) {
        return cells_[asSize(index(gpu, place.buffer, place.first + chunk))];
    }
    /// The same for a place that the GPU may not have.
    [[nodiscard]] bool has(std::int32_t gpu, Place place, std::int64_t count) const {
        return place.first + count <= sizes_[asSize(gpu)][static_cast<std::size_t>(place.buffer)];
    }
    [[nodiscard]] bool isSame(std::int32_t gpu, Place a, Place b) const {
        return index(gpu, a.buffer, a.first) == index(gpu, b.buffer, b.first);
    }

private:
    [[nodiscard]] std::int64_t index(std::int32_t gpu, Buffer buffer, std::int64_t chunk) const;

    std::optional<Promise> inPlace_;
    std::vector<std::array<std::int64_t, buffers>> sizes_;  ///< as the file and the promise want them
    std::vector<std::array<std::int64_t, buffers>> begins_;
    std::vector<Cell> cells_;
};

/// Uses a chunk, at a time at which `clock` is known. Returns who used it before without being waited for.
std::optional<Doer> read(Cell& cell, Doer doer, const Clock& clock);
std::optional<Doer> write(Cell& cell, Doer doer, const Clock& clock);

}  // namespace engine::schedules::msccl
