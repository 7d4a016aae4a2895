// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/fair_transport.hpp"

#include <algorithm>
#include <tuple>

namespace emulation {

using engine::Picoseconds;

FairTransport::FairTransport(const Network& network, const Conditions& conditions)
    : conditions_{conditions}, flows_{network, conditions}, posted_(network.ranks()) {
    if (conditions.ports > 0) ports_.emplace(network.ranks(), conditions.ports);
}

void FairTransport::postSend(InFlightMessage& message, Picoseconds now) {
    message.sendPosted = true;
    message.record.sendBegin = message.record.sendEnd = now;
    message.left = isDetached(message);
    if (!message.left) message.place = posted_[message.record.from]++;
    if (message.receivePosted) start(message, now);
}

void FairTransport::postReceive(InFlightMessage& message, Picoseconds now) {
    message.receivePosted = true;
    if (message.sendPosted) start(message, now);
}

/// Both ends are there.
void FairTransport::start(InFlightMessage& message, Picoseconds now) {
    if (!ports_) return go(message, now);
    if (spare_.empty()) {
        spare_.push_back(static_cast<std::int64_t>(waiting_.size()));
        waiting_.emplace_back();
    }
    const std::int64_t number = spare_.back();
    spare_.pop_back();
    waiting_[engine::asSize(number)] = &message;
    const engine::MessageRecord& record = message.record;
    ports_->wait({record.from, record.to, record.round, record.bytes, static_cast<std::int32_t>(message.order), number},
                 isDetached(message) ? FairPorts::detached : message.place, now);
}

void FairTransport::go(InFlightMessage& message, Picoseconds now) {
    message.record.receiveBegin = now;
    if (!isDetached(message)) message.record.sendBegin = now;
    const std::int32_t id = flows_.go(message.record.from, message.record.to, message.record.bytes, now);
    if (engine::asSize(id) >= flowing_.size()) flowing_.resize(engine::asSize(id) + 1);
    flowing_[engine::asSize(id)] = &message;
}

void FairTransport::settle(Picoseconds now) {
    if (flows_.queue().hasMore()) return;  // at this moment
    if (ports_)
        ports_->letGo([&](const FairPorts::Message& message) {
            spare_.push_back(message.number);
            go(*waiting_[engine::asSize(message.number)], now);
        });
    flows_.settle(now);
}

FairTransport::Moment FairTransport::next() {
    const Picoseconds now = flows_.queue().pop(due_);
    processes_.clear();
    ended_.clear();
    for (const FairQueue::Event event : due_) {
        if (event.who < 0) {
            processes_.push_back(~event.who);
            continue;
        }
        if (!flows_.happen(event, now)) continue;
        InFlightMessage& message = *flowing_[engine::asSize(event.who)];
        message.record.receiveEnd = now;
        if (!isDetached(message)) message.record.sendEnd = now;
        if (ports_) ports_->ended(message.record.from, message.record.to, isDetached(message));
        ended_.push_back(&message);
    }
    std::ranges::sort(processes_);
    std::ranges::sort(ended_, {}, [](const InFlightMessage* message) {
        return std::tuple{message->collective, message->record.round, message->record.from, message->order};
    });
    return {now, processes_, ended_};
}

}  // namespace emulation
