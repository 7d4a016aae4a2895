// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/detailed_clock.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/hockney.hpp"
#include "emulation/clocks/log_gp.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace emulation {

using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;

DetailedClock::DetailedClock(const Network& network, const Conditions& conditions, LinkTally& links)
    : model_{conditions.model},
      routes_{network, conditions, links},
      factors_{slowness(conditions.perturbation.slowRanks, network.ranks())} {
    if (model_.logGP) ports_.resize(network.ranks());
    else portsOfRank_ = conditions.ports;
    const std::size_t places = engine::asSize(network.ranks()) * engine::asSize(portsOfRank_);
    out_.resize(places);
    in_.resize(places);
}

Factor DetailedClock::factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }
bool DetailedClock::meets(Bytes bytes) const { return model_.eagerLimit && bytes > *model_.eagerLimit; }

Picoseconds DetailedClock::combining(Rank rank, Bytes bytes) const {
    return lasting(factorOf(rank), model_.gamma * bytes);
}

std::span<const MessageRecord> DetailedClock::move(const engine::Batch& batch, engine::Round round,
                                                   Strands<const Picoseconds> begin) {
    open(batch, round);
    if (model_.logGP) {
        send(begin.sends);
        receive();
    } else {
        moveByHockney(begin);
    }
    return records_;
}

void DetailedClock::open(const engine::Batch& batch, engine::Round round) {
    routes_.open(batch);
    records_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i)
        records_.push_back({Rank{batch.from()[i]}, Rank{batch.to()[i]}, round, batch.bytes()[i], {}, {}, {}, {}});
}

void DetailedClock::moveByHockney(Strands<const Picoseconds> begin) {
    if (portsOfRank_ > 0) return queueAtPorts(begin);
    for (std::size_t i = 0; i < records_.size(); ++i) {
        MessageRecord& record = records_[i];
        const RouteCosts::Cost route = routes_.of(i);
        const Factor factor = std::max(factorOf(record.from), factorOf(record.to));
        const Picoseconds cost = lasting(factor, later(route.startup, route.moving));
        record.receiveBegin =
            hockney::receiveBegin(begin.sends[record.from.index()], begin.receives[record.to.index()]);
        record.receiveEnd = later(record.receiveBegin, cost);
        record.sendBegin = meets(record.bytes) ? record.receiveBegin : begin.sends[record.from.index()];
        record.sendEnd = hockney::sendEnd(record.sendBegin, cost);
    }
}

void DetailedClock::queueAtPorts(Strands<const Picoseconds> begin) {
    const auto portsOf = [this](std::vector<Picoseconds>& side, Rank rank) {
        return std::span{side}.subspan(rank.index() * engine::asSize(portsOfRank_), engine::asSize(portsOfRank_));
    };
    const auto freeFirst = [&](std::vector<Picoseconds>& side, Rank rank) -> Picoseconds& {
        return *std::ranges::min_element(portsOf(side, rank));
    };
    std::vector<std::int32_t> places;  // in the turns of their senders
    bool queues = false;
    costs_.clear();
    receives_.assign(in_.size() / engine::asSize(portsOfRank_), false);
    for (const MessageRecord& record : records_) {
        const bool follows = !places.empty() && records_[places.size() - 1].from == record.from;
        places.push_back(follows ? places.back() + 1 : 0);
        queues = queues || follows || receives_[record.to.index()];
        receives_[record.to.index()] = true;
        const RouteCosts::Cost route = routes_.of(costs_.size());
        costs_.push_back(
            lasting(std::max(factorOf(record.from), factorOf(record.to)), later(route.startup, route.moving)));
        std::ranges::fill(portsOf(out_, record.from), begin.sends[record.from.index()]);
        std::ranges::fill(portsOf(in_, record.to), begin.receives[record.to.index()]);
    }
    order_.resize(records_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // Where every port has one message, one order of messages is as good as another.
    if (queues) std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return places[i]; });
    // Who waits for nobody leaves in the order of the turns. Then what both ends are there for moves, in the order of
    // time: a rendezvous, which takes a port of each, the first ones of all turns before the second ones; and what has
    // left.
    for (const std::size_t i : order_) {
        MessageRecord& record = records_[i];
        record.sendBegin = begin.sends[record.from.index()];
        if (meets(record.bytes)) continue;
        Picoseconds& out = freeFirst(out_, record.from);
        record.sendBegin = out;
        out = record.sendEnd = later(record.sendBegin, costs_[i]);
    }
    const auto inTime = [&](std::size_t i) {
        const MessageRecord& record = records_[i];
        const std::size_t turn = meets(record.bytes) ? engine::asSize(places[i]) : i;
        return std::tuple{hockney::receiveBegin(record.sendBegin, begin.receives[record.to.index()]), record.sendBegin,
                          turn, record.from, i};
    };
    if (queues) std::ranges::sort(order_, {}, inTime);
    for (const std::size_t i : order_) {
        MessageRecord& record = records_[i];
        Picoseconds& in = freeFirst(in_, record.to);
        if (meets(record.bytes)) {
            Picoseconds& out = freeFirst(out_, record.from);
            record.sendBegin = record.receiveBegin = hockney::receiveBegin(out, in);
            out = in = record.sendEnd = record.receiveEnd = later(record.receiveBegin, costs_[i]);
        } else {
            record.receiveBegin = hockney::receiveBegin(record.sendBegin, in);
            in = record.receiveEnd = later(record.receiveBegin, costs_[i]);
        }
    }
}

void DetailedClock::send(std::span<const Picoseconds> clock) {
    const engine::LogGP& letters = *model_.logGP;
    next_.assign(clock);
    taken_.clear();
    arrivals_.clear();
    for (MessageRecord& record : records_) {
        RouteCosts::Cost route = routes_.of(taken_.size());
        route.moving = lasting(std::max(factorOf(record.from), factorOf(record.to)), route.moving);
        Port& port = ports_[record.from];
        record.sendBegin = std::max(next_[record.from], port.out);
        if (meets(record.bytes)) record.sendBegin = std::max(record.sendBegin, clock[record.to.index()]);
        const Factor slowness = factorOf(record.from);
        record.sendEnd = later(record.sendBegin, loggp::work(letters, slowness, record.bytes));
        next_[record.from] = record.sendEnd;
        port.out = later(record.sendBegin, loggp::occupation(letters, slowness, route.moving));
        arrivals_.push_back(loggp::arrival(letters, slowness, record.sendBegin, route.startup));
        taken_.push_back(route);
    }
}

void DetailedClock::receive() {
    const engine::LogGP& letters = *model_.logGP;
    order_.resize(records_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::size_t a, std::size_t b) { return arrivals_[a] < arrivals_[b]; });
    for (const std::size_t i : order_) {
        MessageRecord& record = records_[i];
        Port& port = ports_[record.to];
        const Picoseconds begin = std::max(arrivals_[i], port.in);
        port.in = later(begin, loggp::occupation(letters, factorOf(record.to), taken_[i].moving));
        record.receiveBegin = std::max(later(begin, taken_[i].moving), next_[record.to]);
        record.receiveEnd = later(record.receiveBegin, loggp::work(letters, factorOf(record.to), record.bytes));
        next_[record.to] = record.receiveEnd;
    }
}

}  // namespace emulation
