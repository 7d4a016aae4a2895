// SPDX-License-Identifier: BSD-3-Clause
// Each instance beside its lower bounds, and the gap by cause.
#include "app/analysis/answering.hpp"
#include "app/analysis/instance_gap.hpp"
#include "engine/field.hpp"
#include "engine/text.hpp"

namespace app::analysis::questions {
namespace {

using engine::Cell;
using engine::Content;
using engine::Picoseconds;

/// Bytes through the busiest port of any rank.
engine::Bytes busiestPort(const engine::Run& run) {
    std::vector<engine::Bytes> sent(static_cast<std::size_t>(run.ranks));
    std::vector<engine::Bytes> received(sent.size());
    for (std::size_t m = 0; m < run.messages.size(); ++m) {
        sent[run.messages.from()[m].index()] += run.messages.bytes()[m];
        received[run.messages.to()[m].index()] += run.messages.bytes()[m];
    }
    engine::Bytes busiest = 0;
    for (std::size_t rank = 0; rank < sent.size(); ++rank) busiest = std::max({busiest, sent[rank], received[rank]});
    return busiest;
}

void addRow(Inquiry& inquiry, engine::Table& table, std::size_t i) {
    const Instance& instance = inquiry.instances()[i];
    const IdentifiedPtr known = inquiry.identified(i);
    const Report& report = inquiry.trace().report;
    const engine::Bounds limits = boundsOf(inquiry, *known);
    const std::optional<InstanceGap> gap = gapOf(inquiry, i);
    const bool counted = instance.hasMessages;
    const auto part = [&](Picoseconds Gap::*time) { return gap ? Cell{gap->parts.*time} : Cell{}; };
    const Picoseconds time = instance.duration();
    RowsOf{table, i}.add(
        {instance.operation, known->plan ? Cell{known->plan->algorithm->id} : Cell{},
         counted ? Cell{instance.run.rounds} : Cell{},
         report.roundBound && known->planRecorded ? report.roundBound->value : limits.startups.value,
         counted ? Cell{busiestPort(instance.run)} : Cell{}, limits.volume.value, time, gap ? Cell{gap->bound} : Cell{},
         gap && gap->bound.count() > 0
             ? Cell{static_cast<double>(time.count()) / static_cast<double>(gap->bound.count())}
             : Cell{},
         part(&Gap::extraRounds), part(&Gap::extraBytes), part(&Gap::combining), part(&Gap::congestion),
         part(&Gap::perturbation), part(&Gap::waiting), part(&Gap::unexplained)});
    if (!counted)
        addRemark(table,
                  "where messages were not recorded, waiting is the spread of arrivals and the rest is unexplained");
}

void answer(Inquiry& inquiry, engine::Table& table) {
    for (std::size_t i = 0; i < inquiry.instances().size(); ++i) {
        const IdentifiedPtr known = inquiry.identified(i);
        if (known->problem) addRow(inquiry, table, i);
        else
            addRemark(table, engine::text(inquiry.instances()[i].operation, ": no bound, since ", known->whyNoProblem));
    }
    const std::optional<engine::Model> model = inquiry.model();
    if (!model)
        addRemark(table, engine::text("no times of bounds: ", inquiry.whyNoFit(), "; give ", engine::Field{"alpha"},
                                      " and ", engine::Field{"beta"}));
    else if (model->logGP) addRemark(table, "the model is LogGP: bounds have no time under it");
    else addRemark(table, modelWords(inquiry, *model));
}

}  // namespace

Question bounds() {
    return {
        .name = "bounds",
        .page = 40,
        .meaning = "rounds, bytes and time beside the lower bounds, and the gap by cause",
        .title = "measured beside the lower bound; the causes add up to the time above it",
        .how =
            "the parts add up to time_s - bound_time_s, along the critical path; of our own virtual runs as `run` says them",
        .columns = {{"instance", Content::count, "its number, from 1", Leads::instance},
                    {"operation", Content::words, "the collective, or messages"},
                    {"algorithm", Content::words, "recorded, or recognised"},
                    {"rounds", Content::count, "it took"},
                    {"bound_rounds", Content::count, "that it needs at least"},
                    {"rank_bytes", Content::bytes, "through the busiest port of any rank"},
                    {"bound_rank_bytes", Content::bytes, "that some port must pass at least"},
                    {"time_s", Content::time, "it took"},
                    {"bound_time_s", Content::time, "that it needs at least under the model"},
                    {"times_bound", Content::number, "how many times that it took"},
                    {"extra_rounds_s", Content::time, "startups beyond those of the bound"},
                    {"extra_bytes_s", Content::time, "bytes in a row beyond those of the bound"},
                    {"combining_s", Content::time, "bytes combined"},
                    {"congestion_s", Content::time, "messages slower than the model says"},
                    {"unevenness_s", Content::time, "late ranks, slow ranks, slow links, where they are known"},
                    {"waiting_s", Content::time, "between messages"},
                    {"unexplained_s", Content::time, "inside what was not recorded"}},
        .answer = answer};
}

}  // namespace app::analysis::questions
