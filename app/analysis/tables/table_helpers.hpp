// SPDX-License-Identifier: BSD-3-Clause
// What answers have in common.
#pragma once

#include "app/analysis/tables/table_definition.hpp"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app::analysis {

/// A table of several instances, whose first column is the number of each, from 1.
class RowsOf {
public:
    RowsOf(engine::Table& table, std::size_t instance)
        : table_{table}, number_{static_cast<std::int64_t>(instance) + 1} {}

    /// A row of this instance.
    void add(std::vector<engine::Cell> cells);

private:
    engine::Table& table_;
    std::int64_t number_;
};

/// Adds a remark where it is inferred which rank the others waited for (Wait::isInferred).
void remarkOnInference(TraceAnalysis& analysis, engine::Table& table);

/// Adds `remark` unless it is empty or there already.
void addRemark(engine::Table& table, const std::string& remark);

/// What people call columns of this table, by their names.
void setHeadings(engine::Table& table, std::initializer_list<std::pair<std::string_view, const char*>> headings);

/// What is left out, where there is more than answers look at.
void remarkOnCut(TraceAnalysis& analysis, engine::Table& table);

/// Remarks that apply to several instances, each of them once.
class RemarksOnInstances {
public:
    /// `index` counts from 0.
    void add(const std::string& remark, std::size_t index) { instances_[remark].push_back(index); }
    /// "instances 1 and 3: REMARK", "20 instances from 1 on: REMARK".
    void write(engine::Table& table) const;

private:
    std::map<std::string, std::vector<std::size_t>> instances_;
};

/// That the type of elements of a problem of a trace is assumed, and the operation where none was recorded.
void remarkOnProblem(const TraceAnalysis& analysis, engine::Table& table, const engine::Problem& problem);

/// What a table over all messages has to say when there are none, or when some are missing.
void remarkOnMessages(TraceAnalysis& analysis, engine::Table& table);

/// How sure what compares times of different ranks is, where clocks were fitted.
void remarkOnClocks(const TraceAnalysis& analysis, engine::Table& table);

/// "OMP thread 2"; nothing of the thread that is the rank itself.
engine::Cell threadCell(TraceAnalysis& analysis, engine::Rank rank, ThreadNumber thread);

/// Of a trace of another tool: the span asked about.
traces::TimeSpan spanAskedAbout(const TraceAnalysis& analysis);

/// What instances without a plan have in common as a remark.
std::string whyLeftOut(const Instance& instance);

/// Alpha and beta that times of bounds are for: "alpha 1 us, beta 0.4 ns/B, recorded".
std::string modelWords(TraceAnalysis& analysis, const engine::Model& model);

/// The network asked about; null without one. A remark in `table` says which, or that there is none.
emulation::NetworkPtr networkAskedAbout(TraceAnalysis& analysis, engine::Table& table);

struct Spent;

/// The columns of what paths or regions took, their cells, and what there is to say of them.
void addSpentColumns(std::vector<ColumnDefinition>& columns);
void addSpent(std::vector<engine::Cell>& row, const Spent& spent);
void remarkOnCalls(TraceAnalysis& analysis, engine::Table& table);

template <class T>
engine::Cell cellOf(const std::optional<T>& value) {
    return value ? engine::cell(*value) : engine::Cell{};
}

}  // namespace app::analysis
