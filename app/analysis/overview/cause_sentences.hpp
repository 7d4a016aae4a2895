// SPDX-License-Identifier: BSD-3-Clause
// A root cause of waiting in sentences, facts and findings.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/overview/attributable_causes.hpp"

#include <set>
#include <string>
#include <vector>

namespace app::analysis {

/// "in main/assemble", "before MPI_Barrier".
std::string whereWords(const Cause& cause, const CallPaths& paths);

/// "in main/assemble: late 20 times, typically by 19 ms and at most by 30 ms (at 309 ms of the trace)"; "before
/// MPI_Barrier: late once, by 2 ms (at 1 s of the trace)".
std::string placeWords(const Cause& cause, const CallPaths& paths);

/// "ranks 0 and 3 caused 38.5% and 37.5% of the waiting time", "ranks 0 and 3 caused 50% of the waiting time each",
/// "rank 0 caused 40% of the waiting time"; the largest share first. `all` is the waiting time of all ranks; there is
/// at least one row.
std::string causedWords(std::vector<DelayRow> rows, engine::Picoseconds all);

/// `unknown`: reasons why gains are not known that the page has.
std::string gainWords(TraceAnalysis& analysis, const RootCause& its, std::set<std::string>& unknown);
/// " Wait states: late sender and wait at barrier."
std::string waitStateWords(const RootCause& root);
/// " In the calls in which others waited for rank 2, ranks 1 and 3 were nearly as late.", and which one was not where
/// it is the only one; empty without `ranks`. `rank`: whose delays these are.
std::string asLateWords(TraceAnalysis& analysis, const std::vector<engine::Rank>& ranks, engine::Rank rank);
/// `shown`: the causes on the page. Where others are among those that belong together, each is named.
std::string jointWords(TraceAnalysis& analysis, const JointCauses& joint, const std::vector<Cause>& shown);

/// The facts of a cause, the late rank and when others began to wait for its longest delay, and where it had spent the
/// time. `all` is the waiting time of all ranks.
void addCause(Finding& finding, TraceAnalysis& analysis, const RootCause& root, engine::Picoseconds all);

/// How a rank whose cause stands beside the costliest one appears.
struct RankBeside {
    bool isNamed = false;          ///< a finding on another cause of this rank stands before it
    engine::Picoseconds caused{};  ///< all waiting that the rank caused
    std::string why{};             ///< where it caused more than the rank before it: why it comes later
};
/// The finding on one cause beside the costliest one.
Finding causeFinding(TraceAnalysis& analysis, const RootCause& cause, const RankBeside& rank, engine::Picoseconds all,
                     std::set<std::string>& unknown);

}  // namespace app::analysis
