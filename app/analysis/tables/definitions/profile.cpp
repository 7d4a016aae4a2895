// SPDX-License-Identifier: BSD-3-Clause
// Where in the program the time went: a row for each region, wherever it was called from.
#include "app/analysis/program/call_path_profile.hpp"
#include "app/analysis/tables/table_helpers.hpp"

#include <numeric>
#include <tuple>

namespace app::analysis::tables::about_profile {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (analysis.callPaths() == nullptr) return addRemark(table, "no calls were recorded");
    const CallPaths& paths = *analysis.callPaths();
    const CallProfile profile{
        paths, analysis.selection(), analysis.waits(), {.report = {}, .stop = analysis.progress().stop}};
    const std::vector<Spent>& regions = profile.regions();
    std::vector<std::size_t> order(regions.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(regions[a].own, regions[a].time) > std::tie(regions[b].own, regions[b].time);
    });
    const std::vector<traces::Region>& known = paths.recording().regions;
    for (const std::size_t region : order) {
        if (regions[region].visits == 0 && regions[region].own.count() == 0) continue;
        const bool outside = region == known.size();
        std::vector<engine::Cell> row{outside ? paths.name(outsideOfCalls) : known[region].title(),
                                      outside ? engine::Cell{} : engine::cell(known[region].paradigm)};
        addSpent(row, regions[region]);
        table.rows.push_back(std::move(row));
    }
    remarkOnCalls(analysis, table);
}

}  // namespace

TableDefinition definition() {
    TableDefinition definition{.name = "profile",
                               .page = 132,
                               .meaning = "time, visits, waiting time and bytes of every region",
                               .title = "time by region",
                               .how = "as the call tree, wherever a region was called from; recursive calls count once",
                               .columns = {{"region", Content::words, "name of the region"},
                                           {"paradigm", Content::words, "mpi, user, openmp, ..., as recorded"}},
                               .answer = answer};
    addSpentColumns(definition.columns);
    return definition;
}

}  // namespace app::analysis::tables::about_profile
