// SPDX-License-Identifier: BSD-3-Clause
// The messages of a replay where links are shared fairly, by the rules of fair/fair_clock.hpp: a message is in flight
// when both of its ends are posted, and both are done when its last byte has come; with Protocol::detached a small one
// is off its sender's hands when it is posted. With fewer ports than messages a rank's sends hold its ports in the
// order of posting.
#pragma once

#include "emulation/fair/fair_flows.hpp"
#include "emulation/fair/fair_ports.hpp"
#include "emulation/replay/in_flight_message.hpp"

#include <optional>
#include <span>
#include <vector>

namespace emulation {

class FairTransport {
public:
    /// `network` and `conditions` outlive the object.
    FairTransport(const Network& network, const Conditions& conditions);

    /// Whether its sender waits for its receiver.
    [[nodiscard]] bool meets(const InFlightMessage& message) const { return !isDetached(message); }

    /// An end is posted; all posts come in the order of time.
    void postSend(InFlightMessage& message, engine::Picoseconds now);
    void postReceive(InFlightMessage& message, engine::Picoseconds now);
    void wake(std::int32_t process, engine::Picoseconds when) { flows_.queue().push(when, {~process, 0}); }

    [[nodiscard]] bool empty() const { return flows_.queue().empty(); }
    /// What happens next; that may be at the same moment as before. There must be something.
    struct Moment {
        engine::Picoseconds time{};
        std::span<const std::int32_t> processes;     ///< that wanted to be woken, by number
        std::span<InFlightMessage* const> messages;  ///< whose messages have ended
    };
    Moment next();
    /// When all has been posted that follows from that: messages find ports, and new rates.
    void settle(engine::Picoseconds now);

private:
    [[nodiscard]] bool isDetached(const InFlightMessage& message) const {
        return !message.synchronous && message.record.bytes < conditions_.protocol.detached;
    }
    void start(InFlightMessage& message, engine::Picoseconds now);
    void go(InFlightMessage& message, engine::Picoseconds now);

    const Conditions& conditions_;
    FairFlows flows_;
    std::optional<FairPorts> ports_;           // where they are limited
    engine::ById<Rank, std::int32_t> posted_;  // sends that hold ports, or will
    std::vector<InFlightMessage*> waiting_;    // for ports, by their number there
    std::vector<std::int64_t> spare_;          // numbers there that are not in use
    std::vector<InFlightMessage*> flowing_;    // by the number of the flow
    std::vector<FairQueue::Event> due_;
    std::vector<std::int32_t> processes_;
    std::vector<InFlightMessage*> ended_;
};

}  // namespace emulation
