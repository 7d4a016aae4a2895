// SPDX-License-Identifier: BSD-3-Clause
// Each instance beside its lower bounds, and the gap by cause.
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/schedule/logical_rounds.hpp"
#include "app/analysis/tables/table_helpers.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app::analysis::tables::about_bounds {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;

/// The instance in which the network forces most.
struct Forced {
    Picoseconds time{};
    std::size_t instance = 0;
};

/// As many as can be compared with the bound: reconstructed rounds may have several messages of a rank.
std::int64_t roundsOf(const Instance& instance, const engine::Problem& problem) {
    return instance.hasRounds || problem.ports > 1 ? instance.rounds : roundsOfOnePort(*instance.run);
}

/// As on the first page.
Cell algorithmCell(TraceAnalysis& analysis, std::size_t i, const Identified& known) {
    if (const auto use = usedInUnmatched(analysis, i); use && !use->catalogue.empty()) return Cell{use->catalogue};
    return known.plan ? Cell{known.plan->algorithm->id} : Cell{};
}

/// Whether the causes of the time above the bound are known, where there is one.
bool addRow(TraceAnalysis& analysis, engine::Table& table, std::size_t i, Forced& most) {
    const Instance& instance = analysis.instances()[i];
    const IdentifiedPtr known = analysis.identified(i);
    const Limits limits = limitsOf(analysis, *known);
    const std::optional<InstanceGap> gap = gapOf(analysis, i);
    const bool counted = instance.hasMessages;
    const Picoseconds time = instance.duration();
    std::vector<Cell> cells{instance.operation,
                            algorithmCell(analysis, i, *known),
                            counted ? Cell{roundsOf(instance, *known->problem)} : Cell{},
                            limits.held().rounds.value,
                            counted ? Cell{busiestRankOf(*instance.run)} : Cell{},
                            limits.bounds.perRank,
                            time,
                            gap ? Cell{gap->bound} : Cell{},
                            gap ? ratioCell(time, gap->bound) : Cell{}};
    const bool isSplit = gap && gap->isSplit(analysis.trace().isCollscopeRun());
    for (const GapCause& cause : gapCauses) cells.push_back(isSplit ? Cell{(*gap->parts).*cause.time} : Cell{});
    if (isSplit && counted && !analysis.trace().isCollscopeRun())
        addRemark(table,
                  "extra startups and extra bytes are of the messages on the critical path of the call, which differs "
                  "between calls of one algorithm; both are 0 where the path has fewer than the bound, also if the "
                  "rounds and bytes of the whole call are above theirs");
    if (counted && !instance.hasRounds && instance.rounds != roundsOf(instance, *known->problem))
        addRemark(table,
                  "rounds that were not recorded are reconstructed with one message at a time per rank, as the bound "
                  "counts them; table rounds and the first page count messages at the same time as one round");
    cells.emplace_back(std::string{name(limits.blocks)});
    cells.push_back(limits.held().time ? Cell{limits.networkForces()} : Cell{});
    if (limits.networkForces() > most.time) most = {limits.networkForces(), i};
    RowsOf{table, i}.add(std::move(cells));
    if (!counted && gap)
        addRemark(
            table,
            "for instances whose messages were not recorded, waiting is the arrival skew, at most the time above the "
            "bound; the rest is unexplained");
    return !gap || gap->parts;
}

void answer(TraceAnalysis& analysis, engine::Table& table) {
    setHeadings(table, {{"rank_bytes", "bytes of the busiest rank"},
                        {"bound_rank_bytes", "bound of these bytes"},
                        {"extra_rounds_s", "extra startups"},
                        {"unevenness_s", "imbalance"},
                        {"class", "bound for"}});
    if (!analysis.trace().isCollscopeRun()) setHeadings(table, {{"congestion_s", "slow transfers"}});
    bool explained = true;
    Forced most;
    for (std::size_t i = 0; i < analysis.instances().size(); ++i) {
        const IdentifiedPtr known = analysis.identified(i);
        if (known->problem) explained = addRow(analysis, table, i, most) && explained;
        else
            addRemark(table,
                      engine::text(analysis.instances()[i].operation, ": no bound, since ", known->whyNoProblem));
    }
    if (most.time > Picoseconds{})
        addRemark(table, networkForcesInWords(analysis, *analysis.identified(most.instance)));
    const std::optional<engine::Model> model = analysis.model();
    if (!model)
        addRemark(table, engine::text("no lower bounds in time: ", analysis.whyNoModel(), "; give ",
                                      engine::field::alpha, " and ", engine::field::beta));
    else if (model->logGP)
        addRemark(table,
                  "the model is LogGP: the difference is split by cause only under alpha and "
                  "beta");
    else addRemark(table, modelWords(analysis, *model));
    if (model && !model->logGP && !explained)
        addRemark(
            table,
            "the difference is split by cause only if all messages have the same alpha and beta and the result of the "
            "run is correct");
    // A bound that was beaten is none: the machine was faster than the fit, or messages did not wait for each other.
    constexpr std::size_t timesBound = 9;
    const auto beaten = std::ranges::count_if(table.rows, [](const std::vector<Cell>& row) {
        const auto* times = std::get_if<double>(&row[timesBound]);
        return times != nullptr && *times < 1 - 1e-9;
    });
    if (beaten > 0 && model && analysis.trace().report.run->setting.on != "virtual")
        addRemark(table,
                  engine::text("of ", table.rows.size(), " rows ", beaten,
                               " took less time than the model allows: alpha or beta is too large for these rows, and "
                               "so are their lower bounds; their time is not split by cause"));
}

std::vector<ColumnDefinition> columns() {
    std::vector<ColumnDefinition> all{
        {"instance", Content::count, "number of the instance, from 1", CellLocation::instance},
        {"operation", Content::words, "the collective, or messages"},
        {"algorithm", Content::words, "algorithm, recorded or recognised"},
        {"rounds", Content::count, "rounds of the instance; reconstructed ones with one message at a time per rank"},
        {"bound_rounds", Content::count, "lower bound of the rounds"},
        {"rank_bytes", Content::bytes, "bytes through the ports of the busiest rank"},
        {"bound_rank_bytes", Content::bytes, "lower bound of rank_bytes"},
        {"time_s", Content::time, "duration of the instance"},
        {"bound_time_s", Content::time, "lower bound of the time, under the model"},
        {"times_bound", Content::number, "time_s / bound_time_s"}};
    for (const GapCause& cause : gapCauses)
        all.push_back({cause.key, Content::time,
                       cause.time == &Gap::congestion ? "shared links; in a trace also messages slower than the model"
                                                      : cause.meaning});
    all.push_back(
        {"class", Content::words,
         "schedules for which the bounds hold: those of one-block messages, each of which carries one whole contribution, or of any messages"});
    all.push_back({"network_forces_s", Content::time, "part of bound_time_s that is due to the network"});
    return all;
}

}  // namespace

TableDefinition definition() {
    return {.name = "bounds",
            .page = 40,
            .meaning = "rounds, bytes and time with their lower bounds, and the difference by cause",
            .title = "rounds, bytes and time of each instance, with their lower bounds",
            .how =
                "the parts add up to time_s - bound_time_s, along the critical path; for runs of Collscope as `run` "
                "reports them; reconstructed rounds are counted with one message at a time per rank, as the bound "
                "does",
            .columns = columns(),
            .answer = answer};
}

}  // namespace app::analysis::tables::about_bounds
