// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/critical_path/serial_chain.hpp"

#include "app/analysis/format/cell_format.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace app::analysis {

using engine::Picoseconds;
using engine::Rank;
using engine::text;

std::optional<SerialChain> serialChainOf(std::span<const PathStep> path, std::int32_t worldRanks) {
    std::map<std::pair<bool, std::vector<Rank>>, SerialChain> chains;
    std::vector<Rank> ranks;  // of the piece so far
    bool isByLock = true;     // so far
    Picoseconds begin{}, computation{}, all{};
    const auto cut = [&] {
        if (ranks.size() > 1) {
            if (isByLock) std::ranges::sort(ranks);
            SerialChain& its = chains[{isByLock, ranks}];
            if (its.times++ == 0) its.ranks = ranks, its.begin = begin, its.isByLock = isByLock;
            its.computation += computation;
        }
        ranks.clear();
        isByLock = true;
        computation = {};
    };
    for (const PathStep& step : path) {
        if (step.isMessage) continue;
        if (step.instance != Wait::none) {
            cut();
            continue;
        }
        const Picoseconds time = step.end - step.begin;
        all += time;
        if (ranks.empty() || ranks.back() != step.rank) {
            if (std::ranges::find(ranks, step.rank) != ranks.end()) cut();
            if (ranks.empty()) begin = step.begin;
            else isByLock = isByLock && step.isAfterLock;
            ranks.push_back(step.rank);
        }
        computation += time;
    }
    cut();
    const auto most = std::ranges::max_element(chains, {}, [](const auto& one) { return one.second.computation; });
    if (most == chains.end() || 2 * most->second.computation < all ||
        2 * most->second.ranks.size() <= engine::asSize(worldRanks))
        return std::nullopt;
    // Two or three ranks that follow each other once are no pattern.
    constexpr std::size_t fewestOnce = 4;
    if (most->second.times < 2 && most->second.ranks.size() < fewestOnce) return std::nullopt;
    return most->second;
}

std::string inWords(const SerialChain& chain) {
    constexpr std::size_t mostNamed = 8;
    std::vector<std::string> names;
    for (const Rank rank : chain.ranks) names.push_back(text(rank));
    std::string words;
    if (names.size() > mostNamed)
        words = text(names.size(), " ranks, from rank ", names[0], " over ", names[1], " and ", names[2], " to rank ",
                     names.back(), ",");
    else words = text("ranks ", listed(names));
    words += chain.isByLock ? " hold the lock of a window one after the other" : " compute one after the other";
    if (chain.times > 1) words += text(", ", chain.times, " times, first");
    return text(words, " from ", engine::showTime(chain.begin, engine::ofPoints), " on");
}

}  // namespace app::analysis
