// SPDX-License-Identifier: BSD-3-Clause
// Which ranks the waiting came from.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_state_sums.hpp"

#include <map>

namespace app::analysis::questions::about_delays {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    std::map<engine::Rank, std::string> mostly;  // causes come costliest first
    if (const CallPaths* paths = analysis.callPaths())
        for (const Cause& cause : analysis.causes()) mostly.try_emplace(cause.rank, nameOf(cause, *paths));
    for (const DelayRow& row : analysis::delays(analysis.keptWaits()->all, analysis.keptWaits()->shares))
        table.rows.push_back(
            {engine::cell(row.origin), row.waits, row.direct, row.passedOn, engine::cell(mostly[row.origin])});
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

Question question() {
    return {
        .name = "delays",
        .page = 100,
        .meaning = "which ranks the waiting came from, directly or passed on",
        .title = "where waiting came from",
        .how =
            "a rank passes a delay on as far as it had lost more to it than the one that waits; a wait goes to whoever has "
            "the largest part of it",
        .columns = {{"origin", Content::rank, "who was late first", Leads::rank},
                    {"waits", Content::count, "that followed from it"},
                    {"direct_s", Content::time, "waits for this rank itself"},
                    {"passed_on_s", Content::time, "waits for ranks that only passed its delay on"},
                    {"mostly_in", Content::words, "where in the program most of that came from"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_delays
