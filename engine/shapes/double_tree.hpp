// SPDX-License-Identifier: BSD-3-Clause
// Two binary trees below node 0 over nodes 1..n such that nobody has more than two children in both together, and the
// rounds in which their edges are used.
//
// The first tree is in order over places 1..n: place x, 2^h times an odd number, is h above the leaves, which stand at
// odd places. The second is its mirror image for even n, and moved on by one place for odd n, so that an inner node of
// one is a leaf of the other. Six nodes, and the colours of the edges:
//
//   first tree:      0               second tree:      0
//                    | 0                               | 1
//                    4                                 3
//                 0/   \1                           0/   \1
//                2       6                         1       5
//              1/ \0   0/                           \1   1/ \0
//              1   3   5                             2   4   6
//
// A sender's edges have different colours, and so have the two edges to a receiver. In round t (from 0) those of colour
// t mod 2 are used: nobody sends, or receives, two messages in a round, and what is new to a node in one round reaches
// its children in the next two. Everyone has the first of both trees after 2 ceil(log2(n + 1)) rounds at the latest,
// one more where both trees are in order.
//
// Edges to one node, and from one node, form paths and even circles, so that two colours are enough.
// Source: Sanders, Speck, Traff 2009.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace engine::shapes {

/// The second tree for odd n: moved on, going round, which is the flattest; or such that what hangs below a node is a
/// run of its neighbours, as reductions that keep the order need it, with one level more for some n.
enum class SecondTree : std::uint8_t { flattest, inOrder };

/// Both trees, in O(n) numbers.
class DoubleTree {
public:
    /// A message of one round: through which tree, from or to whom; nobody: -1.
    struct Edge {
        std::int32_t peer = -1;
        std::int32_t tree = 0;
    };

    /// Nodes 0..nodes-1, nodes >= 1.
    DoubleTree(std::int32_t nodes, SecondTree second) : nodes_(asSize(nodes)) {
        const std::int32_t n = nodes - 1;
        if (n == 0) return;
        std::array<std::vector<std::int32_t>, 2> order;
        for (std::int32_t tree = 0; tree < 2; ++tree) {
            const Places places{n, tree == 0                        ? Order::straight
                                   : n % 2 == 0                     ? Order::mirrored
                                   : second == SecondTree::flattest ? Order::moved
                                                                    : Order::pushed};
            tops_[asSize(tree)] = places.nodeAt(places.top());
            hang(places, places.top(), 0, tree, order[asSize(tree)]);
        }
        for (std::int32_t tree = 0; tree < 2; ++tree)
            for (const std::int32_t v : order[asSize(tree)]) colour(v, tree);
        for (std::int32_t tree = 0; tree < 2; ++tree)
            for (const std::int32_t v : order[asSize(tree)]) arrive(v, tree);
    }

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(nodes_.size()); }
    [[nodiscard]] Edge sendOf(std::int32_t v, std::int64_t round) const {
        return nodes_[asSize(v)].out[asSize(round % 2)];
    }
    [[nodiscard]] Edge receiveOf(std::int32_t v, std::int64_t round) const {
        return nodes_[asSize(v)].in[asSize(round % 2)];
    }
    /// The round in which node v > 0 gets the first of what comes through a tree, when all goes on at once.
    [[nodiscard]] std::int32_t arrival(std::int32_t v, std::int32_t tree) const {
        return nodes_[asSize(v)].arrivals[asSize(tree)];
    }
    /// The rounds, as bits, in which the first of what comes through a tree moves on some edge.
    [[nodiscard]] std::uint64_t moving(std::int32_t tree) const { return moving_[asSize(tree)]; }
    /// Rounds until everyone has the first of both; 0 for one node.
    [[nodiscard]] std::int32_t latest() const { return latest_; }

private:
    enum class Order : std::uint8_t { straight, mirrored, moved, pushed };

    /// Which node stands where in a tree that is in order over places 1, 2, ...
    struct Places {
        std::int32_t n;
        Order order;

        /// The last place; pushed, nobody stands at the first one.
        [[nodiscard]] std::int32_t last() const { return order == Order::pushed ? n + 1 : n; }
        [[nodiscard]] std::int32_t top() const {
            std::int32_t top = 1;
            while (top <= last() / 2) top *= 2;
            return top;
        }
        [[nodiscard]] std::int32_t nodeAt(std::int32_t place) const {
            switch (order) {
                case Order::straight: return place;
                case Order::mirrored: return n + 1 - place;
                case Order::moved: return place < n ? place + 1 : 1;
                case Order::pushed: return place - 1;
            }
            return place;
        }
        /// The tops of what hangs below a place, before it and behind it; 0: nothing does.
        [[nodiscard]] std::array<std::int32_t, 2> below(std::int32_t place) const {
            std::int32_t step = (place & -place) / 2;
            const std::int32_t before = step == 0 || (order == Order::pushed && place - step == 1) ? 0 : place - step;
            while (step > 0 && place + step > last()) step /= 2;
            return {before, step == 0 ? 0 : place + step};
        }
    };

    struct Node {
        std::array<std::int32_t, 2> parents{-1, -1};   // by tree
        std::array<std::int32_t, 2> siblings{-1, -1};  // by tree: the other node that hangs there
        std::array<std::int32_t, 2> colours{-1, -1};   // by tree, of the edge from the parent
        std::array<std::int32_t, 2> arrivals{-1, -1};  // by tree
        std::array<Edge, 2> out{};                     // by colour
        std::array<Edge, 2> in{};                      // by colour
    };

    Node& at(std::int32_t v) { return nodes_[asSize(v)]; }

    void hang(const Places& places, std::int32_t place, std::int32_t parent, std::int32_t tree,
              std::vector<std::int32_t>& order) {
        const std::int32_t v = places.nodeAt(place);
        at(v).parents[asSize(tree)] = parent;
        order.push_back(v);
        const auto [before, behind] = places.below(place);
        for (const std::int32_t child : {before, behind})
            if (child > 0) hang(places, child, v, tree, order);
        if (before == 0 || behind == 0) return;
        at(places.nodeAt(before)).siblings[asSize(tree)] = places.nodeAt(behind);
        at(places.nodeAt(behind)).siblings[asSize(tree)] = places.nodeAt(before);
    }

    /// Gives the edge to v a colour, another one than its parent's has where that is free to choose, and then those
    /// that follow from it: in turn the other edge to the same node, and the other edge from the same node.
    void colour(std::int32_t v, std::int32_t tree) {
        if (at(v).colours[asSize(tree)] >= 0) return;
        const std::int32_t parent = at(v).parents[asSize(tree)];
        const std::int32_t above = parent == 0 ? 1 - tree : at(parent).colours[asSize(tree)];
        follow(v, tree, 1 - above, true);
        follow(v, tree, 1 - above, false);
    }
    /// One way along the path or circle of edges, beginning with the receiver's other edge or with the sender's.
    void follow(std::int32_t v, std::int32_t tree, std::int32_t colour, bool receiver) {
        for (bool first = true;; first = false) {
            if (!first && at(v).colours[asSize(tree)] >= 0) return;
            give(v, tree, colour);
            if (receiver) {
                tree = 1 - tree;
            } else {
                const auto [otherChild, otherTree] = otherFrom(v, tree);
                if (otherChild < 0) return;
                v = otherChild;
                tree = otherTree;
            }
            colour = 1 - colour;
            receiver = !receiver;
        }
    }
    /// The other edge from the sender of the edge to v: to whom, and in which tree.
    [[nodiscard]] Edge otherFrom(std::int32_t v, std::int32_t tree) {
        if (at(v).parents[asSize(tree)] > 0) return {at(v).siblings[asSize(tree)], tree};
        return {tops_[asSize(1 - tree)], 1 - tree};
    }
    void give(std::int32_t v, std::int32_t tree, std::int32_t colour) {
        const std::int32_t parent = at(v).parents[asSize(tree)];
        at(v).colours[asSize(tree)] = colour;
        at(v).in[asSize(colour)] = {parent, tree};
        at(parent).out[asSize(colour)] = {v, tree};
    }
    /// Parents come before their children.
    void arrive(std::int32_t v, std::int32_t tree) {
        const std::int32_t parent = at(v).parents[asSize(tree)];
        const std::int32_t next = (parent == 0 ? -1 : at(parent).arrivals[asSize(tree)]) + 1;
        const std::int32_t wait = next % 2 == at(v).colours[asSize(tree)] ? 0 : 1;
        at(v).arrivals[asSize(tree)] = next + wait;
        moving_[asSize(tree)] |= std::uint64_t{1} << (next + wait);
        latest_ = std::max(latest_, next + wait + 1);
    }

    std::vector<Node> nodes_;
    std::array<std::int32_t, 2> tops_{};
    std::array<std::uint64_t, 2> moving_{};
    std::int32_t latest_ = 0;
};

}  // namespace engine::shapes
