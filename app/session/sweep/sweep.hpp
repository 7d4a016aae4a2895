// SPDX-License-Identifier: BSD-3-Clause
// Many runs in virtual time, side by side: what `sweep` does.
#pragma once

#include "app/session/options/specification.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// What one run of a sweep came to. A refusal leaves everything else empty.
struct SweepResult {
    /// Why this point cannot be run, as a sentence with marks (engine/base/option_placeholders.hpp).
    std::string refusal{};
    std::int64_t rounds = 0;
    std::int64_t startups = 0;  ///< in a row: more than rounds where messages wait for each other at a port
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Picoseconds time{};    ///< of several runs the median
    engine::Picoseconds lowest{};  ///< and their range
    engine::Picoseconds highest{};
    double idle = 0;                ///< share of the total rank time in which no port transferred data, 0..1
    std::int64_t leastRounds = 0;   ///< lower bound on the rounds
    engine::Bytes leastVolume = 0;  ///< lower bound on the bytes through one rank's port
    std::optional<engine::Picoseconds> least{};  ///< lower bound on the time, where one is known
    std::string leastBinds{};                    ///< which schedules `least` binds: "one-block messages"; empty: all
    std::optional<engine::Picoseconds> leastOfAll{};  ///< lower bound on the time of every schedule of the problem
    std::optional<engine::Picoseconds> formula{};     ///< the algorithm's closed form, where it speaks of such runs
    /// Of runs in two halves, of which `time` has the computation in it.
    struct Halves {
        engine::Picoseconds alone{};     ///< the communication with nothing between its halves
        std::optional<double> hidden{};  ///< share of `alone` that the computation hid, 0..1
        double calls = 0;  ///< of a rank until one brought the result, start and wait among them: the mean

        friend bool operator==(const Halves&, const Halves&) = default;
    };
    std::optional<Halves> halves{};
    /// The same run over MPI: the time of the slowest rank in each of its executions.
    struct Measured {
        engine::Picoseconds median{};
        engine::Picoseconds lowest{};
        engine::Picoseconds highest{};

        friend bool operator==(const Measured&, const Measured&) = default;
    };
    std::optional<Measured> measured{};
    std::string network{};  ///< on which it ran in virtual time: where none is named each algorithm has its own
    /// Whether it took some time, in virtual time or measured.
    [[nodiscard]] bool ran() const { return refusal.empty() || measured; }
    std::string unmeasured{};  ///< why there is no `measured` where there was to be one, as a sentence

    friend bool operator==(const SweepResult&, const SweepResult&) = default;
};

/// What of a run is computed.
enum class SweepScope : std::uint8_t {
    all,
    withoutCuts,  ///< all but bounds by cuts, which can take longer than the run itself where links are shared
    time,         ///< `startups`, `messages`, `bytes` and `idle` stay 0; bounds on uniform networks only
};

/// Runs one point in virtual time, in two halves where that is specified, `repeats` times with seeds of its random
/// arrival that follow each other. Mistakes of the user become a refusal: other points may do. A run on a network that
/// is not uniform has a bound on its time only if the scope is `all`. Throws Cancelled.
SweepResult sweepPoint(const Specification& wish, const engine::Progress& progress = {}, int repeats = 1,
                       SweepScope scope = SweepScope::all);

/// Told of each point in the order of `points`, as soon as it and all before it are done; from one thread at a time.
using OnSwept = std::function<void(std::size_t point, const SweepResult&)>;

/// Runs all `points`, each `repeats` times, on `threads` threads (>= 1). No result depends on their number. Throws
/// Cancelled, and whatever `onSwept` throws, after all threads have stopped.
void sweep(const std::vector<Specification>& points, int threads, const OnSwept& onSwept,
           const engine::Progress& progress = {}, int repeats = 1);

/// Runs that are all at once.
std::vector<Specification> wholeRuns(const std::vector<RunWish>& wishes);

}  // namespace app
