// SPDX-License-Identifier: BSD-3-Clause
// Messages in flight at max-min fair rates (fair/fair_clock.hpp says the rules), and the moments at which they end,
// among those of others: whoever moves messages like that keeps its own moments in the same queue.
#pragma once

#include "emulation/fair/fair_network.hpp"
#include "emulation/fair/fair_queue.hpp"
#include "emulation/fair/fair_shares.hpp"

#include <vector>

namespace emulation {

class FairFlows {
public:
    /// Throws Error when a link is over 10^9 times slower than another, or a slow one is not there.
    FairFlows(const Network& network, const Conditions& conditions);

    /// All events; those of others have a `who` below 0.
    [[nodiscard]] FairQueue& queue() { return queue_; }
    [[nodiscard]] const FairQueue& queue() const { return queue_; }

    /// A message goes; its number until it has ended. Throws Error when time runs out.
    std::int32_t go(Rank from, Rank to, engine::Bytes bytes, engine::Picoseconds now);
    /// Brings rates up to date, when all has gone and ended that does at this moment.
    void settle(engine::Picoseconds now);
    /// An event of a message at its time: whether the message ends. Then its number is free, for one that goes next.
    bool happen(FairQueue::Event event, engine::Picoseconds now);

private:
    using Wide = unsigned __int128;
    struct Flow {
        Rank from{};
        Rank to{};
        engine::Bytes bytes = 0;
        Wide left = 0;  ///< in 2^-56 of what the fastest link moves in a femtosecond
        FairShares::Rate rate = 0;
        engine::Picoseconds since{};  ///< `left` is of that time
        std::uint32_t stamp = 0;      ///< of its latest event; older ones do not count
        bool flowing = false;         ///< on links
    };
    static constexpr engine::Picoseconds unborn{-1};  // of a message without its first byte

    Flow& flow(std::int32_t id) { return flows_[engine::asSize(id)]; }
    std::int32_t newFlow();
    void flowIn(std::int32_t id, const FairNetwork::Route& route, engine::Picoseconds now);
    void changeRate(std::int32_t id, engine::Picoseconds now);
    void setRate(std::int32_t id, FairShares::Rate rate, engine::Picoseconds now);

    engine::Bytes header_;
    FairNetwork network_;
    FairShares shares_;
    FairQueue queue_;
    std::vector<Flow> flows_;
    std::vector<std::int32_t> spare_;  // numbers that are not in use
};

}  // namespace emulation
