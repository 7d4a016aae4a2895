// SPDX-License-Identifier: BSD-3-Clause
// Trees of switches that get thicker towards the root: extended generalised fat trees (Oehring et al. 1995).
//
// fat-tree:4x3,up=1x2: 4 ranks on a leaf switch, 3 leaf switches on a top switch; 1 way up from a rank, 2 from a leaf.
// A node of level l has one digit per level: those above l say which subtree it is in, those below which of its copies.
//
//   level 2          0         1              12 = ranks, leaf switches 12..14, top switches 15 and 16
//   level 1       0      1      2
//   ranks      0 1 2 3 4 5 6 7 8 9 10 11
//
// Routing: up to the lowest switch above both, by destination modulo the ways up (D-mod-K, Zahavi 2010), then the only
// way down. Messages to one rank meet early, messages to neighbours part early.
#include "emulation/networks/topology_arguments.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace emulation::kinds::of_fat_tree {
namespace {

class FatTree final : public Network {
public:
    /// `down[l]` children of a switch of level l+1, `up[l]` parents of a node of level l.
    FatTree(std::string name, std::vector<int> down, std::vector<int> up, std::int32_t ranks)
        : name_{std::move(name)}, ranks_{ranks} {
        std::int64_t places = 1;
        for (const int children : down) places *= children;
        __int128 links = 0;
        __int128 node = ranks;
        std::int64_t nodes = places;
        Level level;
        for (std::size_t l = 0; l <= down.size(); ++l) {
            level.firstLink = static_cast<std::int32_t>(links);
            level.firstNode = l == 0 ? 0 : static_cast<std::int32_t>(node);
            level.children = l == 0 ? 1 : down[l - 1];
            level.down = l == down.size() ? 1 : down[l];
            level.up = l == down.size() ? 0 : up[l];
            levels_.push_back(level);
            if (l > 0) node += nodes;
            if (l == down.size()) break;
            // Places without a rank have no links either.
            links += static_cast<__int128>(2) * (l == 0 ? ranks : nodes) * up[l];
            requireLinks(engine::text(engine::field::topology, " ", name_), std::max(links, node));
            level.copies *= up[l];
            level.subtree *= down[l];
            nodes = nodes / down[l] * up[l];
        }
        requireLinks(engine::text(engine::field::topology, " ", name_), node);
        links_ = static_cast<std::int32_t>(links);
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return links_; }

    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        std::int32_t at = from.value;  // place within its level
        std::size_t l = 0;
        const auto above = [&] { return at / levels_[l].copies == to.value / levels_[l].subtree; };
        for (; !above(); ++l) {
            const Level& level = levels_[l];
            const std::int32_t way = to.value / level.copies % level.up;
            out.push_back(LinkId{level.firstLink + 2 * (at * level.up + way)});
            at = parent(level, at, way);
        }
        for (; l > 0; --l) {
            const Level& below = levels_[l - 1];
            const std::int32_t way = at / below.copies % below.up;
            const std::int32_t child = to.value / below.subtree % below.down;
            at = at % below.copies + below.copies * (child + below.down * (at / (below.copies * below.up)));
            out.push_back(LinkId{below.firstLink + 2 * (at * below.up + way) + 1});
        }
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        const auto after = std::upper_bound(levels_.begin(), levels_.end() - 1, link.value,
                                            [](std::int32_t id, const Level& level) { return id < level.firstLink; });
        const Level& upper = *after;
        const Level& lower = *(after - 1);
        const std::int32_t pair = (link.value - lower.firstLink) / 2;
        const std::int32_t child = pair / lower.up;
        const std::int32_t a = lower.firstNode + child;
        const std::int32_t b = upper.firstNode + parent(lower, child, pair % lower.up);
        return (link.value - lower.firstLink) % 2 == 0 ? LinkEnds{a, b} : LinkEnds{b, a};
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(name_, [](Rank, Rank) { return false; });
    }

    [[nodiscard]] std::vector<int> shape() const override {
        std::vector<int> lengths;
        for (std::size_t l = levels_.size() - 1; l > 0; --l) lengths.push_back(levels_[l].children);
        return lengths;
    }

private:
    struct Level {
        std::int32_t firstLink = 0;  ///< of the links up from this level
        std::int32_t firstNode = 0;
        std::int32_t children = 1;  ///< of a node of this level
        std::int32_t down = 1;      ///< children of a parent of this level
        std::int32_t up = 1;        ///< parents of a node of this level
        std::int32_t copies = 1;    ///< nodes of this level above the same ranks
        std::int32_t subtree = 1;   ///< places below a node of this level
    };

    static std::int32_t parent(const Level& level, std::int32_t at, std::int32_t way) {
        return at % level.copies + level.copies * (way + level.up * (at / (level.copies * level.down)));
    }

    std::string name_;
    std::int32_t ranks_;
    std::int32_t links_ = 0;
    std::vector<Level> levels_;
};

/// One way up from a rank; from a switch as many as it has down, divided by the taper.
std::vector<int> tapered(const Arguments& arguments, const std::vector<int>& down, int taper) {
    std::vector<int> up{1};
    for (std::size_t l = 1; l < down.size(); ++l) {
        if (down[l - 1] % taper != 0)
            throw engine::Error{engine::text(arguments.where, ": a switch with ", down[l - 1],
                                             " links down cannot have ", taper,
                                             " times fewer up; choose a taper that divides ", down[l - 1])};
        up.push_back(down[l - 1] / taper);
    }
    return up;
}

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments = readArguments("fat-tree", words, 1, "fat-tree:16x16", {"taper", "up"});
    const std::vector<int> down =
        engine::readDimensions(arguments.sizes[0], engine::text(engine::field::topology, " fat-tree"));
    const auto ups = arguments.option("up");
    const auto taper = arguments.option("taper");
    if (ups && taper) throw engine::Error{arguments.where + ": up and taper set the same value; give one of them"};
    std::string name = "fat-tree:" + engine::showDimensions(down);
    std::vector<int> up;
    if (ups) {
        up = engine::readDimensions(*ups, engine::text(engine::field::topology, " fat-tree: up"));
        if (up.size() != down.size())
            throw engine::Error{
                engine::text(arguments.where, ": up has ", up.size(), " levels, but the tree has ", down.size())};
        name += ",up=" + engine::showDimensions(up);
    } else {
        const int factor = taper ? arguments.number(*taper) : 1;
        up = tapered(arguments, down, factor);
        if (factor > 1) name += engine::text(",taper=", factor);
    }
    std::int64_t places = 1;
    for (const int children : down) places *= children;
    std::vector<int> wider = down;
    wider.back() = static_cast<int>((ranks - 1) / (places / down.back()) + 1);
    ranks = requirePlaces(engine::text(engine::field::topology, " ", name), places, ranks, Fill::atMost,
                          "fat-tree:" + engine::showDimensions(wider));
    return std::make_shared<const FatTree>(std::move(name), down, std::move(up), ranks);
}

}  // namespace

Topology topology() {
    return {.name = "fat-tree",
            .usage = "fat-tree:AxB,taper=T",
            .meaning = "a tree of switches: A ranks on a leaf, B leaves, T times fewer links up than down",
            .make = make,
            .forRanks = [](std::int32_t ranks) { return squarest("fat-tree", ranks); }};
}

}  // namespace emulation::kinds::of_fat_tree
