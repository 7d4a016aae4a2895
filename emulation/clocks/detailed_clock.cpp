// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/detailed_clock.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/hockney.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {

using engine::Bytes;
using engine::MessageRecord;
using engine::Picoseconds;

namespace {

std::size_t at(Rank rank) { return rank.index(); }
Bytes behindTheFirst(Bytes bytes) { return std::max<Bytes>(0, bytes - 1); }

}  // namespace

DetailedClock::DetailedClock(const Network& network, const Conditions& conditions, LinkTally& links)
    : model_{conditions.model},
      routes_{network, conditions, links},
      factors_{slowness(conditions.perturbation.slowRanks, network.ranks())} {
    if (model_.logGP) ports_.resize(static_cast<std::size_t>(network.ranks()));
}

Factor DetailedClock::factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[at(rank)]; }
bool DetailedClock::meets(Bytes bytes) const { return model_.eagerLimit && bytes > *model_.eagerLimit; }

Picoseconds DetailedClock::combining(Rank rank, Bytes bytes) const {
    return lasting(factorOf(rank), lasting(model_.gamma, bytes));
}

/// What a processor does for a message, under LogGP.
Picoseconds DetailedClock::work(Rank rank, Bytes bytes) const {
    const engine::LogGP& logGP = *model_.logGP;
    return lasting(factorOf(rank), later(logGP.overhead, lasting(logGP.overheadPerByte, behindTheFirst(bytes))));
}

/// How long a message keeps a port of `rank`, under LogGP.
Picoseconds DetailedClock::occupation(Rank rank, Picoseconds moving) const {
    return later(lasting(factorOf(rank), model_.logGP->gap), moving);
}

std::span<const MessageRecord> DetailedClock::move(const engine::Batch& batch, engine::Round round,
                                                   std::span<const Picoseconds> clock, std::span<Picoseconds> next) {
    open(batch, round);
    std::copy(clock.begin(), clock.end(), next.begin());
    if (model_.logGP) {
        send(clock, next);
        receive(next);
    } else {
        moveByHockney(clock, clock);
        for (const MessageRecord& record : records_) {
            next[at(record.from)] = std::max(next[at(record.from)], record.sendEnd);
            next[at(record.to)] = std::max(next[at(record.to)], record.receiveEnd);
        }
    }
    return records_;
}

std::span<const MessageRecord> DetailedClock::moveApart(const engine::Batch& batch, engine::Round round,
                                                        std::span<const Picoseconds> out,
                                                        std::span<const Picoseconds> in) {
    open(batch, round);
    moveByHockney(out, in);
    return records_;
}

void DetailedClock::open(const engine::Batch& batch, engine::Round round) {
    records_.clear();
    for (std::size_t i = 0; i < batch.size(); ++i)
        records_.push_back({Rank{batch.from()[i]}, Rank{batch.to()[i]}, round, batch.bytes()[i], {}, {}, {}, {}});
}

void DetailedClock::moveByHockney(std::span<const Picoseconds> out, std::span<const Picoseconds> in) {
    for (MessageRecord& record : records_) {
        const RouteCosts::Cost route = routes_.of(record.from, record.to, record.bytes);
        const Factor factor = std::max(factorOf(record.from), factorOf(record.to));
        const Picoseconds cost = lasting(factor, later(route.startup, route.moving));
        record.receiveBegin = hockney::receiveBegin(out[at(record.from)], in[at(record.to)]);
        record.receiveEnd = later(record.receiveBegin, cost);
        record.sendBegin = meets(record.bytes) ? record.receiveBegin : out[at(record.from)];
        record.sendEnd = hockney::sendEnd(record.sendBegin, cost);
    }
}

/// `next` becomes the time at which each processor has sent.
void DetailedClock::send(std::span<const Picoseconds> clock, std::span<Picoseconds> next) {
    taken_.clear();
    arrivals_.clear();
    for (MessageRecord& record : records_) {
        RouteCosts::Cost route = routes_.of(record.from, record.to, record.bytes);
        route.moving = lasting(std::max(factorOf(record.from), factorOf(record.to)), route.moving);
        Port& port = ports_[at(record.from)];
        record.sendBegin = std::max(next[at(record.from)], port.out);
        if (meets(record.bytes)) record.sendBegin = std::max(record.sendBegin, clock[at(record.to)]);
        record.sendEnd = later(record.sendBegin, work(record.from, record.bytes));
        next[at(record.from)] = record.sendEnd;
        port.out = later(record.sendBegin, occupation(record.from, route.moving));
        const Picoseconds ready = later(record.sendBegin, lasting(factorOf(record.from), model_.logGP->overhead));
        arrivals_.push_back(later(ready, route.startup));
        taken_.push_back(route);
    }
}

void DetailedClock::receive(std::span<Picoseconds> next) {
    order_.resize(records_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [this](std::size_t a, std::size_t b) { return arrivals_[a] < arrivals_[b]; });
    for (const std::size_t i : order_) {
        MessageRecord& record = records_[i];
        Port& port = ports_[at(record.to)];
        const Picoseconds begin = std::max(arrivals_[i], port.in);
        port.in = later(begin, occupation(record.to, taken_[i].moving));
        record.receiveBegin = std::max(later(begin, taken_[i].moving), next[at(record.to)]);
        record.receiveEnd = later(record.receiveBegin, work(record.to, record.bytes));
        next[at(record.to)] = record.receiveEnd;
    }
}

}  // namespace emulation
