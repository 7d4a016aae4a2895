// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/network/communication_matrix.hpp"

#include <algorithm>
#include <utility>

namespace app::analysis {
namespace {

/// What single ranks send to single ranks; where cells are of several ranks the messages are put in order for it.
void countPairs(Traffic& traffic, const engine::Messages& messages, const engine::Progress& progress) {
    if (!traffic.ranks.together()) {
        traffic.pairs = std::ranges::count_if(traffic.cells, [](const auto& cell) { return cell.messages > 0; });
        traffic.busiest = traffic.largest;
        return;
    }
    std::vector<std::pair<std::uint64_t, engine::Bytes>> sent;
    sent.reserve(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i)
        sent.emplace_back(static_cast<std::uint64_t>(messages.from()[i].value) << 32 |
                              static_cast<std::uint32_t>(messages.to()[i].value),
                          messages.bytes()[i]);
    progress.at(0.5);
    std::ranges::sort(sent);
    progress.at(0.9);
    for (std::size_t i = 0; i < sent.size(); ++traffic.pairs) {
        engine::Bytes bytes = 0;
        for (const std::uint64_t pair = sent[i].first; i < sent.size() && sent[i].first == pair; ++i)
            bytes += sent[i].second;
        traffic.busiest = std::max(traffic.busiest, bytes);
    }
}

}  // namespace

Traffic trafficOf(const engine::Run& run, std::int32_t most, const engine::Progress& progress) {
    Traffic traffic;
    traffic.ranks = evenBins(run.ranks, most);
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
    countPairs(traffic, messages, progress);
    return traffic;
}

}  // namespace app::analysis
