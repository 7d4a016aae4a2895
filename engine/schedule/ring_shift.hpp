// SPDX-License-Identifier: BSD-3-Clause
// Ring schedules as data: a belt of blocks that moves one place on in every round.
//
//   In round t place i sends block (first[i] - t) mod b to place i + 1, as long as t < rounds[i].
//
// A schedule made of a RingShift is the same to everyone who asks for turns; whoever knows the type (virtual time) can
// move all ranks of a round, and many rounds, in one plain loop.
#pragma once

#include "engine/schedule/schedule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace engine {

/// O(places + blocks) memory; b = blocks.size().
struct RingShift {
    std::vector<Range> blocks;           ///< bytes of each block, in their order on the belt; may be empty ranges
    std::vector<std::int64_t> first;     ///< by place: the block it sends in round 0, 0..b-1
    std::vector<std::int64_t> rounds;    ///< by place: how many blocks it sends, one a round from round 0 on
    std::vector<std::int32_t> rankAt{};  ///< by place; empty: place i is rank i
    bool sendsEmpty = true;              ///< whether a block without bytes is a message, too

    [[nodiscard]] std::int32_t places() const { return static_cast<std::int32_t>(first.size()); }
};

class RingShiftSchedule final : public Schedule {
public:
    /// `facts.rounds` is set from the ring shift.
    RingShiftSchedule(Facts facts, RingShift ringShift);

    [[nodiscard]] const RingShift& ringShift() const { return ringShift_; }
    void batch(Round round, Rank first, Rank last, Batch& out) const override;

private:
    void fill(Rank rank, Round round, Turn& out) const override;
    [[nodiscard]] std::int32_t placeOf(Rank rank) const;
    [[nodiscard]] Rank rankAt(std::int32_t place) const;
    [[nodiscard]] std::int32_t before(std::int32_t place) const;
    [[nodiscard]] std::int32_t after(std::int32_t place) const;
    /// What `place` sends in `round`, if anything.
    [[nodiscard]] std::optional<Range> blockFrom(std::int32_t place, Round round) const;

    RingShift ringShift_;
    std::vector<std::int32_t> placeOf_;  // by rank; empty when rank = place
};

/// The ring shift of an allgather: place i brings `blocks[i]` (at least one each), sends its own ones first, the last
/// of them at first, and then passes on what comes; place i + 1 gets all but its own. b = (2, 1, 1), blocks a0 a1 | b0
/// | c0:
///
///   round   0 -> 1   1 -> 2   2 -> 0
///     1       a1       b0       c0
///     2       a0       a1       b0
///     3       c0       a0
///
/// Rounds: all blocks less the fewest of a place (Traff et al. 2010, equation (1)).
RingShift allgatherRingShift(const std::vector<std::vector<Range>>& blocks, std::vector<std::int32_t> rankAt = {});

/// One stage called `name` that runs the ring shift.
SchedulePtr onRingShift(Facts facts, std::string name, RingShift ringShift);

}  // namespace engine
