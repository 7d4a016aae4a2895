// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/port_transport.hpp"

#include "emulation/clocks/hockney.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;

std::vector<InFlightMessage> inFlightMessagesOf(const PointToPoint& messages, RoundCosts& costs) {
    std::vector<InFlightMessage> inFlight;
    inFlight.reserve(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i)
        inFlight.push_back({.record = {messages.from[i], messages.to[i], Round{0}, messages.bytes[i], {}, {}, {}, {}},
                            .order = static_cast<std::uint32_t>(i),
                            .synchronous = !messages.synchronous.empty() && messages.synchronous[i] != 0});
    std::vector<std::uint32_t> order(messages.size());
    std::iota(order.begin(), order.end(), 0U);
    if (!messages.together.empty())
        std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return messages.together[i]; });
    engine::Batch batch;
    for (std::size_t first = 0; first < order.size();) {
        std::size_t behind = first + 1;
        while (!messages.together.empty() && behind < order.size() &&
               messages.together[order[behind]] == messages.together[order[first]])
            ++behind;
        batch.reset(behind - first);
        for (std::size_t i = first; i < behind; ++i) {
            const MessageRecord& record = inFlight[order[i]].record;
            batch.push(record.from.value, record.to.value, record.bytes);
        }
        const auto cost = costs.of(batch, Round{0});
        const auto startup = costs.startups();
        for (std::size_t i = first; i < behind; ++i) {
            inFlight[order[i]].cost = cost[i - first];
            if (!startup.empty()) inFlight[order[i]].startup = startup[i - first];
        }
        first = behind;
    }
    return inFlight;
}

void PortTransport::postSend(InFlightMessage& message, Picoseconds now) {
    message.sendPosted = true;
    if (meets(message)) {
        message.record.sendBegin = now;
        if (message.receivePosted) moveAt(message, now);
    } else if (!queues_.empty()) {
        leave(message, now);
    } else {
        ports_.send(message.record, message.cost, now);
        message.left = true;
        if (message.receivePosted) moveAt(message, now);
    }
}

void PortTransport::leave(InFlightMessage& message, Picoseconds now) {
    ports_.send(message.record, message.cost, now);
    message.left = true;
    push(Moves::comes, message, message.record.sendBegin);
    push(Moves::message, message, message.record.sendEnd);
}

void PortTransport::postReceive(InFlightMessage& message, Picoseconds now) {
    message.receivePosted = true;
    message.record.receiveBegin = now;
    if (queues_.empty() || meets(message) ? message.sendPosted : message.arrived) moveAt(message, now);
}

/// Both ends are posted.
void PortTransport::moveAt(InFlightMessage& message, Picoseconds now) {
    const bool leaves = !queues_.empty() && meets(message);
    push(leaves ? Moves::leaves : Moves::message, message, hockney::receiveBegin(message.record.sendBegin, now));
}

void PortTransport::push(Moves what, InFlightMessage& message, Picoseconds when) {
    // Of rendezvous of one round the first ones of all turns come before the second ones.
    const bool byTurns = meets(message) && message.collective != InFlightMessage::nobody;
    events_.push({.time = when,
                  .what = what,
                  .order = byTurns ? static_cast<std::uint32_t>(message.place) : message.order,
                  .sendBegin = message.record.sendBegin,
                  .message = &message});
}

bool PortTransport::move(InFlightMessage& message, Picoseconds now) {
    if (!queues_.empty()) return arrive(message, now);
    if (meets(message)) ports_.meet(message.record, message.cost, now);
    else ports_.receive(message.record, message.cost, now);
    message.left = message.there = true;
    return true;
}

/// Once when the last byte has come, and again where it is waited for only later.
bool PortTransport::arrive(InFlightMessage& message, Picoseconds now) {
    MessageRecord& record = message.record;
    if (!message.arrived) record.receiveEnd = queues_[record.to].ends(now, conditions_.ports);
    message.arrived = true;
    if (!message.receivePosted) return false;
    record.receiveBegin = std::max(record.receiveBegin, record.sendBegin);
    record.receiveEnd = std::max(record.receiveEnd, record.receiveBegin);
    message.there = true;
    return true;
}

ReplayEvent PortTransport::next() {
    const ReplayEvent event = events_.top();
    events_.pop();
    return event;
}

}  // namespace emulation
