// SPDX-License-Identifier: BSD-3-Clause
#include "app/gui/scenes/graph_layout/rotational_symmetry.hpp"

#include <algorithm>

namespace app::gui {
namespace {

constexpr int mostSteps = 20'000;  // of the search, a millisecond or two

/// Fills cycle after cycle; a node comes next in one if it is joined to all others as a turn of the first one says.
class Search {
public:
    Search(const Graph& graph, std::int32_t order, std::optional<std::int32_t> hub)
        : graph_{&graph}, order_{static_cast<std::size_t>(order)}, used_(static_cast<std::size_t>(graph.nodes())) {
        found_.hub = hub;
        if (hub) used_[static_cast<std::size_t>(*hub)] = true;
    }

    [[nodiscard]] std::optional<Rotation> find() { return open() ? std::optional{found_} : std::nullopt; }

private:
    /// Begins the next cycle, where one is left to fill.
    bool open() {
        const auto free = std::ranges::find(used_, false);
        if (free == used_.end()) return true;
        found_.cycles.emplace_back();
        if (put(static_cast<std::int32_t>(free - used_.begin()))) return true;
        found_.cycles.pop_back();
        return false;
    }

    bool put(std::int32_t node) {
        if (++steps_ > mostSteps || !fits(node)) return false;
        std::vector<std::int32_t>& cycle = found_.cycles.back();
        cycle.push_back(node);
        used_[static_cast<std::size_t>(node)] = true;
        if (cycle.size() == order_ ? open() : goOn(node)) return true;
        used_[static_cast<std::size_t>(node)] = false;
        found_.cycles.back().pop_back();
        return false;
    }

    /// Neighbours first: where they can, links lie along the rim.
    bool goOn(std::int32_t last) {
        for (const std::int32_t next : graph_->near(last))
            if (!used_[static_cast<std::size_t>(next)] && put(next)) return true;
        for (std::int32_t next = 0; next < graph_->nodes(); ++next)
            if (!used_[static_cast<std::size_t>(next)] && !graph_->joined(last, next) && put(next)) return true;
        return false;
    }

    [[nodiscard]] bool fits(std::int32_t node) const {
        const std::vector<std::int32_t>& own = found_.cycles.back();
        if (own.empty()) return true;
        const std::int32_t first = own.front();
        const std::size_t turn = own.size();
        if (graph_->near(node).size() != graph_->near(first).size()) return false;
        if (found_.hub && graph_->joined(node, *found_.hub) != graph_->joined(first, *found_.hub)) return false;
        for (const std::vector<std::int32_t>& other : found_.cycles) {
            if (&other == &own) break;
            for (std::size_t i = 0; i < order_; ++i)
                if (graph_->joined(node, other[(i + turn) % order_]) != graph_->joined(first, other[i])) return false;
        }
        for (std::size_t i = 1; i < turn; ++i)
            if (graph_->joined(node, own[i]) != graph_->joined(first, own[turn - i])) return false;
        // Half way round the steps are those of the way back.
        return 2 * turn <= order_ || graph_->joined(node, first) == graph_->joined(first, own[order_ - turn]);
    }

    const Graph* graph_;
    std::size_t order_;
    std::vector<bool> used_;
    Rotation found_;
    int steps_ = 0;
};

}  // namespace

Graph::Graph(std::int32_t nodes, const std::vector<GraphEdge>& edges) : near_(static_cast<std::size_t>(nodes)) {
    for (const auto& [from, to] : edges)
        if (from != to) edges_.emplace_back(std::min(from, to), std::max(from, to));
    std::ranges::sort(edges_);
    edges_.erase(std::ranges::unique(edges_).begin(), edges_.end());
    for (const auto& [from, to] : edges_) {
        near_[static_cast<std::size_t>(from)].push_back(to);
        near_[static_cast<std::size_t>(to)].push_back(from);
    }
    for (std::vector<std::int32_t>& each : near_) std::ranges::sort(each);
}

bool Graph::joined(std::int32_t a, std::int32_t b) const { return std::ranges::binary_search(near(a), b); }

std::optional<Rotation> rotationOf(const Graph& graph, std::int32_t order) {
    if (order < 2 || order > graph.nodes()) return std::nullopt;
    if (graph.nodes() % order == 0) return Search{graph, order, std::nullopt}.find();
    if (graph.nodes() % order != 1) return std::nullopt;
    // What stays has links to all of a cycle or to none.
    for (std::int32_t hub = 0; hub < graph.nodes(); ++hub)
        if (static_cast<std::int32_t>(graph.near(hub).size()) % order == 0)
            if (auto found = Search{graph, order, hub}.find()) return found;
    return std::nullopt;
}

}  // namespace app::gui
