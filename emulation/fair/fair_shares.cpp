// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_shares.hpp"

#include <algorithm>

namespace emulation {
namespace {

using Wide = unsigned __int128;

}  // namespace

FairShares::FairShares(std::vector<Rate> capacities) : links_(capacities.size()) {
    for (std::size_t l = 0; l < capacities.size(); ++l) links_[l].capacity = capacities[l];
}

void FairShares::touch(std::int32_t link) {
    Link& self = links_[engine::asSize(link)];
    if (self.touched) return;
    self.touched = true;
    touched_.push_back(link);
}

void FairShares::add(FlowId flow, std::span<const engine::LinkId> route, Weight weight) {
    if (flows_.size() <= engine::asSize(flow)) flows_.resize(engine::asSize(flow) + 1);
    Flow& self = flows_[engine::asSize(flow)];
    self.weight = weight;
    self.rate = mostCapacity;
    self.hops.clear();
    bool alone = true;
    for (const engine::LinkId id : route) {
        Link& link = links_[id.index()];
        alone = alone && link.crossings.empty();
        self.rate = std::min(self.rate, link.capacity);
        link.crossings.push_back({flow, static_cast<std::int32_t>(self.hops.size())});
        self.hops.push_back({id.value, static_cast<std::int32_t>(link.crossings.size()) - 1});
    }
    if (alone) return alone_.push_back(flow);
    self.rate = 0;
    for (const Hop& hop : self.hops) touch(hop.link);
}

void FairShares::remove(FlowId flow) {
    Flow& self = flows_[engine::asSize(flow)];
    for (const Hop& hop : self.hops) {
        Link& link = links_[engine::asSize(hop.link)];
        const Crossing moved = link.crossings.back();
        link.crossings[engine::asSize(hop.place)] = moved;
        flows_[engine::asSize(moved.flow)].hops[engine::asSize(moved.hop)].place = hop.place;
        link.crossings.pop_back();
        if (!link.crossings.empty()) touch(hop.link);
    }
    self.hops.clear();
}

std::span<const FairShares::FlowId> FairShares::settle() {
    changed_.clear();
    changed_.swap(alone_);
    if (touched_.empty()) return changed_;
    ++settling_;
    gather();
    fill();
    return changed_;
}

/// Links that are joined to a touched one by flows, with all of their capacity left.
void FairShares::gather() {
    near_.clear();
    levels_.clear();
    for (const std::int32_t link : touched_) {
        Link& self = links_[engine::asSize(link)];
        self.touched = false;
        if (self.crossings.empty()) continue;
        self.seen = settling_;
        near_.push_back(link);
    }
    touched_.clear();
    for (std::size_t i = 0; i < near_.size(); ++i) {
        Link& link = links_[engine::asSize(near_[i])];
        link.left = link.capacity;
        link.weight = 0;
        for (const Crossing& crossing : link.crossings) {
            Flow& self = flows_[engine::asSize(crossing.flow)];
            link.weight += self.weight;
            if (self.seen == settling_) continue;
            self.seen = settling_;
            for (const Hop& hop : self.hops) {
                Link& next = links_[engine::asSize(hop.link)];
                if (next.seen == settling_) continue;
                next.seen = settling_;
                near_.push_back(hop.link);
            }
        }
        levels_.push_back({link.left, link.weight, near_[i]});
    }
}

/// Whether b is fuller than a; of equals the link of the lesser number.
bool FairShares::later(const Level& a, const Level& b) {
    const Wide left = static_cast<Wide>(a.left) * b.weight;
    const Wide right = static_cast<Wide>(b.left) * a.weight;
    return left != right ? left > right : a.link > b.link;
}

/// A level only rises while other links are filled, so one that was written down too low is put back where it belongs.
void FairShares::fill() {
    std::make_heap(levels_.begin(), levels_.end(), later);
    while (!levels_.empty()) {
        std::pop_heap(levels_.begin(), levels_.end(), later);
        Level& least = levels_.back();
        Link& link = links_[engine::asSize(least.link)];
        if (link.weight == 0) {
            levels_.pop_back();
        } else if (link.left != least.left || link.weight != least.weight) {
            least.left = link.left;
            least.weight = link.weight;
            std::push_heap(levels_.begin(), levels_.end(), later);
        } else {
            levels_.pop_back();
            saturate(link);
        }
    }
}

void FairShares::saturate(Link& link) {
    const Rate left = link.left;
    const Weight weight = link.weight;
    const Rate each = left / weight;
    for (const Crossing& crossing : link.crossings) {
        Flow& self = flows_[engine::asSize(crossing.flow)];
        if (self.fixed == settling_) continue;
        self.fixed = settling_;
        const Rate rate = self.weight == 1 ? each : static_cast<Rate>(static_cast<Wide>(left) * self.weight / weight);
        for (const Hop& hop : self.hops) {
            Link& crossed = links_[engine::asSize(hop.link)];
            crossed.left -= rate;
            crossed.weight -= self.weight;
        }
        if (rate == self.rate) continue;
        self.rate = rate;
        changed_.push_back(crossing.flow);
    }
}

}  // namespace emulation
