// SPDX-License-Identifier: BSD-3-Clause
// Do the clocks of the ranks agree? A message cannot arrive before it was sent, and nobody leaves a barrier before all
// have entered it. What breaks this is counted; on request the clocks are fitted so that nothing does.
#pragma once

#include "traces/recording/recording.hpp"
#include "traces/storage/memory_budget.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace traces {

/// What the records contradict. Receives that were inferred are no evidence.
struct ClockCheck {
    std::int64_t messages = 0;         ///< that were looked at
    std::int64_t received = 0;         ///< of them: the receive ended before the send began
    Picoseconds earliest{};            ///< the worst of them: how much before, > 0; 0 when none
    std::int64_t collectives = 0;      ///< that were looked at
    std::int64_t left = 0;             ///< of them: a rank left before one it depends on had entered
    Picoseconds earliestLeave{};       ///< the worst of them
    std::vector<std::int64_t> byRank;  ///< violations a rank takes part in

    [[nodiscard]] std::int64_t violations() const { return received + left; }
};

ClockCheck checkClocks(const Recording& recording);

/// "clocks of ranks do not agree: 5 of 63 messages arrive before they are sent (by up to 26.2 us), ..."; empty when
/// they agree as far as the records tell.
std::string describe(const ClockCheck& check);

struct ClockFit {
    std::vector<ClockLine> byRank;
    std::vector<bool> tied;  ///< by rank: records connect it with the rank that the others follow
    std::vector<Picoseconds>
        slack;                     ///< by rank: records allow offsets so much smaller or larger; 0 where it is not tied
    std::int64_t constraints = 0;  ///< pairs of times the fit had to respect
    /// Whether any time becomes another one.
    [[nodiscard]] bool moves() const;

    bool consistent = true;  ///< false: no lines respect all of them; these leave the fewest contradictions found
};

/// Fits offsets, and drift where offsets alone do not do, so that every message and every collective becomes possible
/// and shortest delays are as alike in both directions as records allow (minimum-delay fit). Deterministic. What it
/// takes lies within `memory`, beside the columns of the recording. Throws Error when its folder cannot take the rest.
ClockFit fitClocks(const Recording& recording, const MemoryBudget& memory = {});

/// The recording with fitted times, which again begin at 0, and a remark that says so where they are others than those
/// recorded. Columns that hold no times are shared with `recording`, whose times stay as they were recorded. Both
/// together have their columns within `memory`. Throws Error when its folder cannot take the rest.
Recording corrected(const Recording& recording, const ClockFit& fit, const MemoryBudget& memory = {});

/// By how much times of two ranks may be apart although they are shown as equal, as the fit of their clocks shows; 0
/// where none was made.
class ClockUncertainty {
public:
    explicit ClockUncertainty(const Recording& recording);

    /// Of two ranks; `unknown` where no record connects the clock of one of them with others.
    [[nodiscard]] Picoseconds between(Rank a, Rank b) const;
    /// Of the two ranks with the least certain clocks among those that are connected.
    [[nodiscard]] Picoseconds most() const { return most_; }
    /// Whether two ranks that are shown to do something `apart` did it in this order, or at once.
    [[nodiscard]] bool shows(Rank a, Rank b, Picoseconds apart) const;

    static constexpr Picoseconds unknown = Picoseconds::max() / 4;

private:
    std::vector<Picoseconds> byRank_;  ///< empty: no fit
    Picoseconds most_{};
};

/// The clocks of a fit, as Recording::fittedClocks has them.
std::vector<FittedClock> fittedClocksOf(const ClockFit& fit);

/// What stands in the remarks of a recording whose times were fitted: "clocks of ranks do not agree: ...; times are
/// fitted, by up to 3 us"; empty where they are those recorded.
std::string fittedWords(const Recording& recording);

}  // namespace traces
