// SPDX-License-Identifier: BSD-3-Clause
// SQL: one statement over the tables and the messages, none of which is copied.
#pragma once

#include "app/analysis/trace/trace_analysis.hpp"
#include "engine/base/table.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace app::analysis {

/// The names that a statement can select from: "messages", then every table, with _ for -.
std::vector<std::string> sqlTables();

/// The answer to one statement, which may only read. A table is answered when the statement first reads it. Columns
/// that are one of a table, or whose names end as its do ("_s", "bytes", "_share"), are shown like those.
class Selected {
public:
    virtual ~Selected() = default;
    /// The next rows, at most so many; fewer when there are no more. Throws Error and Cancelled.
    virtual engine::Table next(std::int64_t most) = 0;
};

/// What `statement` selects. Throws Error with its fault; `analysis` must outlive the answer.
std::unique_ptr<Selected> selected(TraceAnalysis& analysis, const std::string& statement);

}  // namespace app::analysis
