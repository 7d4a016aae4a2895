// SPDX-License-Identifier: BSD-3-Clause
// The transport of ranks that are threads of one process: receive slots in shared memory, each with a counter that says
// for which call it was last written.
#pragma once

#include "engine/live/splitphase/route.hpp"
#include "engine/live/splitphase/transport.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace engine::splitphase {

class Board {
public:
    /// Slots for all ranks of the plan.
    explicit Board(const Plan& plan);

    /// Uses the board, which must outlive it; one for each rank.
    std::unique_ptr<Transport> transportOf(Rank rank);

private:
    class OfRank;

    struct alignas(64) Slot {
        /// 2 (call + 1), and 1 more when data came: everything before is seen by who reads this.
        std::atomic<std::int64_t> note{0};
        std::vector<std::byte> data{};
    };
    [[nodiscard]] Slot& slot(Rank rank, std::int32_t index, std::int64_t call) {
        return slots_[asSize(first_[rank.index()] + index) * 2 + asSize(call % 2)];
    }

    std::vector<std::int32_t> first_;  // per rank, in slots_
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace engine::splitphase
