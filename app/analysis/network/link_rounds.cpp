// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/network/link_rounds.hpp"

#include "emulation/networks/link_counters.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

namespace {

constexpr std::size_t mostLinks = 256;
constexpr std::int32_t mostRounds = 1024;
constexpr std::size_t mostRouted = 1'000'000;  // messages followed over the network, link by link

}  // namespace

LinkRounds linkRoundsOf(const engine::Run& run, const emulation::Network* network,
                        const emulation::Congestion* congestion, const engine::Progress& progress) {
    LinkRounds found;
    if (network == nullptr) {
        found.unknown =
            "The network of the messages was not recorded. State it with --topology (in the window: Assume in Analysis).";
    } else if (network->links() == 0 || congestion == nullptr || congestion->perLink.empty()) {
        found.unknown = "On a fully connected network no messages share a link.";
    } else if (run.messages.size() > mostRouted) {
        found.unknown = engine::text(run.messages.size(),
                                     " messages are too many to follow over every link; the table "
                                     "of rounds names the busiest one of each.");
    }
    if (!found.unknown.empty()) return found;
    const std::vector<engine::Bytes>& totals = congestion->perLink;
    for (std::size_t link = 0; link < totals.size(); ++link)
        if (totals[link] > 0) found.links.push_back(engine::LinkId{static_cast<std::int32_t>(link)});
    found.used = static_cast<std::int64_t>(found.links.size());
    std::stable_sort(found.links.begin(), found.links.end(),
                     [&](engine::LinkId a, engine::LinkId b) { return totals[a.index()] > totals[b.index()]; });
    found.links.resize(std::min(found.links.size(), mostLinks));
    found.rounds = Bins{run.rounds, mostRounds};
    const auto columns = static_cast<std::size_t>(found.rounds.shown);
    found.loads.resize(found.links.size() * columns);
    emulation::eachRound(run, *network, [&](engine::Round round, const emulation::LinkCounters& counters) {
        progress.at(0.5);
        const auto column = static_cast<std::size_t>(found.rounds.binOf(round.value));
        for (std::size_t row = 0; row < found.links.size(); ++row) {
            engine::Bytes& load = found.loads[row * columns + column];
            load = std::max(load, counters[found.links[row]].bytes);
            found.largest = std::max(found.largest, load);
        }
    });
    return found;
}

}  // namespace app::analysis
