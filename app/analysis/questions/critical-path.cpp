// SPDX-License-Identifier: BSD-3-Clause
// The chain of messages and pauses that decided the end.
#include "app/analysis/answering.hpp"
#include "app/analysis/critical_path.hpp"

namespace app::analysis::questions {
namespace {

using engine::Cell;
using engine::cell;
using engine::Content;

void answer(Inquiry& inquiry, engine::Table& table) {
    for (const PathStep& step : criticalPath(inquiry.run())) {
        const auto of = [&](Cell value) { return step.isMessage ? value : Cell{}; };
        table.rows.push_back({std::string{step.isMessage ? "message" : "pause"}, cell(step.rank), of(cell(step.to)),
                              of(cell(step.round)), of(step.bytes), step.begin, step.end - step.begin});
    }
    remarkOnMessages(inquiry, table);
}

}  // namespace

Question critical_path() {
    return {.name = "critical-path",
            .page = 120,
            .meaning = "the chain of messages and pauses that decided the end",
            .title = "the chain of messages and pauses that decided the end",
            .how = "back from the last event to whatever came last before; the steps add up to the duration",
            .columns = {{"step", Content::words, "message or pause"},
                        {"from", Content::rank, "who sends it, or lets time pass", Leads::rank},
                        {"to", Content::rank, "who receives it"},
                        {"round", Content::round, "of the message", Leads::round},
                        {"bytes", Content::bytes, "it carries"},
                        {"begin_s", Content::time, "since the begin of the run", Leads::begin},
                        {"duration_s", Content::time, "until the next step begins", Leads::duration}},
            .answer = answer};
}

}  // namespace app::analysis::questions
