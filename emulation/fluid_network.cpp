// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fluid_network.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace emulation {
namespace {

using engine::Picoseconds;
using Wide = unsigned __int128;

constexpr std::int64_t mostRatio = 1'000'000'000;

}  // namespace

FluidNetwork::FluidNetwork(const Network& network, const engine::Model& model, Sharing sharing)
    : network_{&network}, alpha_{model.alpha}, weighted_{sharing == Sharing::fairWeighted},
      last_(static_cast<std::size_t>(network.ranks())) {
    const auto links = static_cast<std::size_t>(network.links());
    std::vector<engine::Rate> betas(links);
    latencies_.resize(links);
    Picoseconds leastLatency{};
    if (links == 0) unit_ = model.beta;
    std::int64_t slowest = model.beta.femtosecondsPerByte;
    for (std::size_t l = 0; l < links; ++l) {
        const LinkQuality quality =
            network.quality(LinkId{static_cast<std::int32_t>(l)}).value_or(LinkQuality{{}, model.beta});
        betas[l] = quality.beta;
        latencies_[l] = quality.latency;
        if (quality.latency > Picoseconds{} && (leastLatency == Picoseconds{} || quality.latency < leastLatency))
            leastLatency = quality.latency;
        if (quality.beta.femtosecondsPerByte == 0) continue;
        if (unit_.femtosecondsPerByte == 0 || quality.beta < unit_) unit_ = quality.beta;
        slowest = std::max(slowest, quality.beta.femtosecondsPerByte);
    }
    if (unit_.femtosecondsPerByte > 0 && slowest / unit_.femtosecondsPerByte > mostRatio)
        throw engine::Error{engine::text("--topology ", network.name(),
                                         ": one link is over 10^9 times slower than another; --sharing fair needs "
                                         "links that are nearer to each other, --sharing bottleneck takes any")};
    const Picoseconds startup = network.least({alpha_, model.beta}).latency;
    shortest_ = startup > Picoseconds{} ? startup : leastLatency;
    alone_ = capacityFor(model.beta);
    for (const engine::Rate beta : betas) capacities_.push_back(capacityFor(beta));
}

/// 0 for a link that is never in the way.
FluidShares::Rate FluidNetwork::capacityFor(engine::Rate beta) const {
    if (beta.femtosecondsPerByte == 0) return 0;
    if (unit_.femtosecondsPerByte == 0) return FluidShares::mostCapacity;
    const Wide most = static_cast<Wide>(FluidShares::mostCapacity) * static_cast<Wide>(unit_.femtosecondsPerByte);
    const Wide capacity = most / static_cast<Wide>(beta.femtosecondsPerByte);
    return static_cast<FluidShares::Rate>(std::min<Wide>(capacity, FluidShares::mostCapacity));
}

const FluidNetwork::Way& FluidNetwork::way(Rank from, Rank to) {
    Last& last = last_[static_cast<std::size_t>(from.value)];
    if (last.to != to) {
        last.to = to;
        find(from, last);
    }
    return last.way;
}

void FluidNetwork::find(Rank from, Last& last) {
    last.links.clear();
    network_->route(from, last.to, last.links);
    Picoseconds latency = network_->startup(from, last.to).value_or(alpha_);
    std::size_t crowded = 0;
    for (const LinkId link : last.links) {
        latency += latencies_[static_cast<std::size_t>(link.value)];
        if (capacities_[static_cast<std::size_t>(link.value)] > 0) last.links[crowded++] = link;
    }
    last.links.resize(crowded);
    FluidShares::Weight weight = 1;
    if (weighted_ && latency > shortest_) {
        const Wide wide = static_cast<Wide>(FluidShares::mostWeight) * static_cast<Wide>(shortest_.count());
        const auto own = static_cast<Wide>(latency.count());
        weight = std::max<FluidShares::Weight>(1, static_cast<FluidShares::Weight>((wide + own / 2) / own));
    } else if (weighted_) {
        weight = FluidShares::mostWeight;
    }
    last.way = {last.links, latency, weight};
}

}  // namespace emulation
