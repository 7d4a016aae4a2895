// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_flows.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "engine/base/error.hpp"

namespace emulation {

using engine::Bytes;
using engine::Picoseconds;

FairFlows::FairFlows(const Network& network, const Conditions& conditions)
    : header_{conditions.protocol.header}, network_{network, conditions}, shares_{network_.capacities()} {}

std::int32_t FairFlows::go(Rank from, Rank to, Bytes bytes, Picoseconds now) {
    const std::int32_t id = newFlow();
    Flow& self = flow(id);
    self.from = from;
    self.to = to;
    self.bytes = bytes;
    const FairNetwork::Route& route = network_.route(from, to);
    const Picoseconds arrival = later(now, route.latency);
    if (arrival > now) queue_.push(arrival, {id, ++self.stamp});
    else flowIn(id, route, now);
    return id;
}

void FairFlows::settle(Picoseconds now) {
    for (const std::int32_t id : shares_.settle()) changeRate(id, now);
}

bool FairFlows::happen(FairQueue::Event event, Picoseconds now) {
    Flow& self = flow(event.who);
    if (event.stamp != self.stamp) return false;
    if (self.since == unborn) {
        flowIn(event.who, network_.route(self.from, self.to), now);
        return false;
    }
    if (self.flowing) shares_.remove(event.who);
    ++self.stamp;
    spare_.push_back(event.who);
    return true;
}

std::int32_t FairFlows::newFlow() {
    if (spare_.empty()) {
        flows_.emplace_back();
        spare_.push_back(static_cast<std::int32_t>(flows_.size()) - 1);
    }
    const std::int32_t id = spare_.back();
    spare_.pop_back();
    flow(id).since = unborn;
    flow(id).flowing = false;
    return id;
}

/// The first byte is on its way.
void FairFlows::flowIn(std::int32_t id, const FairNetwork::Route& route, Picoseconds now) {
    Flow& self = flow(id);
    const Wide work = static_cast<Wide>(self.bytes + header_) * static_cast<Wide>(network_.unit().femtosecondsPerByte);
    if (work >= static_cast<Wide>(endOfTime.count()) * 1000) refuseTime();
    self.left = work << 56;
    self.since = now;
    self.rate = 0;
    if (work == 0) return queue_.push(now, {id, ++self.stamp});
    if (route.links.empty()) return setRate(id, route.alone, now);
    self.flowing = true;
    shares_.add(id, route.links, route.weight);
}

void FairFlows::changeRate(std::int32_t id, Picoseconds now) {
    Flow& self = flow(id);
    const Wide done = static_cast<Wide>(self.rate) * static_cast<Wide>((now - self.since).count()) * 1000;
    self.left = done < self.left ? self.left - done : 0;
    self.since = now;
    setRate(id, shares_.rate(id), now);
}

void FairFlows::setRate(std::int32_t id, FairShares::Rate rate, Picoseconds now) {
    Flow& self = flow(id);
    ENSURE(rate > 0, "a message has no share of its links");
    self.rate = rate;
    const Wide femtoseconds = rate == FairShares::mostCapacity ? self.left >> 56 : self.left / rate;
    if (femtoseconds / 1000 >= static_cast<Wide>((endOfTime - now).count())) refuseTime();
    queue_.push(now + Picoseconds{static_cast<std::int64_t>((femtoseconds + 500) / 1000)}, {id, ++self.stamp});
}

}  // namespace emulation
