// SPDX-License-Identifier: BSD-3-Clause
// A network as flows see it: links with capacities and latencies, routes between ranks with weights.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/fair/fair_shares.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/by_id.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace emulation {

class FairNetwork {
public:
    /// Throws Error when a link is over 10^9 times slower than another, or a slow one is not there.
    FairNetwork(const Network& network, const Conditions& conditions);

    /// A message's route.
    struct Route {
        std::span<const engine::LinkId> links;  ///< those that can be crowded; valid until the next call from there
        engine::Picoseconds latency{};          ///< before its first byte
        FairShares::Weight weight = 1;
        FairShares::Rate alone = 0;  ///< the message's rate where it crosses no link
    };
    [[nodiscard]] const Route& route(Rank from, Rank to);

    /// Of every link, in units of 2^-56 of the fastest.
    [[nodiscard]] const std::vector<FairShares::Rate>& capacities() const { return capacities_.vector(); }
    /// Time per byte of the fastest link.
    [[nodiscard]] engine::Rate unit() const { return unit_; }

private:
    /// A sender's latest route: most schedules keep their peers for many rounds.
    struct Last {
        Rank to{-1};
        std::vector<engine::LinkId> links;
        Route route;
    };

    void find(Rank from, Last& last);
    [[nodiscard]] FairShares::Rate capacityFor(engine::Rate beta) const;

    const Network* network_;
    engine::Picoseconds alpha_{};
    bool weighted_;
    engine::Rate unit_{};
    FairShares::Rate alone_ = 0;
    engine::Picoseconds shortest_{};  ///< least latency of any message that has one; weights are relative to it
    engine::ById<LinkId, FairShares::Rate> capacities_;
    engine::ById<LinkId, engine::Picoseconds> latencies_;
    std::map<std::pair<std::int32_t, std::int32_t>, FairShares::Rate> slowPairs_;  // networks without links
    engine::ById<Rank, Last> last_;                                                // by sender
};

/// Throws Error for conditions that fair sharing does not know: it knows alpha and beta, links of their own quality,
/// slow ones among them, late ranks, and nothing else.
void requireFair(const Network& network, const Conditions& conditions);

}  // namespace emulation
