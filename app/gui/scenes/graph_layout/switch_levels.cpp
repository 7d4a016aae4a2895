// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/graph_layout/switch_levels.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace app::gui {
namespace {

using Nodes = std::vector<std::int32_t>;

constexpr int mostSweeps = 6;  // down and up again, to cross less

/// Who is linked with whom, whatever the direction.
class Cables {
public:
    explicit Cables(const emulation::Network& network) : hosts_{network.places()} {
        for (engine::LinkId link{0}; link.value < network.links(); ++link) {
            const auto [from, to] = network.ends(link);
            if (from == to) continue;
            for (const auto& [a, b] : {std::pair{from, to}, std::pair{to, from}}) {
                if (static_cast<std::size_t>(a) >= peers_.size()) peers_.resize(static_cast<std::size_t>(a) + 1);
                peers_[static_cast<std::size_t>(a)].push_back(b);
            }
        }
        peers_.resize(std::max(peers_.size(), static_cast<std::size_t>(hosts_)));
        for (Nodes& peers : peers_) {
            std::ranges::sort(peers);
            peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
        }
    }

    [[nodiscard]] const Nodes& of(std::int32_t node) const { return peers_[static_cast<std::size_t>(node)]; }
    [[nodiscard]] std::int32_t nodes() const { return static_cast<std::int32_t>(peers_.size()); }
    [[nodiscard]] std::int32_t hosts() const { return hosts_; }

private:
    std::int32_t hosts_;  // ranks and free places
    std::vector<Nodes> peers_;
};

/// The level of every node, ranks and free places on 0; empty where there are none.
Nodes heightsOf(const Cables& cables) {
    Nodes heights(static_cast<std::size_t>(cables.nodes()), -1);
    const auto heightOf = [&](std::int32_t node) -> std::int32_t& { return heights[static_cast<std::size_t>(node)]; };
    Nodes reached(static_cast<std::size_t>(cables.hosts()));
    std::iota(reached.begin(), reached.end(), 0);
    for (const std::int32_t rank : reached) heightOf(rank) = 0;
    for (const std::int32_t rank : reached)
        if (cables.of(rank).empty() || cables.of(rank).front() < cables.hosts()) return {};
    const auto peersAt = [&](std::int32_t node, std::int32_t height) {
        Nodes found;
        std::ranges::copy_if(cables.of(node), std::back_inserter(found),
                             [&](std::int32_t peer) { return heightOf(peer) == height; });
        return found;
    };
    Nodes below;
    for (std::int32_t height = 1; !reached.empty(); ++height) {
        Nodes found;
        for (const std::int32_t node : reached)
            for (const std::int32_t peer : cables.of(node))
                if (heightOf(peer) < 0) {
                    heightOf(peer) = height;
                    found.push_back(peer);
                }
        // A switch without ranks is found from above: it belongs to those that lead up to the same switches.
        std::set<Nodes> upwards;
        if (height > 2)
            for (const std::int32_t node : below) upwards.insert(peersAt(node, height - 1));
        Nodes hanging;
        const auto hangs = [&](std::int32_t node) {
            const Nodes lower = peersAt(node, height - 1);
            const bool ends = lower.size() == cables.of(node).size();
            return (ends || lower.size() > 1) && upwards.contains(lower);
        };
        std::ranges::copy_if(found, std::back_inserter(hanging), hangs);
        for (const std::int32_t node : hanging) heightOf(node) = height - 2;
        std::erase_if(found, [&](std::int32_t node) { return heightOf(node) != height; });
        for (std::size_t i = 0; i < hanging.size(); ++i) {
            const std::int32_t lower = heightOf(hanging[i]) - 1;
            for (const std::int32_t peer : cables.of(hanging[i]))
                if (heightOf(peer) < 0) {
                    heightOf(peer) = std::max(lower, 1);
                    hanging.push_back(peer);
                }
        }
        below = std::exchange(reached, std::move(found));
    }
    return std::ranges::find(heights, -1) == heights.end() ? heights : Nodes{};
}

/// Orders of the switches, level by level, and how much their links cross.
class Order {
public:
    Order(const Cables& cables, std::vector<Nodes> rows)
        : cables_{&cables},
          rows_{std::move(rows)},
          places_(static_cast<std::size_t>(cables.nodes()), -1),
          heights_(places_.size(), -1) {
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            for (const std::int32_t node : rows_[row])
                heights_[static_cast<std::size_t>(node)] = static_cast<std::int32_t>(row);
            number(row);
        }
    }

    /// Every level by the middle of what it is linked with below, then above, and so on; the best order of all.
    void untangle() {
        for (std::size_t row = 1; row < rows_.size(); ++row) sort(row, row - 1);
        std::vector<Nodes> best = rows_;
        std::int64_t least = crossings();
        for (int sweep = 0; sweep < mostSweeps && least > 0; ++sweep) {
            for (std::size_t row = rows_.size() - 1; row-- > 0;) sort(row, row + 1);
            for (std::size_t row = 1; row < rows_.size(); ++row) sort(row, row - 1);
            const std::int64_t now = crossings();
            if (now >= least) continue;
            least = now;
            best = rows_;
        }
        rows_ = std::move(best);
    }

    [[nodiscard]] std::int64_t crossings() const {
        std::int64_t sum = 0;
        for (std::size_t row = 1; row < rows_.size(); ++row) {
            // Places below in the order of the places above: each pair out of order is a crossing.
            std::vector<std::int64_t> seen(rows_[row - 1].size() + 1);  // a Fenwick tree of the links so far
            std::int64_t links = 0;
            for (const std::int32_t upper : rows_[row]) {
                const Nodes lower = placesAt(upper, row - 1);
                for (const std::int32_t place : lower) {
                    std::int64_t notRight = 0;
                    for (std::int32_t i = place + 1; i > 0; i -= i & -i) notRight += seen[static_cast<std::size_t>(i)];
                    sum += links - notRight;
                }
                for (const std::int32_t place : lower)
                    for (auto i = static_cast<std::size_t>(place) + 1; i < seen.size(); i += i & (~i + 1)) ++seen[i];
                links += static_cast<std::int64_t>(lower.size());
            }
        }
        return sum;
    }

    [[nodiscard]] const std::vector<Nodes>& rows() const { return rows_; }

private:
    void number(std::size_t row) {
        for (std::size_t place = 0; place < rows_[row].size(); ++place)
            places_[static_cast<std::size_t>(rows_[row][place])] = static_cast<std::int32_t>(place);
    }

    [[nodiscard]] Nodes placesAt(std::int32_t node, std::size_t row) const {
        Nodes found;
        for (const std::int32_t peer : cables_->of(node))
            if (heights_[static_cast<std::size_t>(peer)] == static_cast<std::int32_t>(row))
                found.push_back(places_[static_cast<std::size_t>(peer)]);
        return found;
    }

    /// Those that hang on nothing there stay last.
    void sort(std::size_t row, std::size_t by) {
        struct Middle {
            std::int64_t sum = 0;
            std::int64_t count = 0;
            std::int32_t node = 0;
        };
        std::vector<Middle> middles;
        for (const std::int32_t node : rows_[row]) {
            const Nodes there = placesAt(node, by);
            middles.push_back({std::accumulate(there.begin(), there.end(), std::int64_t{0}),
                               static_cast<std::int64_t>(there.size()), node});
        }
        std::ranges::stable_sort(middles, [](const Middle& a, const Middle& b) {
            if (a.count == 0 || b.count == 0) return a.count > b.count && b.count == 0;
            return a.sum * b.count < b.sum * a.count;
        });
        std::ranges::transform(middles, rows_[row].begin(), &Middle::node);
        number(row);
    }

    const Cables* cables_;
    std::vector<Nodes> rows_;
    Nodes places_;
    Nodes heights_;
};

/// Marks the first leaf of each group where the places are counted in groups, and the leaves of each are linked with
/// each other without crossing another group.
void markGroups(Levels& levels, const emulation::Network& network, const Cables& cables,
                const std::vector<std::int32_t>& places) {
    const std::vector<int> shape = network.shape();
    if (levels.strict || shape.size() < 3) return;
    const std::int64_t size = std::accumulate(shape.begin() + 1, shape.end(), std::int64_t{1}, std::multiplies<>{});
    std::vector<std::int64_t> groups(static_cast<std::size_t>(cables.nodes()), -1);
    for (const Levels::Leaf& leaf : levels.leaves)
        for (const std::int32_t rank : leaf.ranks) {
            const std::int64_t group = (places.empty() ? rank : places[static_cast<std::size_t>(rank)]) / size;
            std::int64_t& known = groups[static_cast<std::size_t>(leaf.node)];
            if (known >= 0 && known != group) return;
            known = group;
        }
    const auto groupOf = [&](std::int32_t node) { return groups[static_cast<std::size_t>(node)]; };
    std::vector<std::int32_t> firsts;
    for (std::size_t i = 0; i < levels.leaves.size(); ++i) {
        const std::int32_t node = levels.leaves[i].node;
        if (i > 0 && groupOf(node) == groupOf(levels.leaves[i - 1].node)) {
            if (std::ranges::none_of(cables.of(node),
                                     [&](std::int32_t peer) { return groupOf(peer) == groupOf(node); }))
                return;
        } else {
            firsts.push_back(static_cast<std::int32_t>(i));
        }
    }
    if (firsts.size() < 2 || firsts.size() == levels.leaves.size()) return;
    for (const std::int32_t first : firsts) levels.leaves[static_cast<std::size_t>(first)].opensGroup = true;
}

}  // namespace

Levels levelsOf(const emulation::Network& network, const std::vector<std::int32_t>& places) {
    const Cables cables{network};
    const Nodes heights = heightsOf(cables);
    Levels levels;
    if (heights.empty()) return levels;
    const auto heightOf = [&](std::int32_t node) { return heights[static_cast<std::size_t>(node)]; };
    std::vector<Nodes> rows(static_cast<std::size_t>(std::ranges::max(heights)));
    levels.strict = true;
    for (std::int32_t node = cables.hosts(); node < cables.nodes(); ++node) {
        rows[static_cast<std::size_t>(heightOf(node) - 1)].push_back(node);
        for (const std::int32_t peer : cables.of(node))
            levels.strict = levels.strict && std::abs(heightOf(peer) - heightOf(node)) == 1;
    }
    if (rows.empty() || std::ranges::any_of(rows, &Nodes::empty)) return {};
    // A rank with several switches stands below the first.
    std::vector<Nodes> hosts(static_cast<std::size_t>(cables.nodes()));
    for (std::int32_t rank = 0; rank < cables.hosts(); ++rank)
        hosts[static_cast<std::size_t>(cables.of(rank).front())].push_back(rank);
    const auto placeOf = [&](std::int32_t rank) {
        return places.empty() ? rank : places[static_cast<std::size_t>(rank)];
    };
    for (Nodes& ranks : hosts) std::ranges::sort(ranks, {}, placeOf);
    const auto firstOf = [&](std::int32_t node) {
        const Nodes& ranks = hosts[static_cast<std::size_t>(node)];
        return std::pair{ranks.empty(), ranks.empty() ? node : placeOf(ranks.front())};
    };
    std::ranges::sort(rows.front(), {}, firstOf);
    Order order{cables, std::move(rows)};
    order.untangle();
    levels.switches = order.rows();
    for (const std::int32_t node : levels.switches.front())
        levels.leaves.push_back({node, hosts[static_cast<std::size_t>(node)]});
    markGroups(levels, network, cables, places);
    return levels;
}

std::int64_t crossingsIn(const emulation::Network& network, const std::vector<std::vector<std::int32_t>>& switches) {
    return Order{Cables{network}, switches}.crossings();
}

}  // namespace app::gui
