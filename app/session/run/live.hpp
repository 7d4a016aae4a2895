// SPDX-License-Identifier: BSD-3-Clause
// Runs with real processes over MPI: started, watched, read back, measured.
#pragma once

#include "app/session/options/specification.hpp"
#include "app/session/run/live_order.hpp"
#include "app/session/run/load.hpp"
#include "engine/live/records/record_merging.hpp"

namespace app {

/// Communication with and without a computation beside it.
struct Overlap {
    engine::splitphase::Settings settings{};
    engine::Picoseconds alone{};                    ///< the communication with nothing between its halves, median
    std::optional<engine::Picoseconds> together{};  ///< with the computation, median; none: nothing was to be computed
    /// The computation by itself, median: longer than asked for where ranks share processors.
    engine::Picoseconds computation{};
    /// Calls of a rank until one brought the result, start and wait among them; in virtual time only.
    struct Calls {
        std::int64_t most = 0;
        double mean = 0;
    };
    std::optional<Calls> calls{};

    /// Share of the communication that the computation hid: 0..1.
    [[nodiscard]] std::optional<double> hidden() const;
};

/// What was measured of one method.
struct Measured {
    std::string id;
    std::vector<engine::live::Sample> samples{};
    engine::Picoseconds median{};  ///< of the slowest rank's times
    engine::Picoseconds minimum{};
    engine::Picoseconds medianSpan{};
    engine::Picoseconds setUp{};  ///< once, before all executions and in none of their times: making communicators
    std::optional<engine::Picoseconds> bound{};  ///< what no algorithm can beat under the model
};

/// Everything that is needed to judge the times and to measure again.
struct Measurement {
    std::vector<Measured> methods{};  ///< the one asked for first; empty when no execution came to its end
    std::int32_t repeats = 1;
    std::int32_t warmUps = 1;
    std::vector<std::string> hosts{};  ///< of every process
    std::string library{};             ///< "Open MPI v4.1.4"
    std::string command{};             ///< what started the processes; empty when they were there already
    std::vector<engine::Picoseconds> clockOffsets{};  ///< of every process against the first; 0 where they share one
    Load before{};
    Load after{};

    [[nodiscard]] bool contended() const;
};

struct LiveReport {
    Report report;  ///< of the first method, in the execution of median length
    Measurement measurement;
    std::optional<Overlap> overlap{};  ///< of split-phase runs
};

/// With which words a run is split in two.
std::string splitRemark(const engine::splitphase::Settings& settings);

/// Most that grants may add to the time of messages where they are given by default.
inline constexpr double littleAdded = 0.05;

/// What a startup more in each round adds to the time of the largest messages of all rounds, as a share of it: most of
/// all methods that are compared. By the model, with the bandwidth of the lab that stands where the run is in it.
/// Nothing where grants are not considered: other than between neighbours on several hosts, or where the user decided.
/// Throws Error as executeLive does.
std::optional<double> addedByGrants(const Specification& wish);

/// Runs over MPI, or split-phase on threads, as specified. Throws Error for a mistake of the user and when nothing
/// could be started, Cancelled. `launch` is not called for split-phase runs on threads.
LiveReport executeLive(const Specification& wish, const Launch& launch, const engine::Progress& progress = {});

}  // namespace app
