// SPDX-License-Identifier: BSD-3-Clause
// The columns that tables of call paths and of regions share.
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Cell;
using engine::Content;

void addSpentColumns(std::vector<ColumnDefinition>& columns) {
    for (
        const ColumnDefinition& column :
        {ColumnDefinition{"visits", Content::count, "calls that overlap the selected part"},
         ColumnDefinition{"time_s", Content::time, "inclusive time: in the region and in what it called"},
         ColumnDefinition{"own_s", Content::time, "exclusive time: in the region alone"},
         ColumnDefinition{"waiting_s", Content::time,
                          "time that it waited for other ranks and threads, what it called included"},
         ColumnDefinition{"sent_bytes", Content::bytes,
                          "bytes sent in the region and in what it called; of collectives as recorded"},
         ColumnDefinition{"received_bytes", Content::bytes, "bytes received, likewise"},
         ColumnDefinition{"least_s", Content::time, "smallest exclusive time of a rank"},
         ColumnDefinition{"least_rank", Content::rank, "rank with the smallest exclusive time"},
         ColumnDefinition{"mean_s", Content::time, "mean exclusive time of a rank"},
         ColumnDefinition{"most_s", Content::time, "largest exclusive time of a rank"},
         ColumnDefinition{"most_rank", Content::rank, "rank with the largest exclusive time", CellLocation::rank},
         ColumnDefinition{
             "by_rank", Content::words,
             "exclusive time, a character per rank (of more than 32 ranks the largest of several): 9 the most, . nothing"}})
        columns.push_back(column);
}

void addSpent(std::vector<Cell>& row, const Spent& spent) {
    const bool apart = !spent.ranks.heat().empty() && spent.own.count() > 0;
    const auto known = [&](Cell value) { return apart ? value : Cell{}; };
    for (const Cell& cell :
         {Cell{spent.visits}, Cell{spent.time}, Cell{spent.own}, Cell{spent.waiting},
          spent.sent > 0 ? Cell{spent.sent} : Cell{}, spent.received > 0 ? Cell{spent.received} : Cell{},
          known(spent.ranks.least), known(engine::cell(spent.ranks.leastRank)), known(spent.ranks.mean()),
          known(spent.ranks.most), known(engine::cell(spent.ranks.mostRank)), known(engine::cell(spent.ranks.heat()))})
        row.push_back(cell);
}

void remarkOnCalls(TraceAnalysis& analysis, engine::Table& table) {
    if (!analysis.callPaths()->hasProgram())
        addRemark(table, "regions of the program were not recorded: paths are calls of MPI alone");
    else if (analysis.callPaths()->hasKnownByCalls())
        addRemark(
            table,
            "functions of the program are known only from the call stacks of MPI calls: computation counts as outside of "
            "calls, and several MPI calls in succession by one function count as one visit");
    const auto& regions = analysis.callPaths()->recording().regions;
    if (std::ranges::any_of(regions,
                            [](const traces::Region& one) { return one.name.find("+0x") != std::string::npos; }))
        addRemark(table,
                  "FILE+0xOFFSET is a function without a symbol: compile with -g, do not strip the program, or install "
                  "its debug symbols");
    remarkOnCut(analysis, table);
}

}  // namespace app::analysis
