// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/shares.hpp"

#include <algorithm>

namespace emulation {
namespace {

using Wide = unsigned __int128;

}  // namespace

FluidShares::FluidShares(std::vector<Rate> capacities) : links_(capacities.size()) {
    for (std::size_t l = 0; l < capacities.size(); ++l) links_[l].capacity = capacities[l];
}

void FluidShares::touch(std::int32_t link) {
    Link& self = links_[static_cast<std::size_t>(link)];
    if (self.touched) return;
    self.touched = true;
    touched_.push_back(link);
}

void FluidShares::add(Flow flow, std::span<const engine::LinkId> route, Weight weight) {
    if (flows_.size() <= static_cast<std::size_t>(flow)) flows_.resize(static_cast<std::size_t>(flow) + 1);
    Stream& stream = flows_[static_cast<std::size_t>(flow)];
    stream.weight = weight;
    stream.rate = mostCapacity;
    stream.seats.clear();
    bool alone = true;
    for (const engine::LinkId id : route) {
        Link& link = links_[id.index()];
        alone = alone && link.guests.empty();
        stream.rate = std::min(stream.rate, link.capacity);
        link.guests.push_back({flow, static_cast<std::int32_t>(stream.seats.size())});
        stream.seats.push_back({id.value, static_cast<std::int32_t>(link.guests.size()) - 1});
    }
    if (alone) return alone_.push_back(flow);
    stream.rate = 0;
    for (const Seat& seat : stream.seats) touch(seat.link);
}

void FluidShares::remove(Flow flow) {
    Stream& stream = flows_[static_cast<std::size_t>(flow)];
    for (const Seat& seat : stream.seats) {
        Link& link = links_[static_cast<std::size_t>(seat.link)];
        const Guest moved = link.guests.back();
        link.guests[static_cast<std::size_t>(seat.place)] = moved;
        flows_[static_cast<std::size_t>(moved.flow)].seats[static_cast<std::size_t>(moved.hop)].place = seat.place;
        link.guests.pop_back();
        if (!link.guests.empty()) touch(seat.link);
    }
    stream.seats.clear();
}

std::span<const FluidShares::Flow> FluidShares::settle() {
    changed_.clear();
    changed_.swap(alone_);
    if (touched_.empty()) return changed_;
    ++settling_;
    gather();
    fill();
    return changed_;
}

/// Links that are joined to a touched one by flows, with all of their capacity left.
void FluidShares::gather() {
    near_.clear();
    levels_.clear();
    for (const std::int32_t link : touched_) {
        Link& self = links_[static_cast<std::size_t>(link)];
        self.touched = false;
        if (self.guests.empty()) continue;
        self.seen = settling_;
        near_.push_back(link);
    }
    touched_.clear();
    for (std::size_t i = 0; i < near_.size(); ++i) {
        Link& link = links_[static_cast<std::size_t>(near_[i])];
        link.left = link.capacity;
        link.weight = 0;
        for (const Guest& guest : link.guests) {
            Stream& stream = flows_[static_cast<std::size_t>(guest.flow)];
            link.weight += stream.weight;
            if (stream.seen == settling_) continue;
            stream.seen = settling_;
            for (const Seat& seat : stream.seats) {
                Link& next = links_[static_cast<std::size_t>(seat.link)];
                if (next.seen == settling_) continue;
                next.seen = settling_;
                near_.push_back(seat.link);
            }
        }
        levels_.push_back({link.left, link.weight, near_[i]});
    }
}

/// Whether b is fuller than a; of equals the link of the lesser number.
bool FluidShares::later(const Level& a, const Level& b) {
    const Wide left = static_cast<Wide>(a.left) * b.weight;
    const Wide right = static_cast<Wide>(b.left) * a.weight;
    return left != right ? left > right : a.link > b.link;
}

/// A level only rises while other links are filled, so one that was written down too low is put back where it belongs.
void FluidShares::fill() {
    std::make_heap(levels_.begin(), levels_.end(), later);
    while (!levels_.empty()) {
        std::pop_heap(levels_.begin(), levels_.end(), later);
        Level& least = levels_.back();
        Link& link = links_[static_cast<std::size_t>(least.link)];
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

void FluidShares::saturate(Link& link) {
    const Rate left = link.left;
    const Weight weight = link.weight;
    const Rate each = left / weight;
    for (const Guest& guest : link.guests) {
        Stream& stream = flows_[static_cast<std::size_t>(guest.flow)];
        if (stream.fixed == settling_) continue;
        stream.fixed = settling_;
        const Rate rate =
            stream.weight == 1 ? each : static_cast<Rate>(static_cast<Wide>(left) * stream.weight / weight);
        for (const Seat& seat : stream.seats) {
            Link& crossed = links_[static_cast<std::size_t>(seat.link)];
            crossed.left -= rate;
            crossed.weight -= stream.weight;
        }
        if (rate == stream.rate) continue;
        stream.rate = rate;
        changed_.push_back(guest.flow);
    }
}

}  // namespace emulation
