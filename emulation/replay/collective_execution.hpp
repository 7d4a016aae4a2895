// SPDX-License-Identifier: BSD-3-Clause
// One collective of a replay while its members are in it: the rounds of its schedule that somebody is in, and no
// others.
#pragma once

#include "emulation/replay/collective_rounds.hpp"
#include "emulation/replay/in_flight_message.hpp"
#include "emulation/replay/log_gp_transport.hpp"
#include "emulation/replay/program.hpp"

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace emulation {

/// The messages of one round on their way.
class OpenRound {
public:
    /// Of the collective with this `number`; so many `passes` of processes make it.
    OpenRound(const std::vector<Rank>& members, std::shared_ptr<const CollectiveRound> what, std::int32_t number,
              engine::Round round, std::int64_t passes);

    /// What the member at `place` sends, in the order of its turn.
    [[nodiscard]] std::span<InFlightMessage> sends(std::int32_t place) {
        const auto [first, behind] = what_->sends(place);
        return std::span{messages_}.subspan(first, behind - first);
    }
    /// Which messages it receives.
    [[nodiscard]] std::span<const std::uint32_t> receives(std::int32_t place) const { return what_->receives(place); }
    [[nodiscard]] InFlightMessage& message(std::uint32_t index) { return messages_[index]; }
    [[nodiscard]] const CollectiveRound& what() const { return *what_; }
    /// Its messages come by the queues of members, by place, after those of earlier rounds; under LogGP.
    void leadTo(std::vector<ReceiverQueue>& queues);
    /// A process of a member has finished. Whether it was the last one.
    bool pass() { return --passes_ == 0; }

private:
    std::shared_ptr<const CollectiveRound> what_;
    std::vector<InFlightMessage> messages_;  // by the places of their senders
    std::int64_t passes_;                    // processes that are pending
};

class OpenRounds {
public:
    /// In the rounds `apart` a member has two processes. `queues`: members have some. `collective` and `roundsCache`
    /// outlive the object.
    OpenRounds(const CollectiveDone& collective, std::int32_t number, CollectiveRoundsCache& roundsCache,
               engine::Rounds apart, bool queues)
        : collective_{collective},
          number_{number},
          roundsCache_{roundsCache},
          apart_{apart},
          queues_(queues ? collective.members->size() : 0) {}

    /// Opened when the first process asks for it.
    OpenRound& at(engine::Round round);
    /// A process has gone through `round`.
    void pass(engine::Round round);

private:
    const CollectiveDone& collective_;
    std::int32_t number_;
    CollectiveRoundsCache& roundsCache_;
    engine::Rounds apart_;
    std::vector<ReceiverQueue> queues_;            // by place
    std::deque<std::unique_ptr<OpenRound>> open_;  // null: all have finished
    std::int64_t first_ = 0;                       // the round of the first one
};

/// A collective while somebody is in it.
struct CollectiveExecution {
    std::unique_ptr<OpenRounds> rounds;  ///< where members go through them one by one
    std::vector<std::int32_t> waiting;   ///< the processes that have come, where they wait for all to come
    bool isOpen = false;                 ///< they do not wait for each other
    engine::Picoseconds latest{};  ///< without a schedule, or in lockstep to the round: when the last of them came
    std::size_t come = 0;
    std::size_t gone = 0;
};

/// Which places ranks have among the members of collectives.
class PlacesOfMembers {
public:
    explicit PlacesOfMembers(std::size_t ranks) : ranks_{ranks} {}

    /// `rank` is one of `members`, which outlive the object.
    std::int32_t of(const std::vector<Rank>& members, Rank rank);

private:
    std::size_t ranks_;
    std::map<const std::vector<Rank>*, engine::ById<Rank, std::int32_t>> known_;
};

}  // namespace emulation
