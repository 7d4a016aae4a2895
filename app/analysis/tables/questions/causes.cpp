// SPDX-License-Identifier: BSD-3-Clause
// What made ranks wait, by rank and call path.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/root_causes.hpp"

namespace app::analysis::questions::about_causes {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (analysis.callPaths() == nullptr) return addRemark(table, "no calls were recorded");
    const CallPaths& paths = *analysis.callPaths();
    engine::Picoseconds all{};
    for (const Wait& wait : analysis.waits()) all += wait.time;
    for (const Cause& cause : analysis.causes())
        table.rows.push_back({std::string{name(cause.kind)}, engine::cell(cause.rank), nameOf(cause, paths), cause.time,
                              static_cast<double>(cause.time.count()) / static_cast<double>(all.count()), cause.delays,
                              cause.typical, cause.longest, cause.begin, threadCell(analysis, cause.rank, cause.thread),
                              engine::cell(std::string{nameOf(cause.trend.trend)})});
    remarkOnCalls(analysis, table);
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

Question question() {
    return {
        .name = "causes",
        .page = 101,
        .meaning = "what made ranks wait: who was late, and where in the program it had spent the time",
        .title = "what made ranks wait, by rank and call path",
        .how =
            "a delay's cost, passed on or not, goes to the paths in which the late rank spent more than the one that "
            "waited longest for it, since both were last in step, or, in a wavefront, was in meanwhile; waits of its own "
            "left out; that of a lock to what its holder was in meanwhile",
        .columns = {{"wait", Content::words, "what it came to, by Scalasca's names"},
                    {"origin", Content::rank, "who was late first", Leads::rank},
                    {"path", Content::words, "where it had spent the time; before a call: outside of all"},
                    {"time_s", Content::time, "of waits that followed"},
                    {"part_share", Content::share, "of all waits"},
                    {"delays", Content::count, "that had a tenth of their time from it, or more"},
                    {"typical_s", Content::time, "how late it made the rank, the median of these"},
                    {"longest_s", Content::time, "how late at most"},
                    {"begin_s", Content::time, "when others began to wait that time", Leads::begin},
                    {"thread", Content::words, "which of its threads was late; empty: the one that is the rank"},
                    {"trend", Content::words, "of its delays in their order: grows, shrinks, alternates; else empty"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_causes
