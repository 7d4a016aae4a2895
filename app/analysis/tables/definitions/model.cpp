// SPDX-License-Identifier: BSD-3-Clause
// Alpha and beta as the messages show them.
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_model {
namespace {

using engine::Content;

void answer(TraceAnalysis& analysis, engine::Table& table) {
    if (const std::optional<Fit>& fit = analysis.fit())
        table.rows.push_back({fit->model.alpha, fit->alphaLow, fit->alphaHigh, engine::cell(fit->model.beta),
                              engine::cell(fit->betaLow), engine::cell(fit->betaHigh), fit->samples, fit->sizes,
                              fit->deviation});
    else addRemark(table, engine::text("no fit: ", analysis.whyNoFit()));
    if (const std::string why = analysis.whyNoModel(); analysis.fit() && !why.empty())
        addRemark(table, engine::text("the fit is not used for times: ", why));
    if (const auto used = analysis.model()) addRemark(table, "all tables use " + modelWords(analysis, *used));
    else
        addRemark(table,
                  engine::text("give ", engine::field::alpha, " and ", engine::field::beta, " for bounds and what-if"));
    if (analysis.run().messages.size() > 0 && timesAreCalls(analysis.run()))
        addRemark(table, "the fit uses only messages whose receiver was waiting");
}

}  // namespace

TableDefinition definition() {
    return {.name = "model",
            .page = 140,
            .meaning = "alpha and beta fitted to the trace's messages, with intervals",
            .title = "alpha and beta fitted to the messages, with 95% intervals",
            .how = "Theil and Sen's median of slopes with Sen's 95% interval (Sen 1968)",
            .columns = {{"alpha_s", Content::time, "startup of a message"},
                        {"alpha_low_s", Content::time, "lower end of the 95% interval of alpha"},
                        {"alpha_high_s", Content::time, "upper end of the 95% interval of alpha"},
                        {"beta_s_per_byte", Content::rate, "time per byte"},
                        {"beta_low_s_per_byte", Content::rate, "lower end of the 95% interval of beta"},
                        {"beta_high_s_per_byte", Content::rate, "upper end of the 95% interval of beta"},
                        {"messages", Content::count, "number of messages that the line is fitted to"},
                        {"sizes", Content::count, "number of different sizes of these messages"},
                        {"deviation_share", Content::share,
                         "median distance of a message's time from the line, as a share of it"}},
            .answer = answer};
}

}  // namespace app::analysis::tables::about_model
