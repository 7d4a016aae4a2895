// SPDX-License-Identifier: BSD-3-Clause
// Who waited, and for whom: for messages, and in recorded collectives.
#include "app/analysis/waits.hpp"
#include "app/analysis/answering.hpp"

namespace app::analysis::questions {
namespace {

using engine::Content;

void answer(Inquiry& inquiry, engine::Table& table) {
    for (const WaitRow& row : waitsPerRank(inquiry.waits()))
        table.rows.push_back({std::string{name(row.kind)}, engine::cell(row.rank), row.waits, row.time, row.longest,
                              engine::cell(row.mostlyFor)});
    remarkOnMessages(inquiry, table);
}

}  // namespace

Question waits() {
    return {
        .name = "waits",
        .page = 90,
        .meaning = "who waited, by Scalasca's names, and for whom",
        .title = "who waited, and for whom",
        .how =
            "late sender, late receiver, and the waits of collectives: in the call that blocks, whenever a message was "
            "posted, and once a call",
        .columns = {{"wait", Content::words, "its kind, by Scalasca's names"},
                    {"rank", Content::rank, "who waited", Leads::rank},
                    {"waits", Content::count, "how often"},
                    {"time_s", Content::time, "in all"},
                    {"longest_s", Content::time, "the longest of them"},
                    {"mostly_for", Content::rank, "for whom it waited longest in all"}},
        .answer = answer};
}

}  // namespace app::analysis::questions
