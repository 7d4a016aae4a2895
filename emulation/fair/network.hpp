// SPDX-License-Identifier: BSD-3-Clause
// A network as fluids see it: links with capacities and latencies, ways between ranks with weights.
#pragma once

#include "emulation/clocks/clockwork.hpp"
#include "emulation/fair/shares.hpp"

#include <map>
#include <span>
#include <utility>
#include <vector>

namespace emulation {

class FluidNetwork {
public:
    /// Throws Error when a link is over 10^9 times slower than another, or a slow one is not there.
    FluidNetwork(const Network& network, const Conditions& conditions);

    /// A message's way.
    struct Way {
        std::span<const engine::LinkId> links;  ///< those that can be crowded; valid until the next call from there
        engine::Picoseconds latency{};          ///< before its first byte
        FluidShares::Weight weight = 1;
        FluidShares::Rate alone = 0;  ///< the message's rate where it crosses no link
    };
    [[nodiscard]] const Way& way(Rank from, Rank to);

    /// Of every link, in units of 2^-56 of the fastest.
    [[nodiscard]] const std::vector<FluidShares::Rate>& capacities() const { return capacities_; }
    /// Time per byte of the fastest link.
    [[nodiscard]] engine::Rate unit() const { return unit_; }

private:
    /// A sender's latest way: most schedules keep their peers for many rounds.
    struct Last {
        Rank to{-1};
        std::vector<engine::LinkId> links;
        Way way;
    };

    void find(Rank from, Last& last);
    [[nodiscard]] FluidShares::Rate capacityFor(engine::Rate beta) const;

    const Network* network_;
    engine::Picoseconds alpha_{};
    bool weighted_;
    engine::Rate unit_{};
    FluidShares::Rate alone_ = 0;
    engine::Picoseconds shortest_{};  ///< least latency of any message that has one; weights are relative to it
    std::vector<FluidShares::Rate> capacities_;
    std::vector<engine::Picoseconds> latencies_;
    std::map<std::pair<std::int32_t, std::int32_t>, FluidShares::Rate> slowPairs_;  // networks without links
    std::vector<Last> last_;                                                        // per sender
};

}  // namespace emulation
