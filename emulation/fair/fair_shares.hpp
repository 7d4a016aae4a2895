// SPDX-License-Identifier: BSD-3-Clause
// Max-min fair rates, kept up to date while flows come and go.
//
// Every flow crosses some links and has a weight; what crosses a link is at most its capacity. Rates are max-min fair:
// no flow can have more without taking from one that has no more per weight. Found by filling: the link whose capacity
// over weight is least fixes its flows, and so on with what is left (Bertsekas and Gallager 1992, section 6.5).
//
// Only flows that are joined to a change by shared links are looked at again. All numbers are integers. A link's
// capacity over weight is kept and compared as an exact fraction, and a rate is rounded down: the only rounding.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace emulation {

class FairShares {
public:
    using FlowId = std::int32_t;  ///< any number from 0, chosen by the caller
    using Rate = std::uint64_t;   ///< in the unit of the capacities
    using Weight = std::uint64_t;

    static constexpr Rate mostCapacity = Rate{1} << 56;
    static constexpr Weight mostWeight = Weight{1} << 40;  ///< those on one link must add up to less than 2^62

    /// `capacities`: of each link that flows cross, 1..mostCapacity.
    explicit FairShares(std::vector<Rate> capacities);

    /// A flow that is there from now on; its route names each link once and is not empty, its weight 1..mostWeight.
    void add(FlowId flow, std::span<const engine::LinkId> route, Weight weight);
    void remove(FlowId flow);

    /// Brings rates up to date. The flows whose rate is another than before, in no order that matters, a new one
    /// perhaps twice; valid until the next call.
    std::span<const FlowId> settle();

    [[nodiscard]] Rate rate(FlowId flow) const { return flows_[engine::asSize(flow)].rate; }

private:
    /// A flow's place on one link of its route.
    struct Hop {
        std::int32_t link = 0;
        std::int32_t place = 0;  ///< index into the link's crossings
    };
    /// A link's view of a hop.
    struct Crossing {
        FlowId flow = 0;
        std::int32_t hop = 0;  ///< index into the flow's hops
    };
    struct Flow {
        std::vector<Hop> hops;
        Weight weight = 1;
        Rate rate = 0;
        std::uint32_t seen = 0;   ///< the settling that last looked at it
        std::uint32_t fixed = 0;  ///< the settling that last gave it a rate
    };
    struct Link {
        Rate capacity = 0;
        std::vector<Crossing> crossings;
        Rate left = 0;      ///< while settling: capacity that no fixed flow has
        Weight weight = 0;  ///< while settling: of the flows not fixed
        std::uint32_t seen = 0;
        bool touched = false;
    };
    /// A link's fill level, capacity over weight, when it was written down.
    struct Level {
        Rate left;
        Weight weight;
        std::int32_t link;
    };

    static bool later(const Level& a, const Level& b);
    void touch(std::int32_t link);
    void gather();
    void fill();
    void saturate(Link& link);

    std::vector<Link> links_;
    std::vector<Flow> flows_;
    std::vector<std::int32_t> touched_;
    std::vector<FlowId> alone_;       // new flows that had met nobody when they came
    std::vector<std::int32_t> near_;  // links of this settling
    std::vector<Level> levels_;       // a heap, the least level on top
    std::vector<FlowId> changed_;
    std::uint32_t settling_ = 0;
};

}  // namespace emulation
