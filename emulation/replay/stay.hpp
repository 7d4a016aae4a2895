// SPDX-License-Identifier: BSD-3-Clause
// One collective of a replay while its members are in it: the rounds of its schedule that somebody is in, and no
// others.
#pragma once

#include "emulation/clocks/round_costs.hpp"
#include "emulation/replay/letter.hpp"
#include "emulation/replay/program.hpp"

#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace emulation {

/// The messages of one round, and who combines what.
class OpenRound {
public:
    /// Of the collective with this `number`; so many `passes` of strands make it.
    OpenRound(const CollectiveDone& collective, std::int32_t number, engine::Round round, RoundCosts& costs,
              std::int64_t passes);

    /// What the member at `place` sends, in the order of its turn.
    [[nodiscard]] std::span<ReplayLetter> sends(std::int32_t place);
    /// Indices among `letters` of what it receives.
    [[nodiscard]] std::span<const std::uint32_t> receives(std::int32_t place) const;
    [[nodiscard]] ReplayLetter& letter(std::uint32_t index) { return letters_[index]; }
    /// How long it combines at the end of the round, if a byte takes `gamma`.
    [[nodiscard]] engine::Picoseconds combining(std::int32_t place, engine::Rate gamma, Factor slowness) const;
    /// A strand of a member is through. Whether it was the last one.
    bool pass() { return --passes_ == 0; }

private:
    std::vector<ReplayLetter> letters_;         // by the places of their senders
    std::vector<std::uint32_t> received_;       // indices among them by the places of their receivers
    std::vector<std::uint32_t> firstSent_;      // by place, and one behind: where its own begin among `letters_`
    std::vector<std::uint32_t> firstReceived_;  // likewise among `received_`
    std::vector<std::pair<std::int32_t, engine::Bytes>> combining_;  // by place
    std::int64_t passes_;                                            // strands that have still to come through
};

class OpenRounds {
public:
    /// `collective` and `costs` outlive the object.
    OpenRounds(const CollectiveDone& collective, std::int32_t number, RoundCosts& costs)
        : collective_{collective}, number_{number}, costs_{costs} {}

    /// Opened when the first strand asks for it.
    OpenRound& at(engine::Round round);
    /// A strand has gone through `round`.
    void pass(engine::Round round);

private:
    const CollectiveDone& collective_;
    std::int32_t number_;
    RoundCosts& costs_;
    std::deque<std::unique_ptr<OpenRound>> open_;  // null: all are through
    std::int64_t first_ = 0;                       // the round of the first one
};

/// A collective while somebody is in it.
struct Stay {
    std::unique_ptr<OpenRounds> rounds;  ///< where it has a schedule
    std::vector<std::int32_t> waiting;   ///< else: the strands that have come
    engine::Picoseconds latest{};        ///< when the last of them did
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
