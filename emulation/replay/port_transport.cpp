// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/port_transport.hpp"

#include "emulation/clocks/hockney.hpp"

#include <algorithm>
#include <numeric>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;
using engine::Round;

std::vector<ReplayLetter> lettersOf(const PointToPoint& messages, RoundCosts& costs) {
    std::vector<ReplayLetter> letters;
    letters.reserve(messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i)
        letters.push_back({.record = {messages.from[i], messages.to[i], Round{0}, messages.bytes[i], {}, {}, {}, {}},
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
            const MessageRecord& record = letters[order[i]].record;
            batch.push(record.from.value, record.to.value, record.bytes);
        }
        const auto cost = costs.of(batch, Round{0});
        const auto startup = costs.startups();
        for (std::size_t i = first; i < behind; ++i) {
            letters[order[i]].cost = cost[i - first];
            if (!startup.empty()) letters[order[i]].startup = startup[i - first];
        }
        first = behind;
    }
    return letters;
}

void PortTransport::postSend(ReplayLetter& letter, Picoseconds now) {
    letter.sendPosted = true;
    if (meets(letter)) {
        letter.record.sendBegin = now;
        if (letter.receivePosted) moveAt(letter, now);
    } else if (!queues_.empty()) {
        leave(letter, now);
    } else {
        ports_.send(letter.record, letter.cost, now);
        letter.left = true;
        if (letter.receivePosted) moveAt(letter, now);
    }
}

void PortTransport::leave(ReplayLetter& letter, Picoseconds now) {
    ports_.send(letter.record, letter.cost, now);
    letter.left = true;
    push(Moves::comes, letter, letter.record.sendBegin);
    push(Moves::message, letter, letter.record.sendEnd);
}

void PortTransport::postReceive(ReplayLetter& letter, Picoseconds now) {
    letter.receivePosted = true;
    letter.record.receiveBegin = now;
    if (queues_.empty() || meets(letter) ? letter.sendPosted : letter.arrived) moveAt(letter, now);
}

/// Both ends are posted.
void PortTransport::moveAt(ReplayLetter& letter, Picoseconds now) {
    const bool leaves = !queues_.empty() && meets(letter);
    push(leaves ? Moves::leaves : Moves::message, letter, hockney::receiveBegin(letter.record.sendBegin, now));
}

void PortTransport::push(Moves what, ReplayLetter& letter, Picoseconds when) {
    // Of rendezvous of one round the first ones of all turns come before the second ones.
    const bool byTurns = meets(letter) && letter.collective != ReplayLetter::nobody;
    events_.push({.time = when,
                  .what = what,
                  .order = byTurns ? static_cast<std::uint32_t>(letter.place) : letter.order,
                  .sendBegin = letter.record.sendBegin,
                  .letter = &letter});
}

bool PortTransport::move(ReplayLetter& letter, Picoseconds now) {
    if (!queues_.empty()) return arrive(letter, now);
    if (meets(letter)) ports_.meet(letter.record, letter.cost, now);
    else ports_.receive(letter.record, letter.cost, now);
    letter.left = letter.there = true;
    return true;
}

/// Once when the last byte has come, and again where it is waited for only later.
bool PortTransport::arrive(ReplayLetter& letter, Picoseconds now) {
    MessageRecord& record = letter.record;
    if (!letter.arrived) record.receiveEnd = queues_[record.to].ends(now, conditions_.ports);
    letter.arrived = true;
    if (!letter.receivePosted) return false;
    record.receiveBegin = std::max(record.receiveBegin, record.sendBegin);
    record.receiveEnd = std::max(record.receiveEnd, record.receiveBegin);
    letter.there = true;
    return true;
}

ReplayEvent PortTransport::next() {
    const ReplayEvent event = events_.top();
    events_.pop();
    return event;
}

}  // namespace emulation
