// SPDX-License-Identifier: BSD-3-Clause
// Networks that nobody would build: random graphs of ranks and switches with links of all speeds.
#pragma once

#include "emulation/networks/network.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <random>

namespace support {

/// A graph that is given link by link. Messages take a way with the fewest links.
class DrawnNetwork final : public emulation::Network {
public:
    struct Link {
        emulation::LinkEnds ends;
        engine::Rate beta;
        engine::Picoseconds latency{};
    };

    DrawnNetwork(std::int32_t ranks, std::int32_t nodes, std::vector<Link> links)
        : ranks_{ranks}, nodes_{nodes}, links_{std::move(links)} {}

    [[nodiscard]] std::string name() const override { return "drawn"; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return static_cast<std::int32_t>(links_.size()); }
    [[nodiscard]] std::int32_t nodes() const { return nodes_; }
    [[nodiscard]] emulation::LinkEnds ends(emulation::LinkId link) const override { return links_[link.index()].ends; }
    [[nodiscard]] std::optional<emulation::LinkQuality> quality(emulation::LinkId link) const override {
        return emulation::LinkQuality{links_[link.index()].latency, links_[link.index()].beta};
    }
    [[nodiscard]] engine::Wiring wiring() const override { return engine::Wiring::any(); }

    void route(engine::Rank from, engine::Rank to, std::vector<emulation::LinkId>& out) const override {
        if (from == to) return;
        std::vector<std::int32_t> by(engine::asSize(nodes_), -1);
        std::deque<std::int32_t> line{from.value};
        while (!line.empty() && by[to.index()] < 0) {
            const std::int32_t node = line.front();
            line.pop_front();
            for (std::int32_t link = 0; link < links(); ++link) {
                const emulation::LinkEnds of = links_[engine::asSize(link)].ends;
                if (of.from != node || of.to == from.value || by[engine::asSize(of.to)] >= 0) continue;
                by[engine::asSize(of.to)] = link;
                line.push_back(of.to);
            }
        }
        const auto first = static_cast<std::ptrdiff_t>(out.size());
        for (std::int32_t node = to.value; node != from.value; node = links_[out.back().index()].ends.from)
            out.emplace_back(by[engine::asSize(node)]);
        std::reverse(out.begin() + first, out.end());
    }

private:
    std::int32_t ranks_;
    std::int32_t nodes_;
    std::vector<Link> links_;
};

/// `ranks` ranks and up to `switches` switches, all joined by a tree of cables, with a few cables more. Every cable has
/// a speed of its own; some are faster one way than the other.
inline DrawnNetwork randomNetwork(std::mt19937& random, std::int32_t ranks, std::int32_t switches) {
    const std::int32_t nodes = ranks + static_cast<std::int32_t>(random() % (engine::asSize(switches) + 1));
    std::vector<DrawnNetwork::Link> links;
    const auto join = [&](std::int32_t a, std::int32_t b) {
        constexpr std::array<std::int64_t, 5> rates{1000, 2000, 3000, 5000, 10000};
        const engine::Rate there{rates[random() % rates.size()]};
        const engine::Rate back = random() % 5 == 0 ? engine::Rate{rates[random() % rates.size()]} : there;
        const engine::Picoseconds latency{random() % 3 == 0 ? random() % 200 : 0};
        links.push_back({{a, b}, there, latency});
        links.push_back({{b, a}, back, latency});
    };
    std::vector<std::int32_t> order(engine::asSize(nodes));
    for (std::int32_t node = 0; node < nodes; ++node) order[engine::asSize(node)] = node;
    std::shuffle(order.begin(), order.end(), random);
    for (std::size_t i = 1; i < order.size(); ++i) join(order[i], order[random() % i]);
    for (std::size_t more = random() % order.size(); more > 0; --more) {
        const auto a = static_cast<std::int32_t>(random() % order.size());
        const auto b = static_cast<std::int32_t>(random() % order.size());
        if (a != b) join(a, b);
    }
    return {ranks, nodes, std::move(links)};
}

}  // namespace support
