// SPDX-License-Identifier: BSD-3-Clause
// Ring schedules as data: a belt of blocks that moves one place on in every round.
//
//   In round t place i sends block (first[i] - t) mod b to place i + 1, as long as t < rounds[i].
//
// A schedule made of a Conveyor is the same to everyone who asks for turns; whoever knows the type (virtual time) can
// move all ranks of a round, and many rounds, in one plain loop.
#pragma once

#include "engine/schedule.hpp"

#include <vector>

namespace engine {

/// O(places + blocks) memory; b = blocks.size().
struct Conveyor {
    std::vector<Range> blocks;             ///< bytes of each block, in their order on the belt; may be empty ranges
    std::vector<std::int64_t> first;       ///< by place: the block it sends in round 0, 0..b-1
    std::vector<std::int64_t> rounds;      ///< by place: how many blocks it sends, one a round from round 0 on
    std::vector<std::int32_t> rankAt{};    ///< by place; empty: place i is rank i

    [[nodiscard]] std::int32_t places() const { return static_cast<std::int32_t>(first.size()); }
};

class ConveyorSchedule final : public Schedule {
public:
    /// `facts.rounds` is set from the conveyor.
    ConveyorSchedule(Facts facts, Conveyor conveyor);

    [[nodiscard]] const Conveyor& conveyor() const { return conveyor_; }
    void batch(Round round, Rank first, Rank last, Batch& out) const override;

private:
    void fill(Rank rank, Round round, Turn& out) const override;
    [[nodiscard]] std::int32_t placeOf(Rank rank) const;
    [[nodiscard]] Rank rankAt(std::int32_t place) const;
    [[nodiscard]] std::int32_t before(std::int32_t place) const;
    [[nodiscard]] std::int32_t after(std::int32_t place) const;
    [[nodiscard]] Range blockFrom(std::int32_t place, Round round) const;

    Conveyor conveyor_;
    std::vector<std::int32_t> placeOf_;  // by rank; empty when rank = place
};

/// One stage called `name` that runs the conveyor.
SchedulePtr onConveyor(Facts facts, std::string name, Conveyor conveyor);

}  // namespace engine
