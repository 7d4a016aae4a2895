// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/route_costs.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "engine/error.hpp"
#include "engine/field.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace emulation {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rate;

namespace {

std::size_t at(LinkId link) { return link.index(); }

Rate perByte(const engine::Model& model) { return model.logGP ? model.logGP->gapPerByte : model.beta; }

std::string nameOf(const SlowLink& slow) {
    const auto node = [](std::int32_t id) { return id < 0 ? engine::text("s", -1 - id) : engine::text(id); };
    return engine::text(node(slow.from), "-", node(slow.to));
}

}  // namespace

bool isUniform(const Network& network) {
    for (LinkId link{0}; link.value < network.links(); ++link)
        if (network.quality(link) || network.oneAtATime(link)) return false;
    return true;
}

std::vector<LinkId> linksOf(const Network& network, const SlowLink& slow) {
    const auto node = [&](std::int32_t id) { return id < 0 ? network.ranks() - 1 - id : id; };
    const std::int32_t from = node(slow.from);
    const std::int32_t to = node(slow.to);
    if (network.links() == 0) {
        if (slow.from < 0 || slow.to < 0 || std::max(from, to) >= network.ranks() || from == to)
            throw engine::Error{engine::text(engine::field::slowLinks, ": ", nameOf(slow),
                                             " are not two of the ranks 0..", network.ranks() - 1)};
        return {};
    }
    std::vector<LinkId> found;
    for (LinkId id{0}; id.value < network.links(); ++id)
        if (const LinkEnds ends = network.ends(id); ends.from == from && ends.to == to) found.push_back(id);
    if (found.empty())
        throw engine::Error{engine::text(engine::field::slowLinks, ": ", network.name(), " has no link ", nameOf(slow),
                                         "; name two neighbours, switches as s0, s1, ...")};
    return found;
}

RouteCosts::RouteCosts(const Network& network, const Conditions& conditions, LinkTally& links)
    : network_{network},
      model_{conditions.model},
      tally_{links},
      shared_{conditions.sharing == Sharing::bottleneck},
      links_(engine::asSize(network.links())) {
    for (LinkId id{0}; id.value < network.links(); ++id) {
        const LinkQuality quality = network.quality(id).value_or(LinkQuality{{}, perByte(model_)});
        links_[at(id)] = {quality.latency, quality.beta, {}, shared_ && network.oneAtATime(id)};
    }
    for (const SlowLink& slow : conditions.perturbation.slowLinks) slowDown(slow);
}

void RouteCosts::slowDown(const SlowLink& slow) {
    for (const LinkId id : linksOf(network_, slow)) links_[at(id)].factor = slow.factor;
    if (network_.links() == 0) slowPairs_[{slow.from, slow.to}] = slow.factor;
}

/// LogGP counts the bytes behind the first of each message.
Picoseconds RouteCosts::moving(Rate beta, Bytes bytes, std::int64_t messages) const {
    return beta * (model_.logGP ? std::max<Bytes>(0, bytes - messages) : bytes);
}

RouteCosts::Cost RouteCosts::of(Rank from, Rank to, Bytes bytes) {
    const Picoseconds ofModel = model_.logGP ? model_.logGP->latency : model_.alpha;
    const Picoseconds startup = network_.startup(from, to).value_or(ofModel);
    Cost cost{startup, {}};
    if (links_.empty()) {
        cost.moving = moving(perByte(model_), bytes, 1);
        if (const auto slow = slowPairs_.find({from.value, to.value}); slow != slowPairs_.end())
            cost.moving = lasting(slow->second, cost.moving);
        return cost;
    }
    for (const LinkId id : tally_.route(from, to)) {
        const Link& link = links_[at(id)];
        const Bytes load = shared_ ? std::max(bytes, tally_.inRound(id).bytes) : bytes;
        Picoseconds through = lasting(link.factor, moving(link.beta, load, 1));
        if (link.oneAtATime) {
            const std::int64_t messages = tally_.inRound(id).messages;
            const Picoseconds each = model_.logGP ? model_.logGP->gap : startup;
            through = later(lasting(link.factor, moving(link.beta, load, messages)), lasting(messages - 1, each));
        }
        cost.startup = later(cost.startup, link.latency);
        cost.moving = std::max(cost.moving, through);
    }
    return cost;
}

}  // namespace emulation
