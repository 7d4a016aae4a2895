// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/traffic.hpp"

#include <algorithm>

namespace app::analysis {

Traffic trafficOf(const engine::Run& run, std::int32_t most, const engine::Progress& progress) {
    Traffic traffic;
    traffic.ranks = Bins{run.ranks, most};
    const auto side = static_cast<std::size_t>(traffic.ranks.shown);
    traffic.cells.resize(side * side);
    const engine::Messages& messages = run.messages;
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (i % (std::size_t{1} << 20) == 0) progress.at(0);
        const auto from = static_cast<std::size_t>(traffic.ranks.binOf(messages.from()[i].value));
        Traffic::Cell& cell =
            traffic.cells[from * side + static_cast<std::size_t>(traffic.ranks.binOf(messages.to()[i].value))];
        cell.bytes += messages.bytes()[i];
        ++cell.messages;
        traffic.largest = std::max(traffic.largest, cell.bytes);
    }
    return traffic;
}

}  // namespace app::analysis
