// SPDX-License-Identifier: BSD-3-Clause
// Where in the program the critical path runs, and where even work would shorten it.
#include "app/analysis/critical_path/critical_path_profile.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_critical_profile {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun() || analysis.callPaths() == nullptr)
        return addRemark(table, "no calls were recorded");
    setHeadings(table, {{"part_share", "share of path"}});
    const CallPaths& paths = *analysis.callPaths();
    const traces::TimeSpan within = analysis.analysedSpan();
    engine::Picoseconds all{};
    const std::vector<OnPath> profile =
        pathProfile(criticalPath(*trace.recording, analysis.blockingCalls(), within), paths, analysis.waits(), within,
                    {.report = {}, .stop = analysis.progress().stop});
    for (const OnPath& one : profile) all += one.time;
    for (const OnPath& one : profile)
        table.rows.push_back({nameOf(one.place, paths), one.time, ratio(one.time, all), engine::cell(one.rank),
                              one.mean, one.imbalance()});
    const traces::TimeSpan asked = spanAskedAbout(analysis);
    if (within.begin != asked.begin)
        addRemark(table, engine::text("from the last exit from MPI_Init",
                                      within.end != asked.end ? " to the last entry into MPI_Finalize" : "", "; ",
                                      engine::field::from, " 0s includes the time before"));
    else if (within.end != asked.end) addRemark(table, "until the last entry into MPI_Finalize");
    remarkOnCalls(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "critical-profile",
        .page = 121,
        .meaning = "time of the critical path by call path, and the imbalance that lengthens it",
        .title = "time of the critical path by call path",
        .how =
            "exclusive times along `critical-path`; time of messages and collectives is assigned to the call that "
            "contains them; imbalance: time of a path "
            "in excess of the mean of all ranks, or of all threads if other threads than the main ones run it, whose "
            "waits are "
            "left out (Böhme et al. 2012)",
        .columns =
            {{"path", Content::words, "call path; 'before' a call: outside of all calls"},
             {"time_s", Content::time, "time of the critical path in this call path"},
             {"part_share", Content::share,
              "share of the length of the critical path, from MPI_Init to MPI_Finalize unless another time is selected"},
             {"rank", Content::rank, "rank with the most of this time", CellLocation::rank},
             {"mean_s", Content::time, "mean time of ranks in this call path, without waiting"},
             {"imbalance_s", Content::time, "time of the critical path in excess of that mean"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_critical_profile
