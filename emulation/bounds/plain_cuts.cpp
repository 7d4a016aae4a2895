// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/bounds/bound_searches.hpp"

#include <algorithm>
#include <numeric>

namespace emulation::bounds {
namespace {

constexpr std::int64_t mostSteps = std::int64_t{1} << 23;  // of all plain cuts together

std::vector<std::int32_t> ofRanks(const Asked& asked, const std::vector<std::int32_t>& ofNodes) {
    return {ofNodes.begin(), ofNodes.begin() + asked.capacities.ranks};
}

std::optional<NetworkBound> boundOf(engine::Bytes bytes, double speed) {
    if (bytes == 0 || speed == 0 || speed == Capacities::unlimited) return std::nullopt;
    return NetworkBound{.bytes = static_cast<double>(bytes), .speed = speed};
}

/// `best`, or a better cut between one of the groups and the rest.
NetworkBound betterOf(const Asked& asked, const std::vector<std::int32_t>& groupOf, NetworkBound best) {
    const Capacities& graph = asked.capacities;
    const std::int32_t groups = graph.nodes;
    const auto crossing = asked.demands.crossing(ofRanks(asked, groupOf), groups);
    const auto borders = graph.borders(groupOf, groups);
    std::int32_t of = -1;
    bool leaves = true;
    for (std::int32_t group = 0; group < groups; ++group)
        for (const bool leaving : {true, false}) {
            const auto& bytes = crossing[engine::asSize(group)];
            const auto& border = borders[engine::asSize(group)];
            const auto bound =
                boundOf(leaving ? bytes.leaving : bytes.entering, leaving ? border.leaving : border.entering);
            if (!bound || !bound->exceeds(best)) continue;
            best = *bound, of = group, leaves = leaving;
        }
    if (of < 0) return best;
    std::vector<bool> inside(engine::asSize(graph.nodes));
    for (std::size_t node = 0; node < inside.size(); ++node) inside[node] = (groupOf[node] == of) == leaves;
    return *boundOfCut(asked, inside);
}

/// Slabs of a grid in each of its dimensions, halves first.
NetworkBound bestSlab(const Asked& asked, NetworkBound best) {
    const Capacities& graph = asked.capacities;
    const std::vector<int> shape = asked.network.shape();
    const std::int64_t places = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies{});
    if (graph.nodes != graph.ranks || places != graph.ranks) return best;
    std::int64_t steps =
        mostSteps / (asked.demands.work() + graph.nodes + static_cast<std::int64_t>(graph.edges.size()));
    std::int64_t below = places;
    for (const int length : shape) {
        below /= length;
        for (int i = 0; i + 1 < length; ++i) {
            if (--steps < 0) return best;
            asked.check();
            const int wide = length / 2 + (i % 2 == 0 ? i / 2 : -(i + 1) / 2);
            if (wide < 1 || wide >= length) continue;
            std::vector<std::int32_t> groupOf(engine::asSize(graph.nodes));
            for (std::int64_t place = 0; place < places; ++place)
                groupOf[engine::asSize(place)] = place / below % length < wide ? 0 : 1;
            best = betterOf(asked, groupOf, std::move(best));
        }
    }
    return best;
}

}  // namespace

std::optional<NetworkBound> boundOfCut(const Asked& asked, const std::vector<bool>& inside) {
    std::vector<std::int32_t> groupOf(inside.size());
    for (std::size_t node = 0; node < inside.size(); ++node) groupOf[node] = inside[node] ? 0 : 1;
    auto bound = boundOf(asked.demands.crossing(ofRanks(asked, groupOf), 2).front().leaving,
                         asked.capacities.borders(groupOf, 2).front().leaving);
    if (!bound) return bound;
    bound->side.assign(inside.begin(), inside.end());
    bound->links = asked.capacities.linksLeaving(inside);
    return bound;
}

NetworkBound plainCuts(const Asked& asked, NetworkBound best) {
    for (const std::vector<std::int32_t>& level : asked.capacities.levels()) {
        asked.check();
        best = betterOf(asked, level, std::move(best));
    }
    return bestSlab(asked, std::move(best));
}

}  // namespace emulation::bounds
