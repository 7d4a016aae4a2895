// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_network.hpp"

#include "emulation/clocks/route_costs.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Picoseconds;
using Wide = unsigned __int128;

constexpr std::int64_t mostRatio = 1'000'000'000;

}  // namespace

FairNetwork::FairNetwork(const Network& network, const Conditions& conditions)
    : network_{&network},
      alpha_{conditions.model.alpha},
      weighted_{conditions.sharing == Sharing::fairWeighted},
      capacities_(network.links()),
      latencies_(network.links()),
      last_(network.ranks()) {
    const engine::Model& model = conditions.model;
    const std::vector<SlowLink>& slowLinks = conditions.perturbation.slowLinks;
    engine::ById<LinkId, engine::Rate> betas(network.links());
    engine::ById<LinkId, Factor> factors(network.links());
    for (const SlowLink& slow : slowLinks)
        for (const LinkId link : linksOf(network, slow)) factors[link] = slow.factor;
    Picoseconds leastLatency{};
    if (betas.empty()) unit_ = model.beta;
    std::int64_t slowest = model.beta.femtosecondsPerByte;
    for (const LinkId link : betas.ids()) {
        const LinkQuality quality = network.quality(link).value_or(LinkQuality{{}, model.beta});
        engine::Rate& beta = betas[link];
        beta = factors[link] * quality.beta;
        latencies_[link] = quality.latency;
        if (quality.latency > Picoseconds{} && (leastLatency == Picoseconds{} || quality.latency < leastLatency))
            leastLatency = quality.latency;
        if (beta.femtosecondsPerByte == 0) continue;
        if (unit_.femtosecondsPerByte == 0 || beta < unit_) unit_ = beta;
        slowest = std::max(slowest, beta.femtosecondsPerByte);
    }
    if (betas.empty())
        for (const SlowLink& slow : slowLinks) {
            const engine::Rate beta = slow.factor * model.beta;
            slowest = std::max(slowest, beta.femtosecondsPerByte);
            slowPairs_[pairOf(network, slow)] = capacityFor(beta);
        }
    if (unit_.femtosecondsPerByte > 0 && slowest / unit_.femtosecondsPerByte > mostRatio)
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(),
                                         ": one link is over 10^9 times slower than another; ", engine::field::sharing,
                                         " fair needs links that are nearer to each other, ", engine::field::sharing,
                                         " bottleneck supports any")};
    const Picoseconds startup = network.least({alpha_, model.beta}).latency;
    shortest_ = startup > Picoseconds{} ? startup : leastLatency;
    alone_ = capacityFor(model.beta);
    for (const LinkId link : betas.ids()) capacities_[link] = capacityFor(betas[link]);
}

/// 0 for a link that is never in the way.
FairShares::Rate FairNetwork::capacityFor(engine::Rate beta) const {
    if (beta.femtosecondsPerByte == 0) return 0;
    if (unit_.femtosecondsPerByte == 0) return FairShares::mostCapacity;
    const Wide most = static_cast<Wide>(FairShares::mostCapacity) * static_cast<Wide>(unit_.femtosecondsPerByte);
    const Wide capacity = most / static_cast<Wide>(beta.femtosecondsPerByte);
    return static_cast<FairShares::Rate>(std::min<Wide>(capacity, FairShares::mostCapacity));
}

const FairNetwork::Route& FairNetwork::route(Rank from, Rank to) {
    Last& last = last_[from];
    if (last.to != to) {
        last.to = to;
        find(from, last);
    }
    return last.route;
}

void FairNetwork::find(Rank from, Last& last) {
    last.links.clear();
    network_->route(from, last.to, last.links);
    Picoseconds latency = network_->startup(from, last.to).value_or(alpha_);
    std::size_t crowded = 0;
    for (const LinkId link : last.links) {
        latency += latencies_[link];
        if (capacities_[link] > 0) last.links[crowded++] = link;
    }
    last.links.resize(crowded);
    FairShares::Weight weight = 1;
    if (weighted_ && latency > shortest_) {
        const Wide wide = static_cast<Wide>(FairShares::mostWeight) * static_cast<Wide>(shortest_.count());
        const auto own = static_cast<Wide>(latency.count());
        weight = std::max<FairShares::Weight>(1, static_cast<FairShares::Weight>((wide + own / 2) / own));
    } else if (weighted_) {
        weight = FairShares::mostWeight;
    }
    const auto slow = slowPairs_.find({from.value, last.to.value});
    last.route = {last.links, latency, weight, slow == slowPairs_.end() ? alone_ : slow->second};
}

void requireFair(const Network& network, const Conditions& conditions) {
    using engine::field::sharing;
    const auto refuse = [&](bool given, const auto& what) {
        if (given)
            throw engine::Error{
                engine::text(sharing, " fair does not support ", what, "; choose ", sharing, " bottleneck")};
    };
    refuse(conditions.model.logGP.has_value(), "LogGP");
    refuse(conditions.model.eagerLimit.has_value(), "eager limit");
    refuse(!conditions.perturbation.slowRanks.empty(), engine::field::slowRanks);
    for (LinkId link{0}; link.value < network.links(); ++link)
        refuse(network.oneAtATime(link), "ports that take messages one by one");
}

}  // namespace emulation
