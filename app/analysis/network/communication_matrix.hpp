// SPDX-License-Identifier: BSD-3-Clause
// Who sent how much to whom: the communication matrix of any run.
#pragma once

#include "app/analysis/containers/bins.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <vector>

namespace app::analysis {

/// Of many ranks neighbours are taken together.
struct Traffic {
    struct Cell {
        engine::Bytes bytes = 0;
        std::int64_t messages = 0;
    };
    Bins ranks;
    std::vector<Cell> cells;    ///< sender's bin x receiver's bin
    engine::Bytes largest = 0;  ///< of a cell
    std::int64_t pairs = 0;     ///< of ranks, sender and receiver, that exchange messages
    engine::Bytes busiest = 0;  ///< bytes from one rank to one other, the most

    [[nodiscard]] const Cell& at(std::int32_t from, std::int32_t to) const {
        return cells[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks.shown) +
                     static_cast<std::size_t>(to)];
    }
};

/// The kept messages of `run` in at most `most` x `most` cells. Throws Cancelled.
Traffic trafficOf(const engine::Run& run, std::int32_t most, const engine::Progress& progress = {});

}  // namespace app::analysis
