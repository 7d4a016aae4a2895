// SPDX-License-Identifier: BSD-3-Clause
// What MSCCL's collectives promise, chunk by chunk. `k` is the chunks of one contribution (of a vector: all of them).
//
// | coll           | input of a GPU                | output of a GPU                       |
// |----------------|-------------------------------|---------------------------------------|
// | allgather      | k                             | n k: chunk c of gpu r at r k + c      |
// | alltoall       | n k: k for each gpu           | n k: k from each gpu                  |
// | broadcast      | root: k                       | k                                     |
// | gather         | k                             | root: n k                             |
// | scatter        | root: n k                     | gpu r: chunks r k ...                 |
// | allreduce      | k                             | k, each the sum of all gpus'          |
// | reduce         | k                             | root: k                               |
// | reduce_scatter | n k                           | gpu r: the sum of chunks r k ...      |
// | scan           | k                             | gpu r: the sum of those of 0..r       |
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule_files/msccl/msccl_file.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine::schedules::msccl {

/// Bytes of a chunk: files do not say how many.
inline constexpr Bytes chunkBytes = 1024;

/// A chunk of the input of a GPU.
struct Origin {
    std::int32_t gpu = 0;
    std::int64_t chunk = 0;

    friend bool operator==(const Origin&, const Origin&) = default;
};

/// One collective, with its root. All numbers are chunks.
class Promise {
public:
    Promise(Collective collective, std::int32_t gpus, std::int64_t each, std::int32_t root = 0)
        : collective_{collective}, gpus_{gpus}, each_{each}, root_{root} {}

    [[nodiscard]] Collective collective() const { return collective_; }
    [[nodiscard]] std::int32_t root() const { return root_; }

    [[nodiscard]] std::int64_t inputs(std::int32_t gpu) const;
    [[nodiscard]] std::int64_t outputs(std::int32_t gpu) const;
    /// Where chunk `chunk` of the output lies in the input of a GPU that has them in one place; for an allgather where
    /// that of the input lies in the output.
    [[nodiscard]] std::int64_t shared(std::int32_t gpu, std::int64_t chunk) const;
    /// Whose chunks, each once, must be in chunk `chunk` of the output: of GPUs first, first + 1, ..., last.
    struct Wanted {
        std::int32_t first = 0;
        std::int32_t last = 0;
        std::int64_t chunk = 0;
    };
    [[nodiscard]] Wanted wanted(std::int32_t gpu, std::int64_t chunk) const;

    /// The problem; chunks have chunkBytes.
    [[nodiscard]] Problem problem() const;
    /// Where a chunk of input lies on the byte line; nothing where no contribution holds it. Not for reductions, whose
    /// chunks lie in the vector as in the input.
    [[nodiscard]] std::optional<std::int64_t> onLine(Origin origin) const;

private:
    Collective collective_;
    std::int32_t gpus_;
    std::int64_t each_;
    std::int32_t root_;
};

/// What a file calls a collective; those without a name of their own are custom. Empty: MSCCL has none.
std::string_view wordFor(Collective collective);

/// What the file's collective may be: one promise for each root that it may have; of a "custom" one, all that its
/// buffers are large enough for. Throws Error, which begins with `file`.
std::vector<Promise> promisesOf(const File& msccl, std::string_view file);

}  // namespace engine::schedules::msccl
