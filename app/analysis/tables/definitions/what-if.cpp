// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm that solves the same problem, emulated.
#include "app/analysis/findings/algorithm_advice.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::tables::about_what_if {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::text;

void addRows(TraceAnalysis& analysis, engine::Table& table, const Advice& one) {
    const std::string problem = engine::toText(*analysis.identified(one.first)->problem);
    remarkOnProblem(analysis, table, *analysis.identified(one.first)->problem);
    const Picoseconds each = one.measured / one.instances;
    const auto row = [&](const std::string& algorithm, bool own, Picoseconds time) {
        const auto factor = one.factor(time);
        const auto saving = one.isExplained() ? one.saving(time) : std::nullopt;
        table.rows.push_back({problem, one.instances, algorithm, own ? Cell{std::string{"own"}} : Cell{}, time, each,
                              own && one.deviation() ? Cell{*one.deviation()} : Cell{}, factor ? Cell{*factor} : Cell{},
                              saving ? Cell{*saving} : Cell{}});
    };
    std::string ownWords;
    for (const engine::Plan& plan : one.own) ownWords += text(ownWords.empty() ? "" : ", then ", wordsOf(plan));
    bool ownRanked = false;
    const auto rowOfOwn = [&] {
        if (one.again && !ownRanked) row(ownWords, true, *one.again);
        ownRanked = true;
    };
    for (const Alternative& other : one.alternatives->ranked) {
        if (one.again && *one.again <= other.time) rowOfOwn();
        if (const std::string words = wordsOf(other.plan); words != ownWords) row(words, false, other.time);
    }
    rowOfOwn();
    for (const std::string& left : one.alternatives->left) addRemark(table, "left out: " + left);
    if (one.again && !one.isExplained())
        addRemark(table, text(problem, ": the saving is unknown: the emulation of its own algorithm takes ",
                              engine::showTime(*one.again), ", measured were ", engine::showTime(each),
                              ": the model does not explain the time"));
    if (one.own.empty())
        addRemark(table,
                  "no own algorithm, speed-up and saving: it is unknown, and emulations are compared with an emulation "
                  "only");
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    for (const Advice& one : advice(analysis)) addRows(analysis, table, one);
    for (std::size_t i = 0; i < analysis.instances().size(); ++i)
        if (const IdentifiedPtr known = analysis.identified(i); !known->problem)
            addRemark(table, text(analysis.instances()[i].operation, ": not emulated: ", known->whyNoProblem));
    if (const std::optional<engine::Model> model = analysis.model())
        addRemark(table, text(modelWords(analysis, *model), "; network ",
                              analysis.topology().empty() ? "fully connected, as none is known" : analysis.topology()));
    else
        addRemark(table, text("no emulation: ", analysis.whyNoModel(), "; give ", engine::field::alpha, " and ",
                              engine::field::beta));
}

}  // namespace

TableDefinition definition() {
    return {
        .name = "what-if",
        .page = 50,
        .meaning = "predicted time, speed-up and saving of every applicable algorithm",
        .title = "predicted time of each algorithm, emulated under the model",
        .how =
            "every algorithm emulated with its options varied; `factor` is the speed-up over the algorithm that ran, "
            "also emulated, or over the one to which the messages are closest; `deviation_share` is the difference of "
            "that emulation from the measured time; if it exceeds a half, the saving is unknown",
        .columns = {{"problem", Content::words, "problem that was solved"},
                    {"instances", Content::count, "number of instances that solved it in the same way"},
                    {"algorithm", Content::words, "algorithm, with its best options"},
                    {"own", Content::words, "own: the algorithm that the instances used"},
                    {"time_s", Content::time, "emulated time of one instance"},
                    {"measured_s", Content::time, "mean measured time of an instance"},
                    {"deviation_share", Content::share,
                     "deviation of the emulation from the measured time, for the algorithm that ran"},
                    {"factor", Content::number, "speed-up over the algorithm that ran, both emulated"},
                    {"saving_s", Content::time,
                     "time saved in the whole trace, if measured times shrink by the same factor"}},
        .answer = answer};
}

}  // namespace app::analysis::tables::about_what_if
