// SPDX-License-Identifier: BSD-3-Clause
// Every algorithm that solves the same problem, emulated.
#include "app/analysis/findings/algorithm_advice.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "engine/base/field.hpp"
#include "engine/base/text.hpp"

namespace app::analysis::questions::about_what_if {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::text;

void addRows(TraceAnalysis& analysis, engine::Table& table, const Advice& one) {
    const std::string problem = engine::toText(*analysis.identified(one.first)->problem);
    const Picoseconds each = one.measured / one.instances;
    const auto row = [&](const engine::Plan& plan, bool own, Picoseconds time) {
        table.rows.push_back({problem, one.instances, wordsOf(plan), own ? Cell{std::string{"own"}} : Cell{}, time,
                              each, own && one.deviation() ? Cell{*one.deviation()} : Cell{}, one.factor(time),
                              one.saving(time)});
    };
    bool ownRanked = false;
    const auto rowOfOwn = [&] {
        if (one.own && one.again && !ownRanked) row(*one.own, true, *one.again);
        ownRanked = true;
    };
    for (const Alternative& other : one.alternatives->ranked) {
        if (one.again && *one.again <= other.time) rowOfOwn();
        if (!one.own || wordsOf(other.plan) != wordsOf(*one.own)) row(other.plan, false, other.time);
    }
    rowOfOwn();
    for (const std::string& left : one.alternatives->left) addRemark(table, "left out: " + left);
    if (!one.own)
        addRemark(table, "where no own algorithm stands it is not known, and nothing says how near the emulation is");
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    for (const Advice& one : advice(analysis)) addRows(analysis, table, one);
    for (std::size_t i = 0; i < analysis.instances().size(); ++i)
        if (const IdentifiedPtr known = analysis.identified(i); !known->problem)
            addRemark(table, text(analysis.instances()[i].operation, ": not emulated, since ", known->whyNoProblem));
    if (const std::optional<engine::Model> model = analysis.model())
        addRemark(table,
                  text(modelWords(analysis, *model), "; network ",
                       analysis.topology().empty() ? "fully connected, since none is known" : analysis.topology()));
    else
        addRemark(table, text("nothing to emulate with: ", analysis.whyNoModel(), "; give ", engine::field::alpha,
                              " and ", engine::field::beta));
}

}  // namespace

Question question() {
    return {
        .name = "what-if",
        .page = 50,
        .meaning = "every applicable algorithm under the model: time, factor, saving over the whole trace",
        .title = "what each algorithm would have taken, emulated under the model",
        .how =
            "every algorithm emulated with its options varied; `factor` is against the own algorithm emulated alike, `deviation_share` how far that emulation is from the measured time",
        .columns = {{"problem", Content::words, "that was solved"},
                    {"instances", Content::count, "that solved it in the same way"},
                    {"algorithm", Content::words, "with the options that suit it best"},
                    {"own", Content::words, "own: the algorithm that the instances used"},
                    {"time_s", Content::time, "emulated, of one instance"},
                    {"measured_s", Content::time, "of one instance in the mean"},
                    {"deviation_share", Content::share,
                     "of the own algorithm: deviation of the emulation from the measured time"},
                    {"factor", Content::number, "how many times as fast as the own algorithm, emulated alike"},
                    {"saving_s", Content::time, "over the whole trace, if the measured time shrinks by that factor"}},
        .answer = answer};
}

}  // namespace app::analysis::questions::about_what_if
