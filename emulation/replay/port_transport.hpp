// SPDX-License-Identifier: BSD-3-Clause
// The messages of a replay in flight, and what happens next.
#pragma once

#include "emulation/clocks/rank_ports.hpp"
#include "emulation/clocks/round_costs.hpp"
#include "emulation/replay/in_flight_message.hpp"
#include "emulation/replay/in_queue.hpp"
#include "emulation/replay/program.hpp"

#include <queue>
#include <tuple>
#include <vector>

namespace emulation {

/// What happens at one moment, in this order: processes act on all that has come, then ports take what is there, then
/// rendezvous leave for ports that take bytes, then processors do what they can.
enum class Moves : std::uint8_t { process, comes, message, leaves, works };

struct ReplayEvent {
    engine::Picoseconds time{};
    Moves what = Moves::process;
    std::uint32_t order = 0;          ///< of messages whose sends began together; numbers of processes; ranks that work
    engine::Picoseconds sendBegin{};  ///< of a message; under LogGP when its first byte comes
    InFlightMessage* message = nullptr;

    /// Written out: the queue asks this more often than anything else is done in a replay.
    friend bool operator>(const ReplayEvent& a, const ReplayEvent& b) {
        if (a.time != b.time) return a.time > b.time;
        if (a.what != b.what) return a.what > b.what;
        if (a.sendBegin != b.sendBegin) return a.sendBegin > b.sendBegin;
        if (a.order != b.order || a.message == nullptr) return a.order > b.order;
        const auto rest = [](const InFlightMessage& l) {
            return std::tie(l.collective, l.record.round, l.record.from, l.order);
        };
        return rest(*a.message) > rest(*b.message);
    }
};

/// The in-flight messages of all that are outside of collectives, with their costs.
std::vector<InFlightMessage> inFlightMessagesOf(const PointToPoint& messages, RoundCosts& costs);

class PortTransport {
public:
    /// `conditions` outlive the object.
    PortTransport(std::int32_t ranks, const Conditions& conditions, bool byByte)
        : conditions_{conditions}, ports_{ranks, conditions.ports}, queues_(byByte ? ranks : 0) {}

    /// Whether it is a rendezvous.
    [[nodiscard]] bool meets(const InFlightMessage& message) const {
        return message.synchronous ||
               (conditions_.model.eagerLimit && message.record.bytes > *conditions_.model.eagerLimit);
    }

    /// An end is posted; all posts come in the order of time.
    void postSend(InFlightMessage& message, engine::Picoseconds now);
    void postReceive(InFlightMessage& message, engine::Picoseconds now);
    /// A message, both ends of which are posted, takes its ports; where they take messages byte by byte, its last byte
    /// has come, or it is waited for now. Whether it is known now when it is there.
    bool move(InFlightMessage& message, engine::Picoseconds now);
    /// Its bytes begin to leave, where ports take messages byte by byte; of a rendezvous when both ends are posted.
    void leave(InFlightMessage& message, engine::Picoseconds now);
    /// Its first byte comes, where ports take messages byte by byte.
    void comes(const InFlightMessage& message, engine::Picoseconds now) {
        queues_[message.record.to].begins(now, conditions_.ports);
    }

    /// Those of all ranks.
    [[nodiscard]] Ports& ports() { return ports_; }

    void wake(std::int32_t process, engine::Picoseconds when) {
        events_.push({.time = when, .what = Moves::process, .order = static_cast<std::uint32_t>(process)});
    }

    [[nodiscard]] bool empty() const { return events_.empty(); }
    /// What happens next; it is reported once.
    ReplayEvent next();

private:
    void moveAt(InFlightMessage& message, engine::Picoseconds now);
    void push(Moves what, InFlightMessage& message, engine::Picoseconds when);
    bool arrive(InFlightMessage& message, engine::Picoseconds now);

    const Conditions& conditions_;
    Ports ports_;
    engine::ById<Rank, InQueue> queues_;  // empty: ports take one message after the other
    std::priority_queue<ReplayEvent, std::vector<ReplayEvent>, std::greater<>> events_;
};

}  // namespace emulation
