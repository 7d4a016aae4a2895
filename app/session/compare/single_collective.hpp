// SPDX-License-Identifier: BSD-3-Clause
// One collective of a trace, or one stretch of its messages, as a run by itself: so that its rounds are seen.
#pragma once

#include "app/analysis/trace/run_report.hpp"
#include "app/analysis/trace/trace_analysis.hpp"

#include <optional>
#include <string>

namespace app {

struct Opened {
    analysis::Report report{};  ///< its ranks are those of the communicator
    std::string name{};         ///< "barrier on MPI_COMM_WORLD, instance 2"
    std::string how{};          ///< where its rounds are from: a sentence
    traces::TimeSpan span{};    ///< in the trace
    bool recovered = false;     ///< its rounds were recovered from recorded messages; else it ran in virtual time
};

/// `instance`: its place among those of the analysis. Recorded messages are shown in rounds as recorded or recovered.
/// Where those inside of a collective were not recorded, it runs in virtual time by the algorithm that its recorder
/// names, else by the fastest of the catalogue, under the conditions of the analysis, else those of a new run. Throws
/// Error where its rounds are not known, with the reason, and Cancelled.
Opened opened(analysis::TraceAnalysis& analysis, std::size_t instance, const engine::Progress& progress = {});

/// The instance that is a collective of the recording; nothing where it is none, such as opening a file.
std::optional<std::size_t> instanceOfCollective(analysis::TraceAnalysis& analysis, std::size_t collective);

/// The instance that a rank was in at `time`, a collective rather than a stretch of messages; nothing where it was in
/// none.
std::optional<std::size_t> instanceAt(analysis::TraceAnalysis& analysis, engine::Rank rank, engine::Picoseconds time);

}  // namespace app
