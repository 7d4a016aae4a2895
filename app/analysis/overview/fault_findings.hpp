// SPDX-License-Identifier: BSD-3-Clause
// Faults of a program (not ended, mismatched arguments, MPI errors) and limitations of a trace (clocks, shared
// processors, missing records).
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

namespace app::analysis {

/// Calls of one function by which a rank looked again and again for the same and found nothing.
struct Polled {
    engine::Rank rank;
    std::int64_t calls = 0;
    engine::Picoseconds time{};  ///< from one such call to the next, or in them if that is more
    std::string call;            ///< "MPI_Test"
};
/// As the recorder counted them; empty where it did not.
std::vector<Polled> pollsOf(const Trace& trace);
/// Whether these calls were recorded with their times, so that computation does not include them.
bool arePollsRecorded(const traces::Recording& recording);

/// The program did not end, arguments disagree, calls returned errors, ranks share processors: each if it applies.
std::vector<Finding> faultFindings(TraceAnalysis& analysis);

/// Why times of this trace mean little, or which part of it is analysed.
std::vector<Finding> cautionFindings(TraceAnalysis& analysis);

/// What the trace lacks.
std::optional<Finding> limitationFinding(TraceAnalysis& analysis);

}  // namespace app::analysis
