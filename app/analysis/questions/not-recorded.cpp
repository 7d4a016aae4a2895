// SPDX-License-Identifier: BSD-3-Clause
// What the trace does not say.
#include "app/analysis/answering.hpp"

namespace app::analysis::questions::about_not_recorded {
namespace {

using engine::Cell;
using engine::Content;

void answer(Inquiry& inquiry, engine::Table& table) {
    const Trace& trace = inquiry.trace();
    std::vector<std::string> said;
    if (trace.recording && !trace.own())
        for (const traces::NotRecorded& absence : trace.recording->absences) {
            table.rows.push_back({absence.words, absence.count > 0 ? Cell{absence.count} : Cell{}});
            said.push_back(absence.words);
        }
    for (const std::string& remark : trace.report.run->remarks)
        if (std::find(said.begin(), said.end(), remark) == said.end()) table.rows.push_back({remark, Cell{}});
}

}  // namespace

Question question() {
    return {.name = "not-recorded",
            .page = 190,
            .meaning = "what the trace does not say",
            .title = "what the trace does not say",
            .columns = {{"what", Content::words, "a clause"}, {"count", Content::count, "of what is missing"}},
            .answer = answer};
}

}  // namespace app::analysis::questions::about_not_recorded
