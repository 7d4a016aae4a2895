// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/route_costs.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "engine/base/error.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace emulation {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rate;

namespace {

std::size_t at(LinkId link) { return link.index(); }

Rate perByte(const engine::Model& model) { return model.logGP ? model.logGP->gapPerByte : model.beta; }

std::string nameOf(const SlowLink& slow) { return engine::text(toText(slow.from), "-", toText(slow.to)); }

/// The node's number in `network`; none where it has no such node.
std::optional<std::int32_t> nodeOf(const Network& network, const NodeName& name) {
    switch (name.kind) {
        case NodeName::Kind::rank: break;
        case NodeName::Kind::networkSwitch:
            if (name.number > std::numeric_limits<std::int32_t>::max() - network.places()) return {};
            return network.places() + name.number;
        case NodeName::Kind::place:
            for (std::int32_t node = 0; node < network.places(); ++node)
                if (network.placeOf(node) == name.number) return node;
            return {};
    }
    if (name.number >= network.ranks()) return {};
    return name.number;
}

}  // namespace

bool isUniform(const Network& network) {
    for (LinkId link{0}; link.value < network.links(); ++link)
        if (network.quality(link) || network.oneAtATime(link)) return false;
    return true;
}

std::vector<LinkId> linksOf(const Network& network, const SlowLink& slow) {
    const std::optional<std::int32_t> from = nodeOf(network, slow.from);
    const std::optional<std::int32_t> to = nodeOf(network, slow.to);
    if (network.links() == 0) {
        if (!from || !to || std::max(*from, *to) >= network.ranks() || from == to)
            throw engine::Error{engine::text(engine::field::slowLinks, ": ", nameOf(slow),
                                             " are not two of the ranks 0..", network.ranks() - 1,
                                             "; places and switches need a network with links")};
        return {};
    }
    std::vector<LinkId> found;
    for (LinkId id{0}; id.value < network.links(); ++id)
        if (const LinkEnds ends = network.ends(id); from && to && ends.from == *from && ends.to == *to)
            found.push_back(id);
    if (found.empty())
        throw engine::Error{engine::text(
            engine::field::slowLinks, ": ", network.name(), " has no link ", nameOf(slow),
            "; name two neighbours: ranks by number, free places as p0, p1, ..., switches as s0, s1, ...")};
    return found;
}

std::pair<std::int32_t, std::int32_t> pairOf(const Network& network, const SlowLink& slow) {
    return {nodeOf(network, slow.from).value(), nodeOf(network, slow.to).value()};
}

RouteCosts::RouteCosts(const Network& network, const Conditions& conditions, LinkTally& links)
    : network_{network},
      model_{conditions.model},
      tally_{links},
      shared_{conditions.sharing == Sharing::bottleneck},
      ports_{model_.logGP ? 1 : conditions.ports},
      links_(engine::asSize(network.links())) {
    for (LinkId id{0}; id.value < network.links(); ++id) {
        const LinkQuality quality = network.quality(id).value_or(LinkQuality{{}, perByte(model_)});
        links_[at(id)] = {quality.latency, quality.beta, {}, shared_ && network.oneAtATime(id)};
    }
    for (const SlowLink& slow : conditions.perturbation.slowLinks) slowDown(slow);
}

void RouteCosts::slowDown(const SlowLink& slow) {
    for (const LinkId id : linksOf(network_, slow)) links_[at(id)].factor = slow.factor;
    if (network_.links() == 0) slowPairs_[pairOf(network_, slow)] = slow.factor;
}

/// LogGP counts the bytes behind the first of each message.
Picoseconds RouteCosts::moving(Rate beta, Bytes bytes, std::int64_t messages) const {
    return beta * (model_.logGP ? std::max<Bytes>(0, bytes - messages) : bytes);
}

void RouteCosts::open(const engine::Batch& batch) {
    batch_ = &batch;
    loadsOf_.clear();
    if (!links_.empty() && shared_ && ports_ > 0 && exceedsPorts(batch)) shareByPorts(batch);
}

bool RouteCosts::exceedsPorts(const engine::Batch& batch) {
    sent_.assign(engine::asSize(network_.ranks()), 0);
    taken_.assign(engine::asSize(network_.ranks()), 0);
    bool more = false;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        more |= ++sent_[engine::asSize(batch.from()[i])] > ports_;
        more |= ++taken_[engine::asSize(batch.to()[i])] > ports_;
    }
    return more;
}

void RouteCosts::shareByPorts(const engine::Batch& batch) {
    struct Crossing {
        std::int32_t wave;
        LinkId link;
        std::int32_t receiver;
        Bytes bytes;
        std::size_t load;  ///< in loads_
    };
    std::vector<Crossing> crossings;
    sent_.assign(engine::asSize(network_.ranks()), 0);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const Rank from{batch.from()[i]};
        const Rank to{batch.to()[i]};
        const std::int32_t wave = sent_[from.index()]++ / ports_;
        loadsOf_.push_back(crossings.size());
        for (const LinkId link : tally_.route(from, to))
            crossings.push_back({wave, link, to.value, batch.bytes()[i], crossings.size()});
    }
    loads_.assign(crossings.size(), {});
    std::ranges::sort(crossings, {}, [](const Crossing& one) {
        return std::tuple{one.wave, one.link.value, one.receiver, -one.bytes, one.load};
    });
    const auto together = [](const Crossing& a, const Crossing& b) { return a.wave == b.wave && a.link == b.link; };
    for (auto first = crossings.begin(); first != crossings.end();) {
        const auto behind =
            std::find_if_not(first, crossings.end(), [&](const auto& one) { return together(*first, one); });
        // The k largest of each receiver come first among its own.
        LinkCounters::Load meeting;
        for (auto one = first; one != behind; ++one)
            if (one - first < ports_ || (one - ports_)->receiver != one->receiver) {
                meeting.bytes += one->bytes;
                ++meeting.messages;
            }
        for (auto one = first, own = first; one != behind; ++one) {
            if (own->receiver != one->receiver) own = one;
            LinkCounters::Load& load = loads_[one->load] = meeting;
            if (one - own >= ports_) load.bytes += one->bytes - (own + ports_ - 1)->bytes;
        }
        first = behind;
    }
}

LinkCounters::Load RouteCosts::loadOn(LinkId link, std::size_t message, std::size_t hop) const {
    return loadsOf_.empty() ? tally_.inRound(link) : loads_[loadsOf_[message] + hop];
}

RouteCosts::Cost RouteCosts::of(std::size_t i) {
    const Rank from{batch_->from()[i]};
    const Rank to{batch_->to()[i]};
    const Bytes bytes = batch_->bytes()[i];
    const Picoseconds ofModel = model_.logGP ? model_.logGP->latency : model_.alpha;
    const Picoseconds startup = network_.startup(from, to).value_or(ofModel);
    Cost cost{startup, {}};
    if (links_.empty()) {
        cost.moving = moving(perByte(model_), bytes, 1);
        if (const auto slow = slowPairs_.find({from.value, to.value}); slow != slowPairs_.end())
            cost.moving = lasting(slow->second, cost.moving);
        return cost;
    }
    std::size_t hop = 0;
    for (const LinkId id : tally_.route(from, to)) {
        const Link& link = links_[at(id)];
        const LinkCounters::Load meeting = loadOn(id, i, hop++);
        const Bytes load = shared_ ? std::max(bytes, meeting.bytes) : bytes;
        Picoseconds through = lasting(link.factor, moving(link.beta, load, 1));
        if (link.oneAtATime) {
            const Picoseconds each = model_.logGP ? model_.logGP->gap : startup;
            through = later(lasting(link.factor, moving(link.beta, load, meeting.messages)),
                            lasting(meeting.messages - 1, each));
        }
        cost.startup = later(cost.startup, link.latency);
        cost.moving = std::max(cost.moving, through);
    }
    return cost;
}

}  // namespace emulation
