// SPDX-License-Identifier: BSD-3-Clause
// What the programs of nccl-tests (all_reduce_perf, ...) print: times by size.
//
//   "# Collective test starting: all_reduce_perf"     since 2.17
//   "# nThread 1 nGpus 8 minBytes ..."                each run begins with it
//   "#  Rank  0 Group  0 Pid 100 on host device 0 [...]"    the group since 2.13
//   "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong"
//        out-of-place, then in-place; until 2.12 "error" for "#wrong", and "redop" and "root" only where they apply
//   sizes are those of the operation: of all_gather, reduce_scatter and alltoall all blocks together; times in us
// Source: NVIDIA/nccl-tests, src/common.cu and util.cu, doc/PERFORMANCE.md, 2.0.0 to 2.19.
#pragma once

#include "engine/base/types.hpp"
#include "engine/problem/problem.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace traces::nccl {

/// A program of nccl-tests, and the collective that it measures.
struct Program {
    /// Messages that follow one another when a ring of n ranks carries it out, and bytes of them where the size is m.
    enum class AsRing : std::uint8_t {
        none,       ///< no ring does
        once,       ///< n - 1, (n - 1) / n m
        twice,      ///< 2 (n - 1), 2 (n - 1) / n m
        pipelined,  ///< n - 1, m
        single      ///< 1, m
    };

    std::string_view name;
    std::optional<engine::Collective> collective;  ///< nothing of point-to-point transfers
    bool blocks = false;                           ///< its size is that of one block for each rank
    AsRing ring = AsRing::none;
};
inline constexpr std::array<Program, 9> programs{{
    {"all_reduce_perf", engine::Collective::allreduce, false, Program::AsRing::twice},
    {"all_gather_perf", engine::Collective::allgatherv, true, Program::AsRing::once},
    {"reduce_scatter_perf", engine::Collective::reduceScatter, false, Program::AsRing::once},
    {"broadcast_perf", engine::Collective::bcast, false, Program::AsRing::pipelined},
    {"reduce_perf", engine::Collective::reduce, false, Program::AsRing::pipelined},
    {"alltoall_perf", engine::Collective::alltoallv, true, Program::AsRing::once},
    {"gather_perf", engine::Collective::gatherv, true},
    {"scatter_perf", engine::Collective::scatterv, true},
    {"sendrecv_perf", std::nullopt, false, Program::AsRing::single},
}};

struct Result {
    engine::Bytes size = 0;
    std::optional<engine::Picoseconds> outOfPlace{};  ///< nothing where no time is printed
    std::optional<engine::Picoseconds> inPlace{};

    /// Out of place, where that was measured.
    [[nodiscard]] std::optional<engine::Picoseconds> time() const { return outOfPlace ? outOfPlace : inPlace; }
};

/// One run of a program.
struct Series {
    std::string program{};   ///< "all_reduce_perf"; empty where no line names it and bandwidths do not tell
    std::int32_t ranks = 0;  ///< of a communicator
    std::vector<Result> results{};
    std::int64_t wrong = 0;  ///< results left out, because a pass had wrong data

    /// "all_reduce_perf on 8 ranks".
    [[nodiscard]] std::string title() const;
};

/// Runs with at least one result, or one with wrong data. Throws Error where no result is left, where processes ran
/// side by side without each other, and where processor time was printed in place of time.
std::vector<Series> readResults(const std::filesystem::path& path);

}  // namespace traces::nccl
