// SPDX-License-Identifier: BSD-3-Clause
// Within a node every pair of ranks has a link of its own (shared memory); between nodes messages share the network
// cards of both nodes, and what lies between these.
//
//   cluster:2, 4 ranks:   0 <=> 1   2 <=> 3        in a node, "inside" quality
//                          \   /     \   /         to and from the card, free
//                          card      card
//                             \      /             card to core and back, "between" quality
//                               core               with cores=: each card to its place of the network, and its links
//
// The startups of "inside" and "between" stand in place of the model's. With nics=k a node has k cards. With ports=k
// instead, a card takes one message at a time each way: the port rule of Träff et al. 2010, section 2.2.
#include "emulation/networks/smp_nodes.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace emulation {
namespace {

class SmpNodes final : public Network {
public:
    SmpNodes(std::string name, NodeSizes sizes, NodeCosts costs, NetworkPtr between)
        : name_{std::move(name)},
          sizes_{std::move(sizes)},
          costs_{costs},
          between_{std::move(between)},
          ranks_{sizes_.first(sizes_.nodes())} {
        __int128 links = 0;
        for (std::int32_t node = 0; node < sizes_.nodes(); ++node) {
            firstInside_.push_back(static_cast<std::int32_t>(std::min<__int128>(links, INT32_MAX)));
            links += static_cast<__int128>(sizes_.members(node)) * (sizes_.members(node) - 1);
        }
        const __int128 inside = links;
        links += static_cast<__int128>(2) * ranks_ + static_cast<__int128>(sizes_.nodes()) * 2 * costs_.cards;
        const __int128 ofCards = links;
        if (between_) links += between_->links();
        requireLinks(engine::text(engine::field::topology, " ", name_), links + ranks_);
        firstInside_.push_back(static_cast<std::int32_t>(inside));
        firstToCore_ = firstToCard() + 2 * ranks_;
        firstBetween_ = static_cast<std::int32_t>(ofCards);
        links_ = static_cast<std::int32_t>(links);
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return links_; }

    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        if (from == to) return;
        const std::int32_t node = sizes_.of(from.value);
        const std::int32_t there = sizes_.of(to.value);
        if (there == node) {
            const std::int32_t self = from.value - sizes_.first(node);
            const std::int32_t peer = to.value - sizes_.first(node);
            const std::int32_t first = firstInside_[engine::asSize(node)] + self * (sizes_.members(node) - 1);
            out.push_back(LinkId{first + (peer < self ? peer : peer - 1)});
            return;
        }
        out.push_back(LinkId{firstToCard() + 2 * from.value});
        out.push_back(LinkId{firstToCore_ + 2 * card(from.value)});
        if (between_) {
            const std::size_t before = out.size();
            between_->route(Rank{node}, Rank{there}, out);
            for (std::size_t i = before; i < out.size(); ++i) out[i] = out[i] + firstBetween_;
        }
        out.push_back(LinkId{firstToCore_ + 2 * card(to.value) + 1});
        out.push_back(LinkId{firstToCard() + 2 * to.value + 1});
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        if (link.value < firstToCard()) return endsInside(link.value);
        if (link.value >= firstBetween_) {
            const LinkEnds there = between_->ends(link - firstBetween_);
            return {core(there.from), core(there.to)};
        }
        const std::int32_t side = (link.value - firstToCard()) % 2;
        LinkEnds ends;
        if (link.value < firstToCore_) {
            const std::int32_t rank = (link.value - firstToCard()) / 2;
            ends = {rank, nodeOfCard(card(rank))};
        } else {
            const std::int32_t card = (link.value - firstToCore_) / 2;
            ends = {nodeOfCard(card), core(card / costs_.cards)};
        }
        return side == 0 ? ends : LinkEnds{ends.to, ends.from};
    }

    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override {
        if (link.value >= firstBetween_) return between_->quality(link - firstBetween_);
        const bool inside = link.value < firstToCard();
        if (!inside && link.value < firstToCore_) return LinkQuality{};
        const auto& given = inside ? costs_.inside : costs_.between;
        return given ? std::optional{LinkQuality{{}, given->beta}} : std::nullopt;
    }
    [[nodiscard]] std::optional<engine::Picoseconds> startup(Rank from, Rank to) const override {
        const std::int32_t node = sizes_.of(from.value);
        const std::int32_t there = sizes_.of(to.value);
        const auto& given = node == there ? costs_.inside : costs_.between;
        if (given) return given->latency;
        return node != there && between_ ? between_->startup(Rank{node}, Rank{there}) : std::nullopt;
    }
    [[nodiscard]] bool oneAtATime(LinkId link) const override {
        if (link.value >= firstBetween_) return between_->oneAtATime(link - firstBetween_);
        return costs_.takeTurns && link.value >= firstToCore_;
    }
    [[nodiscard]] LinkQuality least(LinkQuality ofModel) const override {
        const LinkQuality inside = costs_.inside.value_or(ofModel);
        const LinkQuality between = costs_.between.value_or(ofModel);
        return {std::min(inside.latency, between.latency), std::min(inside.beta, between.beta)};
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(
            name_, [sizes = sizes_](Rank a, Rank b) { return a != b && sizes.of(a.value) == sizes.of(b.value); });
    }
    [[nodiscard]] std::vector<int> shape() const override {
        std::vector<int> lengths = between_ ? between_->shape() : std::vector<int>{sizes_.nodes()};
        lengths.push_back(sizes_.largest());
        return lengths;
    }
    [[nodiscard]] std::int32_t rowOf(Rank rank) const override { return sizes_.of(rank.value); }

private:
    [[nodiscard]] std::int32_t firstToCard() const { return firstInside_.back(); }
    [[nodiscard]] LinkEnds endsInside(std::int32_t link) const {
        const auto node = static_cast<std::int32_t>(std::upper_bound(firstInside_.begin(), firstInside_.end(), link) -
                                                    firstInside_.begin()) -
                          1;
        const std::int32_t peers = sizes_.members(node) - 1;
        const std::int32_t self = (link - firstInside_[engine::asSize(node)]) / peers;
        const std::int32_t index = (link - firstInside_[engine::asSize(node)]) % peers;
        const std::int32_t first = sizes_.first(node);
        return {first + self, first + (index < self ? index : index + 1)};
    }
    [[nodiscard]] std::int32_t card(std::int32_t rank) const {
        const std::int32_t node = sizes_.of(rank);
        return node * costs_.cards + (rank - sizes_.first(node)) % costs_.cards;
    }
    // Switches: the core and then the cards; or the cards, and then the nodes of the network between them.
    [[nodiscard]] std::int32_t nodeOfCard(std::int32_t card) const { return ranks_ + (between_ ? 0 : 1) + card; }
    [[nodiscard]] std::int32_t core(std::int32_t place) const {
        return between_ ? ranks_ + sizes_.nodes() * costs_.cards + place : ranks_;
    }

    std::string name_;
    NodeSizes sizes_;
    NodeCosts costs_;
    NetworkPtr between_;
    std::int32_t ranks_;
    std::vector<std::int32_t> firstInside_;  // of each node, and the end
    std::int32_t firstToCore_ = 0;
    std::int32_t firstBetween_ = 0;
    std::int32_t links_ = 0;
};

}  // namespace

NodeSizes::NodeSizes(std::int32_t perNode, std::int32_t ranks) : perNode_{perNode}, largest_{std::min(perNode, ranks)} {
    for (std::int64_t first = 0; first < ranks; first += perNode) first_.push_back(static_cast<std::int32_t>(first));
    first_.push_back(ranks);
}

NodeSizes::NodeSizes(const std::vector<std::int32_t>& sizes) : first_{0} {
    for (std::size_t node = 0; node < sizes.size(); ++node) {
        largest_ = std::max(largest_, sizes[node]);
        first_.push_back(first_.back() + sizes[node]);
        nodeOf_.insert(nodeOf_.end(), engine::asSize(sizes[node]), static_cast<std::int32_t>(node));
    }
}

NodeCosts readNodeCosts(const Arguments& arguments, std::int32_t perNode) {
    NodeCosts costs;
    if (const auto inside = arguments.option("inside"))
        costs.inside = readQuality(*inside, engine::text(arguments.where, ": inside"));
    if (const auto between = arguments.option("between"))
        costs.between = readQuality(*between, engine::text(arguments.where, ": between"));
    const auto nics = arguments.option("nics");
    const auto ports = arguments.option("ports");
    if (nics && ports)
        throw engine::Error{
            engine::text(arguments.where, ": nics= shares cards, ports= makes messages take turns; give one of them")};
    if (nics || ports) costs.cards = arguments.number(nics ? *nics : *ports, 1, perNode);
    costs.takeTurns = ports.has_value();
    return costs;
}

std::string wordsOf(const Arguments& arguments, const NodeCosts& costs) {
    std::string words;
    for (const char* name : {"inside", "between"})
        if (const auto given = arguments.option(name)) words += engine::text(',', name, '=', *given);
    if (costs.takeTurns) words += engine::text(",ports=", costs.cards);
    else if (costs.cards > 1) words += engine::text(",nics=", costs.cards);
    return words;
}

NetworkPtr onNodes(std::string name, NodeSizes sizes, NodeCosts costs, NetworkPtr between) {
    return std::make_shared<const SmpNodes>(std::move(name), std::move(sizes), costs, std::move(between));
}

}  // namespace emulation
