// SPDX-License-Identifier: BSD-3-Clause
// Who waited, and for whom: for messages, in recorded collectives, at windows, and threads for each other.
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>

namespace app::analysis::questions::about_waits {
namespace {

using engine::Content;

/// The wait state; in a training job ranks wait for the straggler.
std::string nameIn(const TraceAnalysis& analysis, const WaitRow& row) {
    const std::string_view kind = name(row.kind);
    const bool job = analysis.trace().recording && traces::isTraining(*analysis.trace().recording);
    return job && kind == "wait at NxN" ? "wait for straggler" : std::string{kind};
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    std::vector<WaitRow> rows = waitsPerRank(analysis.waits());
    for (const WaitRow& row : completionsPerRank(analysis.instances(), analysis.wish().part)) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    for (const WaitRow& row : rows)
        table.rows.push_back(
            {nameIn(analysis, row), engine::cell(row.rank), row.waits, row.time, row.longest,
             row.mostlyFor ? engine::cell(*row.mostlyFor) : engine::Cell{}, threadCell(analysis, row.rank, row.thread),
             row.mostlyFor ? threadCell(analysis, *row.mostlyFor, row.mostlyForThread) : engine::Cell{}});
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

Question question() {
    return {
        .name = "waits",
        .page = 90,
        .meaning = "wait states of each rank, with Scalasca's names, and the rank that was waited for",
        .title = "wait states by rank, and the rank that was waited for",
        .how =
            "late sender, late receiver, and the waits of collectives: in the call that blocks, whenever a message was "
            "posted, and once a call; a late sender in the wrong order: what is taken in a later call was sent before; "
            "late contributor, which Scalasca has no class for: of the root of a reduce or gather, from when the first other rank has entered, where early reduce ends, until the last one has; "
            "completion: what NxN and barriers take once the first rank has left, for which nobody is late and which no sum of waits has; at windows: "
            "an operation or its epoch until the target has posted, MPI_Win_wait until the last origin has operated and "
            "completed, a lock until the one before is unlocked; threads of a "
            "rank: at a barrier of OpenMP for the last of the team, in a call that acquires a lock or enters a critical "
            "section for who holds it, and idle, from MPI_Init to MPI_Finalize, where no parallel region needs them",
        .columns =
            {{"wait", Content::words,
              "wait state, with Scalasca's name except for late contributor, and for wait for straggler, which is wait at NxN in training jobs"},
             {"rank", Content::rank, "rank that waited", Leads::rank},
             {"waits", Content::count, "how often"},
             {"time_s", Content::time, "in total"},
             {"longest_s", Content::time, "the longest of them"},
             {"mostly_for", Content::rank, "rank for which it waited most in total; none for completion"},
             {"thread", Content::words, "thread of the rank; empty for its main thread"},
             {"mostly_for_thread", Content::words, "thread of the rank that was waited for"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_waits
