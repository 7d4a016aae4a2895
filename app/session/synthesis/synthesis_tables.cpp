// SPDX-License-Identifier: BSD-3-Clause
// The result of a synthesis as tables and a chart.
#include "app/analysis/format/cell_format.hpp"
#include "app/session/synthesis/synthesis.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <cmath>

namespace app {
namespace {

using engine::Picoseconds;
using engine::text;

std::string nameOf(const SearchRow& row) {
    return text(analysis::counted(row.chunks, "chunk"), ", ", analysis::counted(row.steps, "step"), ", ",
                analysis::counted(row.rounds, "round"));
}

/// The cheapest algorithm of the catalogue that needs no more than what is impossible between neighbours; null: none.
const CostLine* refuted(const Synthesis& synthesis) {
    const CostLine* best = nullptr;
    for (const SearchRow& row : synthesis.rows)
        for (const CostLine& line : synthesis.catalogue)
            if (row.answer == SearchAnswer::impossible && !line.direct && line.steps <= row.steps &&
                line.share / synthesis.unit * row.chunks <= row.rounds + 1e-9 &&
                (best == nullptr || line.cost < best->cost))
                best = &line;
    return best;
}

/// What the search is for: "schedule between neighbours".
std::string searchedForm(const Synthesis& synthesis) {
    return text(synthesis.composed ? "reduce-scatter followed by an allgather" : "schedule",
                synthesis.neighboursOnly ? " between neighbours" : "");
}

}  // namespace

std::vector<CostLine> bestLines(const Synthesis& synthesis) {
    std::vector<CostLine> lines;
    for (const SearchRow& row : synthesis.rows)
        if (row.best) lines.push_back({.name = nameOf(row), .steps = row.steps, .share = row.share});
    return lines;
}

engine::Table tableOf(const Synthesis& synthesis) {
    using engine::Content;
    engine::Table table{.name = "synthesis",
                        .title = text("schedules of ", name(synthesis.problem.collective), " on ", synthesis.network),
                        .columns = {{"chunks", Content::count},
                                    {"steps", Content::count},
                                    {"rounds", Content::count},
                                    {"answer", Content::words},
                                    {"by", Content::words, "decided by"},
                                    {"best", Content::words},
                                    {"cost_s", Content::time, "cost in lockstep"},
                                    {"bound_s", Content::time, "bound of row"},
                                    {"sizes", Content::words, "best for sizes"},
                                    {"search_s", Content::time, "search time"}},
                        .rows = {}};
    for (const SearchRow& row : synthesis.rows)
        table.rows.push_back({std::int64_t{row.chunks}, std::int64_t{row.steps}, std::int64_t{row.rounds},
                              engine::cell(std::string{name(row.answer)}), engine::cell(std::string{decidedBy(row)}),
                              engine::cell(std::string{row.best ? "yes" : ""}),
                              row.cost ? engine::Cell{*row.cost} : engine::Cell{}, row.bound,
                              engine::cell(row.sizes ? inWords(*row.sizes) : std::string{}),
                              std::chrono::duration_cast<Picoseconds>(row.took)});
    const auto any = [&](const auto& is) { return std::any_of(synthesis.rows.begin(), synthesis.rows.end(), is); };
    if (any([](const SearchRow& row) { return row.answer == SearchAnswer::impossible; }))
        table.remarks.push_back(
            text("Impossible: no ", searchedForm(synthesis), " with these chunks and steps has so few rounds."));
    if (const CostLine* other = refuted(synthesis))
        table.remarks.push_back(text(other->name, ", in which other ranks exchange messages, has ",
                                     analysis::counted(other->steps, "step"), " and a load of ",
                                     engine::showNumber(other->share, 3), "."));
    if (any([](const SearchRow& row) {
            return row.answer == SearchAnswer::found && row.method != SearchMethod::solver;
        }))
        table.remarks.emplace_back("Found without a search: better schedules may exist, down to the bound.");
    if (synthesis.composed)
        table.remarks.push_back(
            "The search is for a reduce-scatter followed by an allgather; other allreduce schedules, "
            "which may be better, were not searched. A row decided by the catalogue may be of another form.");
    table.remarks.push_back(text(
        "Lower bounds of all schedules", synthesis.portsLimited ? "" : " with any number of ports",
        ", also of those between ranks that are not neighbours: ", analysis::counted(synthesis.fewestSteps, "step"),
        "; ", engine::showTime(synthesis.bound), " under the model. One schedule need not attain both."));
    if (synthesis.neighboursOnly || synthesis.fewestSearched > synthesis.fewestSteps)
        table.remarks.push_back(text("A ", searchedForm(synthesis), " needs at least ",
                                     analysis::counted(synthesis.fewestSearched, "step"), "."));
    if (!synthesis.rival.empty())
        table.remarks.push_back(text(synthesis.comparedInPart ? "Fastest of the algorithms compared: "
                                                              : "Fastest algorithm of the catalogue on this network: ",
                                     synthesis.rival, ", ", engine::showTime(synthesis.rivalTime),
                                     " without lockstep, where rounds may overlap."));
    if (synthesis.comparedInPart)
        table.remarks.emplace_back("The time limit ended the comparison with the catalogue before its last algorithm.");
    if (any([](const SearchRow& row) { return row.answer == SearchAnswer::undecided; }))
        table.remarks.push_back("Undecided: the time limit was reached first.");
    return table;
}

engine::Table catalogueTable(const Synthesis& synthesis) {
    using engine::Content;
    engine::Table table{
        .name = "catalogue",
        .title = text("algorithms under the same model",
                      synthesis.problem.ports > 1 ? text(" with ", synthesis.problem.ports, " ports") : "",
                      ", without those that another one beats in both steps and load"),
        .columns = {{"algorithm", Content::words},
                    {"steps", Content::count},
                    {"load", Content::number},
                    {"cost_s", Content::time, "cost in lockstep"},
                    {"sizes", Content::words, "best for sizes"}},
        .rows = {}};
    const std::vector<CostLine>& all = synthesis.catalogue;
    std::vector<CostLine> lines = all;
    const std::vector<CostLine> found = bestLines(synthesis);
    lines.insert(lines.end(), found.begin(), found.end());
    const auto ranges = cheapestRanges(lines, synthesis.alpha, synthesis.beta);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto beats = [&](const CostLine& other) {
            return other.steps <= all[i].steps && other.share <= all[i].share &&
                   (other.steps < all[i].steps || other.share < all[i].share);
        };
        if (std::any_of(all.begin(), all.end(), beats)) continue;
        table.rows.push_back({engine::cell(all[i].name), all[i].steps, all[i].share, all[i].cost,
                              engine::cell(ranges[i] ? inWords(*ranges[i]) : std::string{})});
    }
    table.remarks.emplace_back("Load: contributions on the most loaded lane of each step, added up over all steps.");
    return table;
}

Chart chartOf(const Synthesis& synthesis) {
    Chart chart =
        frontierChart(bestLines(synthesis), synthesis.catalogue, synthesis.limit, synthesis.alpha, synthesis.beta);
    chart.title = text("Schedules of ", name(synthesis.problem.collective), " on ", synthesis.network);
    chart.below =
        text(synthesis.problem.ranks(), " ranks; algorithms of the catalogue have the options that they choose for ",
             engine::showBytes(synthesis.problem.layout.largest()));
    return chart;
}

}  // namespace app
