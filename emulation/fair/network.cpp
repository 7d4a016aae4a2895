// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/network.hpp"

#include "emulation/clocks/route_costs.hpp"
#include "engine/error.hpp"
#include "engine/text.hpp"

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
      last_(static_cast<std::size_t>(network.ranks())) {
    const engine::Model& model = conditions.model;
    const std::vector<SlowLink>& slowLinks = conditions.perturbation.slowLinks;
    const auto links = static_cast<std::size_t>(network.links());
    std::vector<engine::Rate> betas(links);
    latencies_.resize(links);
    std::vector<Factor> factors(links);
    for (const SlowLink& slow : slowLinks)
        for (const LinkId link : linksOf(network, slow)) factors[link.index()] = slow.factor;
    Picoseconds leastLatency{};
    if (links == 0) unit_ = model.beta;
    std::int64_t slowest = model.beta.femtosecondsPerByte;
    for (std::size_t l = 0; l < links; ++l) {
        const LinkQuality quality =
            network.quality(LinkId{static_cast<std::int32_t>(l)}).value_or(LinkQuality{{}, model.beta});
        betas[l] = factors[l] * quality.beta;
        latencies_[l] = quality.latency;
        if (quality.latency > Picoseconds{} && (leastLatency == Picoseconds{} || quality.latency < leastLatency))
            leastLatency = quality.latency;
        if (betas[l].femtosecondsPerByte == 0) continue;
        if (unit_.femtosecondsPerByte == 0 || betas[l] < unit_) unit_ = betas[l];
        slowest = std::max(slowest, betas[l].femtosecondsPerByte);
    }
    if (links == 0)
        for (const SlowLink& slow : slowLinks) {
            const engine::Rate beta = slow.factor * model.beta;
            slowest = std::max(slowest, beta.femtosecondsPerByte);
            slowPairs_[{slow.from, slow.to}] = capacityFor(beta);
        }
    if (unit_.femtosecondsPerByte > 0 && slowest / unit_.femtosecondsPerByte > mostRatio)
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(),
                                         ": one link is over 10^9 times slower than another; ", engine::field::sharing,
                                         " fair needs links that are nearer to each other, ", engine::field::sharing,
                                         " bottleneck takes any")};
    const Picoseconds startup = network.least({alpha_, model.beta}).latency;
    shortest_ = startup > Picoseconds{} ? startup : leastLatency;
    alone_ = capacityFor(model.beta);
    for (const engine::Rate beta : betas) capacities_.push_back(capacityFor(beta));
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
    Last& last = last_[from.index()];
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
        latency += latencies_[link.index()];
        if (capacities_[link.index()] > 0) last.links[crowded++] = link;
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

}  // namespace emulation
