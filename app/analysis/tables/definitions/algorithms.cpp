// SPDX-License-Identifier: BSD-3-Clause
// What the messages of each instance look like, beside the schedules of the catalogue.
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_algorithms {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const IdentifiedPtr known = analysis.identified(i);
        const std::vector<Recognition> found = analysis.recognised(i);
        for (const Recognition& one : found) {
            remarkOnProblem(analysis, table, one.plan.problem);
            RowsOf{table, i}.add({one.id(), engine::cell(engine::toText(one.plan.options.given())),
                                  engine::toText(one.plan.problem), one.confidence});
        }
        if (!analysis.instances()[i].hasMessages)
            addRemark(table, "instances without recorded messages cannot be recognised");
        else if (found.empty())
            addRemark(table,
                      engine::text("instance ", i + 1, ": ",
                                   known->whyNoProblem.empty() ? notRecognised(analysis.instances()[i].rankCount())
                                                               : known->whyNoProblem));
    }
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "algorithms",
        .page = 20,
        .meaning = "algorithms whose messages match those of each instance, with a confidence",
        .title = "algorithms whose messages match those recorded",
        .how =
            "each rank's sends and receives, in order, aligned with every schedule of the catalogue; 1 = the same "
            "messages in the same order. Algorithms with identical schedules are all listed",
        .columns =
            {{"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
             {"algorithm", Content::words, "id of the algorithm in the catalogue"},
             {"options", Content::words, "options that differ from their default"},
             {"problem", Content::words, "the problem that the algorithm solves"},
             {"confidence_share", Content::share,
              "share of messages that the instance and the schedule have in the same order, by rank; 1: all of them"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_algorithms
