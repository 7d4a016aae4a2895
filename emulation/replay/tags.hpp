// SPDX-License-Identifier: BSD-3-Clause
// Programs as text for other tools: schedules for all of their collectives, and a tag for each message.
#pragma once

#include "emulation/replay/collective_execution.hpp"
#include "emulation/replay/program.hpp"

#include <map>
#include <string_view>
#include <vector>

namespace emulation {

/// How tags are given: those of messages outside of collectives are their numbers.
struct Tagging {
    std::string_view format;                               ///< for complaints: "GOAL"
    std::int64_t most = 0;                                 ///< how many tags it has
    std::int64_t (*perRound)(const engine::Facts& facts);  ///< how many a round of a collective needs
};

class TaggedCollectives {
public:
    /// `program` outlives the object. Throws Error where it needs more tags than there are.
    TaggedCollectives(const Program& program, const Tagging& tagging);

    /// Of a collective without one: a dissemination of empty messages.
    [[nodiscard]] const engine::Schedule& scheduleOf(const CollectiveDone& collective);
    /// The first one of the round.
    [[nodiscard]] std::int64_t tagOf(std::size_t collective, engine::Round round) const {
        return first_[collective].tag + round.value * first_[collective].perRound;
    }
    [[nodiscard]] Rank placeOf(const CollectiveDone& collective, Rank rank) {
        return Rank{places_.of(*collective.members, rank)};
    }

private:
    struct First {
        std::int64_t tag = 0;
        std::int64_t perRound = 1;
    };

    PlacesOfMembers places_;
    std::vector<First> first_;                             // by collective
    std::map<std::size_t, engine::SchedulePtr> meetings_;  // by members
};

}  // namespace emulation
