// SPDX-License-Identifier: BSD-3-Clause
// The lower bounds that one run is compared with, all of one class of schedules.
#pragma once

#include "app/analysis/messages/schedule_totals.hpp"
#include "emulation/bounds/network_bound.hpp"
#include "emulation/networks/network.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/cost/bounds.hpp"

#include <optional>
#include <string>
#include <vector>

namespace app::analysis {

/// What a bound on time contains.
struct TimeParts {
    std::string words{};   ///< "3 startups and 256 KiB of serialized transfer"; empty: the time is unknown or zero
    std::string reason{};  ///< why these are not the bounds on startups and bytes, a clause; empty where they are
    bool addsUp = true;    ///< they are exactly the bounds on startups and bytes
};

/// Lower bounds of one class of schedules.
struct Limit {
    engine::Bound<std::int64_t> rounds;  ///< serialized startups
    engine::Bytes serializedBytes = 0;   ///< of messages that follow one another
    std::optional<engine::Picoseconds> time{};
    /// The time on a fully connected network with the fastest links, at most `time`: what is left is forced by the
    /// network's links.
    std::optional<engine::Picoseconds> fullNetworkTime{};
    bool networkDecides = false;   ///< the time is that of Limits::network: its bytes over its links
    TimeParts parts{};             ///< of `time`
    TimeParts fullNetworkParts{};  ///< of `fullNetworkTime`
};

/// The bounds of both classes, and the class of a run.
struct Limits {
    engine::Bounds bounds;
    engine::Blocks blocks = engine::Blocks::anyMessages;  ///< the class of the run: its rows and its gap are held to it
    Limit anyMessages;
    std::optional<Limit> whole{};
    bool neighbours = false;  ///< they bind schedules that keep to the network's own links only
    /// What the network's links force where all that crosses a link at one time shares it; part of the times above
    /// unless `beaten`.
    std::optional<emulation::bounds::NetworkBound> network{};
    /// The run was faster than its links allow, because its clock lets messages of different rounds pass each other on
    /// a link: the times above are those of a fully connected network.
    bool beaten = false;
    bool canBeBeaten = false;  ///< under the clock of the machine

    /// Of the run's class.
    [[nodiscard]] const Limit& held() const { return of(blocks); }
    /// Of a class that holds for the run: its own, or any messages.
    [[nodiscard]] const Limit& of(engine::Blocks its) const {
        return its == engine::Blocks::whole ? *whole : anyMessages;
    }
    /// For a run with one-block messages: the share of the best time of its class that other messages could save at
    /// most, above 0, up to 1; nothing where it saves none, is not known, or the run cuts blocks already.
    [[nodiscard]] std::optional<double> cuttingSaves() const;
    /// Of the run's class: how much of its time the network's links force.
    [[nodiscard]] engine::Picoseconds networkForces() const;
    /// Takes the times of a fully connected network instead, if a run of `duration` is faster than the network's links
    /// allow under a clock whose links are not always shared.
    void compareWith(engine::Picoseconds duration);
};

/// How messages that cross a link at one time share it.
enum class LinkSharing : std::uint8_t {
    none,     ///< never: links bind nobody
    byRound,  ///< those of one round do; messages of different rounds pass each other, so that a run can be faster than
              ///< shared links allow
    always,
};

/// The machine below: what it costs, if that is known, and what it is made of, which may be null (alpha and beta hold
/// everywhere then).
struct Machine {
    std::optional<engine::Model> model{};
    const emulation::Network* network = nullptr;
    engine::Sends sends = engine::Sends::takePorts;
    LinkSharing sharing = LinkSharing::always;
    std::vector<emulation::SlowLink> slowLinks{};
};

/// Bounds of a problem of which no schedule is known.
Limits limitsOf(const engine::Problem& problem, const engine::Wiring& wiring, const Machine& machine);

/// Bounds of the plan's problem, with its ports: what a schedule sends beyond them in one round follows. A ring or
/// torus binds an algorithm only if it promises to talk to neighbours alone: other messages cross many links at once
/// and reach farther than one hop a round. `totals`: of the plan, if counted.
Limits limitsOf(const engine::Plan& plan, const std::optional<Totals>& totals, const Machine& machine);

/// "one-block lower bound", where every message carries one whole contribution; for any messages "lower bound".
std::string nameOfBound(engine::Blocks blocks);
/// "one-block bound" or "bound", where "lower" has no room.
std::string_view shortNameOfBound(engine::Blocks blocks);

/// "the time bound of 108 us is 3 startups and 256 KiB of serialized transfer; each bound is proved separately"; empty
/// where no time is known, or it is zero.
std::string partsOfTime(const Limit& limit);

/// "ranks 0-3 send 256 KiB to the others over 1 link of 0.25 GB/s".
std::string inWords(const emulation::bounds::NetworkBound& bound, const emulation::Network& network);

/// "for any messages the lower bound is 108 us, 33.9% below the one-block bound"; empty where it is not lower.
std::string cuttingInWords(const Limits& limits);

}  // namespace app::analysis
