// SPDX-License-Identifier: BSD-3-Clause
// Who passes what, where arguments of one collective disagree between its ranks.
#include "app/analysis/collectives/mismatches.hpp"
#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/tables/table_helpers.hpp"

namespace app::analysis::tables::about_mismatches {
namespace {

using engine::Cell;
using engine::Content;
using engine::live::Disagreement;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    const Trace& trace = analysis.trace();
    if (!trace.recording || trace.isCollscopeRun()) return;
    for (const Mismatch& one : mismatchesOf(*trace.recording, analysis.selection()))
        for (const engine::live::PassAlike& side : one.disagreement.sides) {
            std::vector<std::int32_t> ranks;
            for (const std::size_t i : side.who) ranks.push_back(one.ranks[i]);
            std::sort(ranks.begin(), ranks.end());
            const bool isNumber = one.disagreement.about == Disagreement::About::root ||
                                  one.disagreement.about == Disagreement::About::bytes;
            table.rows.push_back({communicatorName(*trace.recording, one.communicator), one.call,
                                  one.operation.empty() ? Cell{} : Cell{one.operation}, one.begin,
                                  std::string{nameOf(one.disagreement.about)}, engine::live::membersToText(ranks),
                                  std::string{nameOf(side.verb)}, side.what, isNumber ? Cell{side.value} : Cell{}});
        }
    remarkOnCut(analysis, table);
}

}  // namespace

TableDefinition definition() {
    return {.name = "mismatches",
            .page = 95,
            .meaning = "collectives with mismatched arguments",
            .title = "collectives with mismatched arguments, and the arguments of each rank",
            .how =
                "the MPI standard requires roots, operations and type signatures to agree; bytes are compared, not "
                "counts",
            .columns = {{"communicator", Content::words, "name of the communicator"},
                        {"call", Content::count, "position among the collectives of the communicator, from 1"},
                        {"operation", Content::words, "the call; empty if the ranks disagree about it"},
                        {"begin_s", Content::time, "first entry into the call", CellLocation::begin},
                        {"argument", Content::words, "argument that disagrees: call, root, operation or bytes"},
                        {"ranks", Content::words, "ranks that pass the same value"},
                        {"does", Content::words, "verb of the statement: pass, send, expect or call"},
                        {"what", Content::words, "value that these ranks pass"},
                        {"value", Content::count, "the root, or the bytes"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_mismatches
