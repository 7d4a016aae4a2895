// SPDX-License-Identifier: BSD-3-Clause
// One analysis of a trace, asked from several threads, one after the other. Results are kept as long as the same part
// is analysed under the same assumptions.
#pragma once

#include "app/analysis/findings/finding.hpp"
#include "app/analysis/overview/program_view.hpp"
#include "app/analysis/tables/table_definition.hpp"

#include <functional>
#include <mutex>

namespace app::analysis {

struct Answer {
    const TableDefinition* definition = nullptr;
    engine::Table table;
    std::vector<Place> places;  ///< one per row
};

class AnalysisQueue {
public:
    explicit AnalysisQueue(Trace trace) : trace_{std::move(trace)} {}

    [[nodiscard]] const Trace& trace() const { return trace_; }

    /// Throws Error for a wish that the trace cannot meet, and Cancelled.
    Answer ask(const TableDefinition& definition, const AnalysisOptions& wish, const engine::Progress& progress = {});
    /// The first page of the part wished for. Throws likewise.
    std::vector<Finding> summary(const AnalysisOptions& wish, const engine::Progress& progress = {});
    /// What pictures need of the whole trace, which must be a program. Throws likewise.
    TracedProgramPtr program(const engine::Progress& progress = {});
    /// Looks at the whole trace, under no assumptions. Throws what `look` throws.
    void look(const engine::Progress& progress, const std::function<void(TraceAnalysis&)>& look);

private:
    template <class Ask>
    auto asked(const AnalysisOptions& wish, const engine::Progress& progress, Ask ask);

    Trace trace_;
    std::mutex mutex_;
    std::optional<TraceAnalysis> analysis_;
};

}  // namespace app::analysis
