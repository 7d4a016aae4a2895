// SPDX-License-Identifier: BSD-3-Clause
// SMP nodes: within a node every pair of ranks has a link of its own (shared memory); between nodes messages share the
// network cards of both nodes, behind which the network is never in the way.
//
//   cluster:2, 4 ranks:   0 <=> 1   2 <=> 3        in a node, "inside" quality
//                          \   /     \   /         to and from the card, free
//                          card      card
//                             \      /             card to core and back, "between" quality
//                               core
//
// The startups of "inside" and "between" stand in place of the model's. With nics=k a node has k cards; a rank sends
// and receives through card (its number in the node) mod k. With ports=k instead, a card takes one message at a time
// each way: the port rule of Traff et al. 2010, section 2.2.
#include "emulation/networks/arguments.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace emulation::kinds {
namespace {

struct Qualities {
    std::optional<LinkQuality> inside{};
    std::optional<LinkQuality> between{};
};

/// What messages that go through a card at one time do.
enum class Cards : std::uint8_t { share, takeTurns };

class Cluster final : public Network {
public:
    Cluster(std::string name, std::int32_t perNode, std::int32_t cards, std::int32_t ranks, Qualities qualities,
            Cards rule)
        : name_{std::move(name)}, perNode_{perNode}, cards_{cards}, ranks_{ranks}, qualities_{qualities}, rule_{rule} {
        const __int128 nodes = (static_cast<__int128>(ranks) + perNode - 1) / perNode;
        const __int128 full = ranks / perNode;
        const __int128 rest = ranks % perNode;
        const __int128 inside = full * perNode * (perNode - 1) + rest * (rest - 1);
        const __int128 links = inside + static_cast<__int128>(2) * ranks + nodes * 2 * cards;
        requireLinks(engine::text(engine::field::topology, " ", name_), links + ranks);
        firstToCard_ = static_cast<std::int32_t>(inside);
        firstToCore_ = firstToCard_ + 2 * ranks;
        links_ = static_cast<std::int32_t>(links);
    }

    [[nodiscard]] std::string name() const override { return name_; }
    [[nodiscard]] std::int32_t ranks() const override { return ranks_; }
    [[nodiscard]] std::int32_t links() const override { return links_; }

    void route(Rank from, Rank to, std::vector<LinkId>& out) const override {
        if (from == to) return;
        const std::int32_t node = from.value / perNode_;
        if (to.value / perNode_ == node) {
            const std::int32_t peer = to.value % perNode_;
            const std::int32_t self = from.value % perNode_;
            out.push_back(LinkId{firstInside(from.value) + (peer < self ? peer : peer - 1)});
            return;
        }
        out.push_back(LinkId{firstToCard_ + 2 * from.value});
        out.push_back(LinkId{firstToCore_ + 2 * card(from.value)});
        out.push_back(LinkId{firstToCore_ + 2 * card(to.value) + 1});
        out.push_back(LinkId{firstToCard_ + 2 * to.value + 1});
    }

    [[nodiscard]] LinkEnds ends(LinkId link) const override {
        if (link.value < firstToCard_) return endsInside(link.value);
        const std::int32_t side = (link.value - firstToCard_) % 2;
        LinkEnds ends;
        if (link.value < firstToCore_) {
            const std::int32_t rank = (link.value - firstToCard_) / 2;
            ends = {rank, ranks_ + 1 + card(rank)};
        } else {
            ends = {ranks_ + 1 + (link.value - firstToCore_) / 2, ranks_};
        }
        return side == 0 ? ends : LinkEnds{ends.to, ends.from};
    }

    [[nodiscard]] std::optional<LinkQuality> quality(LinkId link) const override {
        const bool inside = link.value < firstToCard_;
        if (!inside && link.value < firstToCore_) return LinkQuality{};
        const auto& given = inside ? qualities_.inside : qualities_.between;
        return given ? std::optional{LinkQuality{{}, given->beta}} : std::nullopt;
    }
    [[nodiscard]] std::optional<engine::Picoseconds> startup(Rank from, Rank to) const override {
        const auto& given = from.value / perNode_ == to.value / perNode_ ? qualities_.inside : qualities_.between;
        return given ? std::optional{given->latency} : std::nullopt;
    }
    [[nodiscard]] bool oneAtATime(LinkId link) const override {
        return rule_ == Cards::takeTurns && link.value >= firstToCore_;
    }
    [[nodiscard]] LinkQuality least(LinkQuality ofModel) const override {
        const LinkQuality inside = qualities_.inside.value_or(ofModel);
        const LinkQuality between = qualities_.between.value_or(ofModel);
        return {std::min(inside.latency, between.latency), std::min(inside.beta, between.beta)};
    }

    [[nodiscard]] engine::Wiring wiring() const override {
        return engine::Wiring::named(
            name_, [perNode = perNode_](Rank a, Rank b) { return a != b && a.value / perNode == b.value / perNode; });
    }
    [[nodiscard]] std::vector<int> shape() const override { return {(ranks_ + perNode_ - 1) / perNode_, perNode_}; }

private:
    /// Ranks in the node of `rank`: the last node may have fewer.
    [[nodiscard]] std::int32_t members(std::int32_t rank) const {
        return std::min(perNode_, ranks_ - rank / perNode_ * perNode_);
    }
    [[nodiscard]] std::int32_t firstInside(std::int32_t rank) const {
        const std::int32_t node = rank / perNode_;
        return node * perNode_ * (perNode_ - 1) + rank % perNode_ * (members(rank) - 1);
    }
    [[nodiscard]] LinkEnds endsInside(std::int32_t link) const {
        const std::int32_t ofNode = perNode_ * (perNode_ - 1);
        const std::int32_t first = link / ofNode * perNode_;
        const std::int32_t peers = members(first) - 1;
        const std::int32_t self = link % ofNode / peers;
        const std::int32_t index = link % ofNode % peers;
        return {first + self, first + (index < self ? index : index + 1)};
    }
    [[nodiscard]] std::int32_t card(std::int32_t rank) const {
        return rank / perNode_ * cards_ + rank % perNode_ % cards_;
    }

    std::string name_;
    std::int32_t perNode_;
    std::int32_t cards_;
    std::int32_t ranks_;
    Qualities qualities_;
    Cards rule_;
    std::int32_t firstToCard_ = 0;
    std::int32_t firstToCore_ = 0;
    std::int32_t links_ = 0;
};

NetworkPtr make(std::string_view words, std::int32_t ranks) {
    const Arguments arguments =
        readArguments("cluster", words, 1, "cluster:32", {"inside", "between", "nics", "ports"});
    const std::int32_t perNode = arguments.number(arguments.sizes[0]);
    std::string name = engine::text("cluster:", perNode);
    Qualities qualities;
    if (const auto inside = arguments.option("inside")) {
        qualities.inside = readQuality(*inside, engine::text(engine::field::topology, " cluster: inside"));
        name += ",inside=" + *inside;
    }
    if (const auto between = arguments.option("between")) {
        qualities.between = readQuality(*between, engine::text(engine::field::topology, " cluster: between"));
        name += ",between=" + *between;
    }
    const auto nics = arguments.option("nics");
    const auto ports = arguments.option("ports");
    if (nics && ports)
        throw engine::Error{engine::text(arguments.where,
                                         ": nics= says that cards are shared, ports= that messages take turns; "
                                         "give one of them")};
    const std::int32_t cards = nics    ? arguments.number(*nics, 1, perNode)
                               : ports ? arguments.number(*ports, 1, perNode)
                                       : 1;
    if (ports) name += engine::text(",ports=", cards);
    else if (cards > 1) name += engine::text(",nics=", cards);
    return std::make_shared<const Cluster>(std::move(name), std::min(perNode, ranks), std::min(cards, ranks), ranks,
                                           qualities, ports ? Cards::takeTurns : Cards::share);
}

}  // namespace

Topology cluster() {
    return {.name = "cluster",
            .usage = "cluster:RANKS_PER_NODE",
            .meaning = "SMP nodes: memory within a node, shared network cards between nodes, each with its own speed",
            .make = make};
}

}  // namespace emulation::kinds
