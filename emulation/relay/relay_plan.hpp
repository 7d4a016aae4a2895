// SPDX-License-Identifier: BSD-3-Clause
// The steps one round takes when its messages go from neighbour to neighbour; relay.hpp says by which rules.
#pragma once

#include "emulation/networks/network.hpp"
#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

#include <compare>
#include <span>
#include <vector>

namespace emulation {

/// One message of the round, from its origin to its destination.
struct RelayedMessage {
    Rank from;
    Rank to;
    std::int32_t ordinal = 0;  ///< among the sends of its origin
    // Reductions only:
    std::int32_t place = 0;  ///< among the receives of its destination
    engine::Bytes bytes = 0;
    engine::Slots read = 0;     ///< the slot at its origin
    engine::Slots changed = 0;  ///< the slots at its destination
    engine::Action action = engine::Action::keep;
};

/// Appends the ranks that a message comes to on this route; it crosses free places without a stop.
void appendStops(const Network& network, std::span<const LinkId> route, std::vector<Rank>& out);

/// A message's passage from one rank to the next: over one link, or over those to and from free places.
struct Hop {
    std::int32_t step = 0;
    Rank from;
    Rank to;
    std::int32_t relayed = 0;
    bool last = false;           ///< arrives at its destination
    std::int32_t fromSlot = -1;  ///< reductions: where it lay in transit; -1 at its origin
    std::int32_t toSlot = -1;    ///< reductions: where it will; -1 at its destination
};

/// All hops of a round.
class RelayPlan {
public:
    RelayPlan() = default;
    RelayPlan(std::vector<RelayedMessage> relayedMessages, std::vector<Hop> hops);

    [[nodiscard]] const RelayedMessage& relayed(const Hop& hop) const {
        return relayedMessages_[engine::asSize(hop.relayed)];
    }
    [[nodiscard]] std::int64_t steps() const { return steps_; }
    /// Hops that leave, or reach, ranks first..last-1 in `step`; by rank, and in one order for both ends of a link.
    [[nodiscard]] std::span<const Hop> leaving(std::int64_t step, Rank first, Rank last) const;
    [[nodiscard]] std::span<const Hop> reaching(std::int64_t step, Rank first, Rank last) const;

private:
    std::vector<RelayedMessage> relayedMessages_;
    std::vector<Hop> bySender_;
    std::vector<Hop> byReceiver_;
    std::int64_t steps_ = 0;
};

/// What a planner must know beside the messages.
struct RelayRules {
    const Network* network = nullptr;
    int ports = 1;
    bool partials = false;      ///< a reduction
    bool orderMatters = false;  ///< reduction whose operation does not commute
    int slots = 0;              ///< those of the algorithm; transit slots follow
};

/// Plans the hops of `relayedMessages`, which are in the order of their senders. Throws Error as neighboursOnly does.
RelayPlan planRelays(std::vector<RelayedMessage> relayedMessages, const RelayRules& rules);

}  // namespace emulation
