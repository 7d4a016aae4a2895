// SPDX-License-Identifier: BSD-3-Clause
// What a GOAL text says, as LogGOPSim's txt2bin reads it: for each rank its operations, and which of them wait for
// which.
//
//   // problem: bcast n=2 sizes=1x10        ours: the problem that the messages solve, a comment to LogGOPSim
//   num_ranks 2
//   rank 0 {
//   l1: calc 100                            nanoseconds
//   l2: send 10b to 1 tag 3 cpu 0 nic 0
//   l2 requires l1                          waits until l1 is done; irequires: until it has begun
//   }
//   rank 1 {
//   recv 10b from 0 tag 3
//   }
#pragma once

#include "engine/problem/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::schedules::goal {

enum class Kind : std::uint8_t { send, receive, calculate };

struct Operation {
    Kind kind = Kind::calculate;
    Rank peer{};
    Bytes bytes = 0;
    std::int64_t tag = 0;
    std::int64_t duration = 0;   ///< of what it calculates, ns
    std::int32_t processor = 0;  ///< of its rank, that it takes
    std::int64_t line = 0;       ///< of the file, from 1
    // Places among the operations of its rank:
    std::vector<std::uint32_t> waitsFor{};
    std::vector<std::uint32_t> waitsForBegin{};  ///< until they have begun

    /// How many it waits for, and the `at`-th of them.
    [[nodiscard]] std::size_t waits() const { return waitsFor.size() + waitsForBegin.size(); }
    [[nodiscard]] std::uint32_t waited(std::size_t at) const {
        return at < waitsFor.size() ? waitsFor[at] : waitsForBegin[at - waitsFor.size()];
    }
};

struct File {
    std::vector<std::vector<Operation>> ranks{};  ///< in the order of the file
    std::optional<Problem> problem{};
    std::int64_t silent = 0;             ///< ranks that the file does not have
    std::vector<std::string> remarks{};  ///< what is said and a schedule cannot carry
};

/// Throws Error{"FILE:LINE: ..."}; `file` is what complaints call it.
File fileFrom(std::string_view content, std::string_view file);

}  // namespace engine::schedules::goal
