// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/graph_layout/network_shape.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <numeric>
#include <utility>

namespace app::gui {
namespace {

constexpr std::int32_t mostDrawn = 4096;

/// Of all ranks and free places; empty where node n stands on place n.
std::vector<std::int32_t> placesIn(const emulation::Network& network) {
    std::vector<std::int32_t> places;
    for (std::int32_t node = 0; node < network.places(); ++node) places.push_back(network.placeOf(node));
    return std::ranges::is_sorted(places) ? std::vector<std::int32_t>{} : places;
}

std::int32_t nodeCount(const emulation::Network& network) {
    std::int32_t last = network.places() - 1;
    for (std::int32_t link = 0; link < network.links(); ++link) {
        const emulation::LinkEnds ends = network.ends(engine::LinkId{link});
        last = std::max({last, ends.from, ends.to});
    }
    return last + 1;
}

/// Tier by tier outwards from ranks and free places. Within a tier switches lie in the order of the middle of what
/// hangs on them.
std::vector<std::vector<std::int32_t>> tiersOf(const emulation::Network& network, const NetworkShape& print) {
    struct Node {
        std::int32_t tier = -1;
        double place = 0;  ///< sum over the neighbours of the tier before, then their mean
        std::int32_t below = 0;
    };
    std::vector<Node> nodes(static_cast<std::size_t>(print.nodes));
    for (std::int32_t host = 0; host < print.hosts; ++host)
        nodes[static_cast<std::size_t>(host)] = {0, static_cast<double>(print.placeOf(host)), 0};
    std::vector<std::vector<std::int32_t>> tiers;
    for (std::int32_t tier = 1;; ++tier) {
        std::vector<std::int32_t> found;
        for (std::int32_t link = 0; link < network.links(); ++link) {
            const emulation::LinkEnds ends = network.ends(engine::LinkId{link});
            const Node& lower = nodes[static_cast<std::size_t>(ends.from)];
            Node& upper = nodes[static_cast<std::size_t>(ends.to)];
            if (lower.tier != tier - 1 || (upper.tier >= 0 && upper.tier < tier)) continue;
            if (upper.tier < 0) found.push_back(ends.to);
            upper.tier = tier;
            upper.place += lower.place;
            ++upper.below;
        }
        if (found.empty()) return tiers;
        for (const std::int32_t node : found) {
            Node& upper = nodes[static_cast<std::size_t>(node)];
            upper.place /= upper.below;
        }
        std::sort(found.begin(), found.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair{nodes[static_cast<std::size_t>(a)].place, a} <
                   std::pair{nodes[static_cast<std::size_t>(b)].place, b};
        });
        tiers.push_back(std::move(found));
    }
}

/// Whether every link joins places side by side in one dimension, or its two ends: others would lie on top of these.
bool joinsNeighboursOnly(const emulation::Network& network, const std::vector<int>& lengths,
                         const NetworkShape& print) {
    for (engine::LinkId link{0}; link.value < network.links(); ++link) {
        const emulation::LinkEnds ends = network.ends(link);
        std::int32_t from = print.placeOf(ends.from);
        std::int32_t to = print.placeOf(ends.to);
        int crossed = 0;
        for (std::size_t d = lengths.size(); d-- > 0; from /= lengths[d], to /= lengths[d]) {
            const std::int32_t apart = std::abs(from % lengths[d] - to % lengths[d]);
            if (apart > 1 && apart < lengths[d] - 1) return false;
            crossed += apart > 0 ? 1 : 0;
        }
        if (crossed > 1) return false;
    }
    return true;
}

/// Of a ring, a chain or pairs: who is joined with whom; empty where a rank has more than two partners.
std::vector<std::pair<std::int32_t, std::int32_t>> partnersIn(const engine::Run& run) {
    std::vector<std::array<std::int32_t, 2>> partners(static_cast<std::size_t>(run.ranks), {-1, -1});
    const auto meets = [&](std::int32_t rank, std::int32_t other) {
        for (std::int32_t& partner : partners[static_cast<std::size_t>(rank)]) {
            if (partner < 0) partner = other;
            if (partner == other) return true;
        }
        return false;
    };
    for (std::size_t i = 0; i < run.messages.size(); ++i) {
        const std::int32_t from = run.messages.from()[i].value;
        const std::int32_t to = run.messages.to()[i].value;
        if (from != to && !(meets(from, to) && meets(to, from))) return {};
    }
    std::vector<std::pair<std::int32_t, std::int32_t>> bonds;
    for (std::int32_t rank = 0; rank < run.ranks; ++rank)
        for (const std::int32_t partner : partners[static_cast<std::size_t>(rank)])
            if (partner > rank) bonds.emplace_back(rank, partner);
    return bonds;
}

}  // namespace

NetworkShape::NetworkShape(const emulation::Network* network, const engine::Run& run, bool twoGroups)
    : ranks{run.ranks}, hosts{run.ranks}, nodes{run.ranks} {
    if (network == nullptr || network->links() == 0) {
        if (twoGroups) arrangement = Arrangement::facing;
        else form(run);
        shareMarks();
        return;
    }
    hosts = network->places();
    places = placesIn(*network);
    nodes = nodeCount(*network);
    if (nodes > hosts) {
        Levels levels = levelsOf(*network, places);
        const bool one = levels.switches.size() == 1 && levels.switches.front().size() == 1;
        arrangement = levels.strict && !one ? Arrangement::levels : Arrangement::tiers;
        leaves = std::move(levels.leaves);
        tiers = leaves.empty() ? tiersOf(*network, *this) : std::move(levels.switches);
        shareMarks();
        drawLines(*network);
        return;
    }
    std::vector<int> shape = network->shape();
    const auto product = std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>{});
    if (shape.size() > 1 && product == hosts && joinsNeighboursOnly(*network, shape, *this)) {
        arrangement = Arrangement::grid;
        lengths = std::move(shape);
    } else {
        drawFreely(*network);
    }
    shareMarks();
    drawLines(*network);
}

std::int32_t NetworkShape::layerOf(std::int32_t host, std::int32_t dimension) const {
    std::int32_t rest = placeOf(host);
    for (auto d = static_cast<std::int32_t>(lengths.size()) - 1; d > dimension; --d)
        rest /= lengths[static_cast<std::size_t>(d)];
    return rest % lengths[static_cast<std::size_t>(dimension)];
}

void NetworkShape::form(const engine::Run& run) {
    using Kind = analysis::LogicalTopology::Kind;
    formation = analysis::formationOf(run);
    switch (formation.kind) {
        case Kind::none: bonds = partnersIn(run); return;
        case Kind::groups: arrangement = Arrangement::groups; return;
        case Kind::tree:
            arrangement = Arrangement::tree;
            for (std::int32_t rank = 0; rank < ranks; ++rank)
                if (const std::int32_t parent = formation.parents[static_cast<std::size_t>(rank)]; parent >= 0)
                    bonds.emplace_back(parent, rank);
            return;
        case Kind::cube:
            arrangement = Arrangement::grid;
            for (std::int32_t bit = 1; bit < ranks; bit *= 2) {
                lengths.push_back(2);
                for (std::int32_t rank = 0; rank < ranks; ++rank)
                    if ((rank & bit) == 0) bonds.emplace_back(rank, rank | bit);
            }
            return;
    }
}

void NetworkShape::drawFreely(const emulation::Network& network) {
    std::vector<GraphEdge> edges;
    for (engine::LinkId link{0}; link.value < network.links(); ++link) {
        const emulation::LinkEnds ends = network.ends(link);
        edges.emplace_back(ends.from, ends.to);
    }
    std::vector<std::int32_t> circle;
    for (std::int32_t host = 0; host < hosts; ++host) circle.push_back(placeOf(host));
    graph = drawn(Graph{hosts, edges}, circle);
    if (!graph.spots.empty()) arrangement = Arrangement::drawn;
}

void NetworkShape::shareMarks() {
    if (hosts <= mostDrawn) return;
    if (arrangement != Arrangement::grid) {
        step = bundle = (hosts + mostDrawn - 1) / mostDrawn;
    } else {
        const auto marksWith = [&](int size) {
            std::int64_t product = 1;
            for (const int length : lengths) product *= (length + size - 1) / size;
            return product;
        };
        while (marksWith(step) > mostDrawn) ++step;
        for (const int length : lengths) bundle *= std::min(length, step);
    }
    // A mark is that of the host with the smallest number: of a rank, unless all its places are free.
    std::vector<std::int32_t> hostAt(static_cast<std::size_t>(hosts), -1);
    marks.reserve(hostAt.size());
    for (std::int32_t host = 0; host < hosts; ++host) {
        std::int32_t& mark = hostAt[static_cast<std::size_t>(cornerOf(placeOf(host)))];
        if (mark < 0) mark = host;
        marks.push_back(mark);
    }
}

std::int32_t NetworkShape::cornerOf(std::int32_t place) const {
    if (arrangement != Arrangement::grid) return place / step * step;
    std::int32_t corner = 0;
    std::int32_t weight = 1;
    for (std::size_t d = lengths.size(); d-- > 0;) {
        corner += place % lengths[d] / step * step * weight;
        weight *= lengths[d];
        place /= lengths[d];
    }
    return corner;
}

void NetworkShape::drawLines(const emulation::Network& network) {
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> known;
    for (std::int32_t link = 0; link < network.links(); ++link) {
        const emulation::LinkEnds ends = network.ends(engine::LinkId{link});
        const Line line{markOf(ends.from), markOf(ends.to), link};
        if (marks.empty()) {
            lines.push_back(line);
        } else if (line.from == line.to) {
            lineOf.push_back(-1);
        } else {
            const auto [at, fresh] = known.try_emplace({line.from, line.to}, static_cast<std::int32_t>(lines.size()));
            if (fresh) lines.push_back(line);
            lineOf.push_back(at->second);
        }
    }
}

}  // namespace app::gui
