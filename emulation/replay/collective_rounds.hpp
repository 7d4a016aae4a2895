// SPDX-License-Identifier: BSD-3-Clause
// What the rounds of a collective hold, whenever it happens: programs call the same one many times.
#pragma once

#include "emulation/clocks/round_costs.hpp"
#include "emulation/replay/program.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace emulation {

/// The messages of one round by the places of their senders, and who combines what.
class CollectiveRound {
public:
    CollectiveRound(const CollectiveDone& collective, engine::Round round, RoundCosts& costs);

    [[nodiscard]] std::size_t size() const { return from_.size(); }
    [[nodiscard]] std::int32_t from(std::size_t i) const { return from_[i]; }
    [[nodiscard]] std::int32_t to(std::size_t i) const { return to_[i]; }
    [[nodiscard]] engine::Bytes bytes(std::size_t i) const { return bytes_[i]; }
    [[nodiscard]] engine::Picoseconds cost(std::size_t i) const { return costs_[i]; }
    /// Beside the cost; under LogGP only, else 0.
    [[nodiscard]] engine::Picoseconds startup(std::size_t i) const {
        return startups_.empty() ? engine::Picoseconds{} : startups_[i];
    }
    /// Where the messages that the member at `place` sends begin and end.
    [[nodiscard]] std::pair<std::size_t, std::size_t> sends(std::int32_t place) const;
    /// Those that it receives.
    [[nodiscard]] std::span<const std::uint32_t> receives(std::int32_t place) const;
    /// How long it combines at the end of the round, if a byte takes `gamma`.
    [[nodiscard]] engine::Picoseconds combining(std::int32_t place, engine::Rate gamma, Factor slowness) const;

private:
    std::vector<std::int32_t> from_, to_;  // places
    std::vector<engine::Bytes> bytes_;
    std::vector<engine::Picoseconds> costs_;
    std::vector<engine::Picoseconds> startups_;
    std::vector<std::uint32_t> received_;       // by the places of receivers
    std::vector<std::uint32_t> firstSent_;      // by place, and one behind; empty where few of many members send
    std::vector<std::uint32_t> firstReceived_;  // likewise among `received_`
    std::vector<std::pair<std::int32_t, engine::Bytes>> combining_;  // by place
};

/// All rounds of a schedule among some members.
struct CollectiveRounds {
    std::vector<std::shared_ptr<const CollectiveRound>> rounds;
    bool gathers =
        false;  ///< no member leaves before all have entered: what each has in the end depends on all of them
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
};

/// Of all collectives of a program. Those of over a million messages are not kept.
class CollectiveRoundsCache {
public:
    /// All of them outlive the object; `costs` are those under `conditions`.
    CollectiveRoundsCache(RoundCosts& costs, const Network& network, const Conditions& conditions)
        : costs_{costs}, network_{network}, conditions_{conditions} {}

    /// Null for a collective that is too long to be kept. It has a schedule.
    const CollectiveRounds* of(const CollectiveDone& collective);
    /// One round, kept or not.
    std::shared_ptr<const CollectiveRound> round(const CollectiveDone& collective, engine::Round round);

private:
    /// Costs under a model of their own.
    struct OwnCosts {
        OwnCosts(const Network& network, Conditions those)
            : conditions{std::move(those)}, costs{network, conditions, 1} {}
        OwnCosts(const OwnCosts&) = delete;  // `costs` refer to `conditions`
        OwnCosts& operator=(const OwnCosts&) = delete;

        Conditions conditions;
        RoundCosts costs;
    };

    [[nodiscard]] std::optional<CollectiveRounds> make(const CollectiveDone& collective);
    RoundCosts& costsOf(const CollectiveDone& collective);

    RoundCosts& costs_;
    const Network& network_;
    const Conditions& conditions_;
    std::map<const engine::Model*, OwnCosts> ownCosts_;
    std::int64_t kept_ = 0;  // messages
    std::map<std::tuple<const engine::Schedule*, const std::vector<Rank>*, const engine::Model*>,
             std::optional<CollectiveRounds>>
        known_;
};

}  // namespace emulation
