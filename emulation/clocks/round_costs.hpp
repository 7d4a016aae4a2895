// SPDX-License-Identifier: BSD-3-Clause
// What each message of a round costs: under alpha and beta how long it keeps a port at both of its ends, under LogGP
// what its bytes add to that, and its way to the receiver.
#pragma once

#include "emulation/clocks/route_costs.hpp"
#include "engine/base/by_id.hpp"
#include "engine/schedule/schedule.hpp"

#include <span>
#include <vector>

namespace emulation {

class RoundCosts {
public:
    /// For rounds 0..`rounds`-1. Throws Error for slow ranks and links that are not there. Both outlive the object.
    RoundCosts(const Network& network, const Conditions& conditions, std::int64_t rounds);

    /// Of the messages of `round` in the order of the batch; valid until the next call. A round may come several times.
    std::span<const engine::Picoseconds> of(const engine::Batch& batch, engine::Round round);
    /// Under LogGP: how long the first bytes of these messages are in flight. Else empty, as of() has it.
    [[nodiscard]] std::span<const engine::Picoseconds> startups() const { return startups_; }

    /// The loads of all rounds.
    [[nodiscard]] Congestion finish() { return links_.finish(); }

private:
    [[nodiscard]] Factor factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }

    bool logGP_;
    bool routed_;
    LinkTally links_;
    RouteCosts routes_;
    engine::ById<Rank, Factor> factors_;  // empty: all 1
    std::vector<engine::Picoseconds> costs_;
    std::vector<engine::Picoseconds> startups_;
};

}  // namespace emulation
