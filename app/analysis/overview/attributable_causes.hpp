// SPDX-License-Identifier: BSD-3-Clause
// Which root causes of waiting are attributed to ranks, and what the program would gain without them.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"

#include <optional>
#include <set>
#include <vector>

namespace app::analysis {

/// The causes of waiting that the first page and the headline of the window name: those above the uncertainty of the
/// clocks, without delays of ranks that polled and, where ranks share processors, without delays within calls of MPI.
std::vector<Cause> attributableCauses(TraceAnalysis& analysis);

struct LeftOut {
    engine::Picoseconds inPolls{};    ///< waiting time that these delays caused
    std::set<engine::Rank> polled{};  ///< their ranks
    bool areCallsLeftOut = false;     ///< ranks share processors
    engine::Picoseconds inCalls{};    ///< likewise, of delays within calls of MPI
};
/// Waiting below this share of the time of those who waited is not reported as a finding.
constexpr double significant = 0.01;
/// Whether a cause with this share of all waiting stands beside the costliest one.
bool isWorthNaming(double share, double waitedShare);

/// Whether both are of delays at one place of the program, whichever their ranks.
bool areAtOnePath(const Cause& a, const Cause& b);
/// Of so many ranks the first ones are compared.
constexpr std::size_t fewestAlike = 3;
/// Whether each of the ranks with the costliest delays has one at the place of the costliest cause, for a third as much
/// waiting or more.
bool areAtOnePlace(const std::vector<RootCause>& causes, const std::vector<DelayRow>& delays);

/// Delays at one place that move from rank to rank.
struct DelaysInTurn {
    std::vector<engine::Rank> ranks;  ///< as they come first
    bool inBlocks = false;            ///< each several times in succession, instead of again and again in this order
    std::int64_t count = 0;           ///< of delays
    engine::Picoseconds typical{};    ///< their median
};

/// Whom all waiting is attributed to.
enum class AttributedTo : std::uint8_t {
    ranks,       ///< those with the costliest delays
    noRank,      ///< none stands out
    unknownRank  ///< which rank was late first is unknown
};
struct Attribution {
    AttributedTo to = AttributedTo::ranks;
    std::vector<RootCause> causes{};  ///< without those that are left out
    std::vector<DelayRow> delays{};   ///< likewise, by rank
    LeftOut leftOut{};                ///< delays that say little about their ranks
    /// Of delays at the place of the costliest cause. Only where no rank stands out.
    std::optional<DelaysInTurn> inTurn{};
};
/// `causes`: those above the uncertainty of the clocks, or none where they are not worked out; `waitedShare`: of the
/// time of those who could wait.
///
/// No rank stands out as on a busy machine, which delays different ranks in turn: no rank caused half of the waiting.
/// The first rank caused at most 1.5 times its even share, or at most twice as much as the third while the first three
/// caused less than half together. Their delays are at one place, or no cause has a tenth of the waiting.
Attribution attributionOf(TraceAnalysis& analysis, std::vector<RootCause> causes, const WaitTotals& waits,
                          double waitedShare);

/// The rows of the ranks that caused at least nine tenths as much as `rank` did, which comes first; the others as in
/// `delays`.
std::vector<DelayRow> ranksAlike(const std::vector<DelayRow>& delays, engine::Rank rank);

/// Below this share of the program's time a gain is none.
constexpr double gainful = 0.001;

/// Causes of which a program is faster without all of them than without each: what one of them no longer delays, the
/// others still do.
struct JointCauses {
    std::vector<Cause> causes{};
    engine::Picoseconds gain{};  ///< without all of them
};
struct GainfulCauses {
    std::vector<RootCause> all;
    std::optional<JointCauses> joint{};
    std::vector<engine::Rank> asLate{};  ///< ranks that came to the calls of the first one nearly as late, on average
};
/// The costliest first, those of the rank with the costliest delays before all others; but for the first, without those
/// whose removal would not let the program end earlier, alone or with others. Where others came nearly as late to the
/// same calls as the first one, so that nobody waited for them, their delays are tried with it. `waited`: by all ranks,
/// which is `waitedShare` of their time.
GainfulCauses gainfulCauses(TraceAnalysis& analysis, std::vector<RootCause> causes, const std::vector<DelayRow>& delays,
                            engine::Picoseconds waited, double waitedShare);

}  // namespace app::analysis
