// SPDX-License-Identifier: BSD-3-Clause
// Findings on collectives and groups of messages: time, distance to the lower bound and its causes, faster algorithms.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

namespace app::analysis {

/// Instances that count as one kind.
struct InstanceGroup {
    /// The instance whose duration is closest to the median; of messages that form no known collective, the longest.
    std::size_t typical = 0;
    std::int64_t instances = 0;
    engine::Picoseconds median{};    ///< of the durations
    engine::Picoseconds longest{};   ///< duration of the longest instance
    engine::Picoseconds analysed{};  ///< of the longest one, what lies in the analysed time
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    engine::Picoseconds time{};  ///< durations of all instances
    /// Of collectives that block: what the selected ranks spent in them, summed over ranks.
    std::optional<engine::Picoseconds> inCalls{engine::Picoseconds{}};
    std::set<std::int32_t> communicators{};
};
/// In the order of what they cost.
std::vector<InstanceGroup> instanceGroups(TraceAnalysis& analysis);

/// One finding for each of the first `most` kinds; where there are none, that nothing was recorded.
std::vector<Finding> instanceFindings(TraceAnalysis& analysis, const std::vector<InstanceGroup>& kinds,
                                      std::size_t most);

/// Where alpha and beta come from, or why there are none.
Finding modelFinding(TraceAnalysis& analysis);

}  // namespace app::analysis
