// SPDX-License-Identifier: BSD-3-Clause
// Who waited, and for whom: for messages, in recorded collectives, at windows, and threads for each other.
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/wait_states/wait_states.hpp"
#include "engine/base/text.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace app::analysis::tables::about_waits {
namespace {

using engine::Content;

/// The wait state; in a training job ranks wait for the straggler.
std::string nameIn(const TraceAnalysis& analysis, const WaitRow& row) {
    const std::string_view kind = name(row.kind);
    const bool job = analysis.trace().recording && traces::isTraining(*analysis.trace().recording);
    return job && kind == "wait at NxN" ? "wait for straggler" : std::string{kind};
}

/// Wait states that Scalasca does not distinguish.
constexpr std::array<std::pair<WaitKind, std::string_view>, 4> ownNames{
    {{WaitKind::lateRoot, "in a reduce or gather, for the root"},
     {WaitKind::lateContributor, "of the root, for the last rank after the first one"},
     {WaitKind::lateMember, "in an operation with a root, for another rank than the root"},
     {WaitKind::atSynchronisingCall,
      "in MPI_Finalize or in a call that creates or frees a communicator, window or file"}}};

void answer(TraceAnalysis& analysis, engine::Table& table) {
    setHeadings(table, {{"waits", "times"}});
    std::vector<WaitRow> rows = waitsPerRank(analysis.waits());
    const std::vector<WaitRow> completions = completionsPerRank(analysis.instances(), analysis.wish().part);
    rows.insert(rows.end(), completions.begin(), completions.end());
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.time > b.time; });
    for (const WaitRow& row : rows)
        table.rows.push_back(
            {nameIn(analysis, row), engine::cell(row.rank), row.waits, row.time, row.longest,
             row.mostlyFor ? engine::cell(*row.mostlyFor) : engine::Cell{}, threadCell(analysis, row.rank, row.thread),
             row.mostlyFor ? threadCell(analysis, *row.mostlyFor, row.mostlyForThread) : engine::Cell{}});
    std::vector<std::string> own;
    for (const auto& [kind, meaning] : ownNames)
        if (std::ranges::any_of(rows, [kind = kind](const WaitRow& row) { return row.kind == kind; }))
            own.push_back(engine::text(name(kind), " (", meaning, ")"));
    if (!own.empty()) addRemark(table, engine::text("wait states without a name in Scalasca: ", listed(own)));
    if (!completions.empty())
        addRemark(table,
                  "completion is not waiting time: it is not in the waiting time of the summary and of tables causes, "
                  "delays and ranks");
    remarkOnInference(analysis, table);
    remarkOnClocks(analysis, table);
    remarkOnMessages(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "waits",
        .page = 90,
        .meaning = "wait states of each rank, with Scalasca's names where it has one, and the rank that was waited for",
        .title = "wait states by rank, and the rank that was waited for",
        .how =
            "each wait is counted in the call that blocks, once per call, whenever the message was posted. Wait states have Scalasca's names if "
            "Scalasca has one; a note explains the others. Wait for straggler is wait at NxN in training jobs. Completion, the time that NxN and barriers take after the first rank has left, is in no sum of waiting "
            "time. resources/docs/reading-traces.md defines every kind",
        .columns = {{"wait", Content::words, "wait state"},
                    {"rank", Content::rank, "rank that waited", CellLocation::rank},
                    {"waits", Content::count, "number of waits"},
                    {"time_s", Content::time, "total waiting time"},
                    {"longest_s", Content::time, "longest wait"},
                    {"mostly_for", Content::rank, "rank for which it waited most in total; none for completion"},
                    {"thread", Content::words, "thread of the rank; empty for its main thread"},
                    {"mostly_for_thread", Content::words, "thread of the rank that was waited for"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_waits
