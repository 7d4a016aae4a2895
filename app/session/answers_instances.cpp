// SPDX-License-Identifier: BSD-3-Clause
// Answers about each instance: what it was, how it went, and what it was like.
#include "app/session/answers_of.hpp"

#include "app/analysis/gap.hpp"
#include "app/analysis/tables.hpp"
#include "engine/text.hpp"

#include <algorithm>

namespace app {

using engine::cell;
using engine::Cell;
using engine::Content;
using engine::Picoseconds;
using engine::Table;
using engine::text;
using traces::Instance;

namespace {

/// The wiring that binds an instance: that of the recorded network, for our own runs.
engine::Bounds boundsFor(Inquiry& inquiry, const Identified& known) {
    const Report& report = inquiry.trace().report;
    if (known.planRecorded && report.bounds) return *report.bounds;
    if (known.plan) return app::boundsFor(*known.plan, engine::Wiring::any());
    return engine::boundsOf(*known.problem, engine::Wiring::any());
}

Picoseconds spreadOf(const Instance& instance) { return traces::arrivalsOf(instance).spread; }

}  // namespace

std::optional<InstanceGap> gapOf(Inquiry& inquiry, std::size_t index) {
    const IdentifiedPtr known = inquiry.identified(index);
    const std::optional<engine::Model> model = inquiry.model();
    // Bounds speak of alpha and beta; LogGP gives their terms no time.
    if (!known->problem || !model || model->logGP) return std::nullopt;
    const Instance& instance = inquiry.instances()[index];
    const Report& report = inquiry.trace().report;
    InstanceGap gap;
    gap.bounds = boundsFor(inquiry, *known);
    gap.bound = engine::timeBound(gap.bounds, *model);
    const Picoseconds above = instance.duration() - gap.bound;
    if (known->planRecorded && report.gap && inquiry.modelOrigin() == "recorded") {
        gap.extraRounds = report.gap->extraRounds;
        gap.extraBytes = report.gap->extraBytes;
        gap.combining = report.gap->combining;
        gap.congestion = report.gap->congestion;
    } else if (instance.hasMessages) {
        const traces::PathGap path = traces::gapOf(traces::criticalPath(instance.run), gap.bounds, *model);
        gap.extraRounds = path.extraRounds;
        gap.extraBytes = path.extraBytes;
        gap.congestion = path.congestion;
    } else {
        gap.waiting = spreadOf(instance);
        gap.unexplained = above - gap.waiting;
        return gap;
    }
    gap.waiting = above - gap.extraRounds - gap.extraBytes - gap.combining - gap.congestion;
    return gap;
}

namespace answers {

void addRemark(Table& table, const std::string& remark) {
    if (!remark.empty() && std::find(table.remarks.begin(), table.remarks.end(), remark) == table.remarks.end())
        table.remarks.push_back(remark);
}

Table perInstance(Inquiry& inquiry, Table shape, const std::function<Table(std::size_t)>& answer) {
    shape.columns.insert(shape.columns.begin(), {"instance", Content::count});
    for (std::size_t i = 0; i < inquiry.instances().size(); ++i) {
        Table one = answer(i);
        for (auto& row : one.rows) {
            std::vector<Cell>& line = shape.rows.emplace_back();
            line.reserve(row.size() + 1);
            line.emplace_back(static_cast<std::int64_t>(i) + 1);
            for (Cell& cell : row) line.push_back(std::move(cell));
        }
        for (const std::string& remark : one.remarks) addRemark(shape, remark);
    }
    return shape;
}

Picoseconds measuredTime(const Instance& instance) {
    return instance.hasMessages ? instance.duration() : instance.duration() - spreadOf(instance);
}

Table collectives(Inquiry& inquiry) {
    Table table{.name = {},
                .title = "what the ranks did together",
                .columns = {{"instance", Content::count},
                            {"communicator", Content::words},
                            {"operation", Content::words},
                            {"ranks", Content::count},
                            {"groups", Content::words},
                            {"root", Content::rank},
                            {"bytes", Content::bytes},
                            {"messages", Content::count},
                            {"begin_s", Content::time},
                            {"duration_s", Content::time},
                            {"arrival_spread_s", Content::time},
                            {"last", Content::rank},
                            {"wait", Content::words},
                            {"waiting_s", Content::time}},
                .rows = {}};
    bool outside = false;
    bool partial = false;
    for (std::size_t i = 0; i < inquiry.instances().size(); ++i) {
        const Instance& instance = inquiry.instances()[i];
        const traces::Arrivals arrivals = traces::arrivalsOf(instance);
        const auto world = [&](std::optional<engine::Rank> rank) {
            return rank ? cell(instance.ranks[static_cast<std::size_t>(rank->value)]) : Cell{};
        };
        const bool waits = arrivals.kind != traces::CollectiveWait::none;
        outside = outside || !instance.hasMessages;
        partial = partial || !instance.complete;
        table.rows.push_back(
            {static_cast<std::int64_t>(i) + 1, instance.communicator, instance.operation,
             static_cast<std::int64_t>(instance.ranks.size()),
             instance.groupB > 0 ? Cell{text(instance.groupA, '+', instance.groupB)} : Cell{}, world(instance.root),
             instance.bytes, instance.hasMessages ? Cell{instance.run.messageCount} : Cell{}, instance.begin,
             instance.duration(), instance.isCollective() ? Cell{arrivals.spread} : Cell{}, world(arrivals.last),
             waits ? Cell{std::string{traces::name(arrivals.kind)}} : Cell{}, waits ? Cell{arrivals.waiting} : Cell{}});
    }
    if (outside)
        table.remarks.emplace_back("where no number of messages stands, the messages inside were not recorded");
    if (partial) table.remarks.emplace_back("some instances lack the records of some ranks");
    return table;
}

Table rounds(Inquiry& inquiry) {
    return perInstance(inquiry, traces::tableOf(std::vector<traces::RoundRow>{}), [&](std::size_t i) {
        const Instance& instance = inquiry.instances()[i];
        Table table = traces::tableOf(traces::rounds(instance.run));
        if (!instance.hasMessages)
            addRemark(table, text("rounds inside recorded collectives (", instance.operation, ") were not recorded"));
        else if (!instance.hasRounds) addRemark(table, "rounds were recovered from the order of messages on each rank");
        return table;
    });
}

Table algorithms(Inquiry& inquiry) {
    return perInstance(inquiry, traces::tableOf(std::vector<traces::Recognition>{}), [&](std::size_t i) {
        const IdentifiedPtr known = inquiry.identified(i);
        Table table = traces::tableOf(inquiry.recognised(i));
        if (!inquiry.instances()[i].hasMessages)
            addRemark(table, "instances without recorded messages cannot be recognised");
        else if (table.rows.empty())
            addRemark(table, text("instance ", i + 1, ": ",
                                  known->whyNoProblem.empty() ? "its messages look like no algorithm of the catalogue"
                                                              : known->whyNoProblem));
        return table;
    });
}

Table bounds(Inquiry& inquiry) {
    Table shape{.name = {},
                .title = "measured beside the lower bound; the causes add up to the time above it",
                .columns = {{"operation", Content::words},
                            {"algorithm", Content::words},
                            {"rounds", Content::count},
                            {"bound_rounds", Content::count},
                            {"rank_bytes", Content::bytes},
                            {"bound_rank_bytes", Content::bytes},
                            {"time_s", Content::time},
                            {"bound_time_s", Content::time},
                            {"times_bound", Content::number},
                            {"extra_rounds_s", Content::time},
                            {"extra_bytes_s", Content::time},
                            {"combining_s", Content::time},
                            {"congestion_s", Content::time},
                            {"waiting_s", Content::time},
                            {"unexplained_s", Content::time}},
                .rows = {}};
    Table table = perInstance(inquiry, std::move(shape), [&](std::size_t i) {
        const Instance& instance = inquiry.instances()[i];
        const IdentifiedPtr known = inquiry.identified(i);
        Table one;
        if (!known->problem) {
            addRemark(one, text(instance.operation, ": no bound, since ", known->whyNoProblem));
            return one;
        }
        const engine::Bounds limits = boundsFor(inquiry, *known);
        const std::optional<InstanceGap> gap = gapOf(inquiry, i);
        std::vector<engine::Bytes> sent(static_cast<std::size_t>(instance.run.ranks));
        std::vector<engine::Bytes> received(sent.size());
        for (std::size_t m = 0; m < instance.run.messages.size(); ++m) {
            sent[instance.run.messages.from()[m].index()] += instance.run.messages.bytes()[m];
            received[instance.run.messages.to()[m].index()] += instance.run.messages.bytes()[m];
        }
        engine::Bytes busiest = 0;
        for (std::size_t rank = 0; rank < sent.size(); ++rank)
            busiest = std::max({busiest, sent[rank], received[rank]});
        const auto part = [&](Picoseconds InstanceGap::*time) { return gap ? Cell{(*gap).*time} : Cell{}; };
        const bool counted = instance.hasMessages;
        std::vector<Cell> row{
            instance.operation,
            known->plan ? Cell{known->plan->algorithm->id} : Cell{},
            counted ? Cell{instance.run.rounds} : Cell{},
            inquiry.trace().report.roundBound && known->planRecorded ? Cell{inquiry.trace().report.roundBound->value}
                                                                     : Cell{limits.startups.value},
            counted ? Cell{busiest} : Cell{},
            limits.volume.value,
            instance.duration(),
            part(&InstanceGap::bound),
            gap && gap->bound.count() > 0
                ? Cell{static_cast<double>(instance.duration().count()) / static_cast<double>(gap->bound.count())}
                : Cell{},
            part(&InstanceGap::extraRounds),
            part(&InstanceGap::extraBytes),
            part(&InstanceGap::combining),
            part(&InstanceGap::congestion),
            part(&InstanceGap::waiting),
            part(&InstanceGap::unexplained)};
        one.rows.push_back(std::move(row));
        if (!counted)
            addRemark(one,
                      "where messages were not recorded, waiting is the spread of arrivals and the rest is "
                      "unexplained");
        return one;
    });
    if (!inquiry.model())
        addRemark(table, text("no times of bounds: ", inquiry.whyNoFit(), "; give ", engine::Field{"alpha"}, " and ",
                              engine::Field{"beta"}));
    else if (inquiry.model()->logGP) addRemark(table, "the model is LogGP: bounds have no time under it");
    else
        addRemark(table, text("alpha ", engine::showTime(inquiry.model()->alpha), ", beta ",
                              engine::showRate(inquiry.model()->beta), ", ", inquiry.modelOrigin()));
    return table;
}

namespace {

/// What instances without a plan have in common as a remark.
std::string noPlan(const Instance& instance) {
    return instance.hasMessages ? "instances that look like no algorithm of the catalogue are left out"
                                : "instances without recorded messages are left out";
}

}  // namespace

Table differences(Inquiry& inquiry) {
    return perInstance(inquiry, traces::tableOf(std::vector<traces::DifferenceRow>{}), [&](std::size_t i) {
        const Instance& instance = inquiry.instances()[i];
        const IdentifiedPtr known = inquiry.identified(i);
        Table none;
        if (!known->plan || !instance.hasMessages) addRemark(none, noPlan(instance));
        if (!known->plan || !instance.hasMessages) return none;
        Table table = traces::tableOf(
            traces::differences(instance.run, *known->plan->schedule, {}, {.stop = inquiry.progress().stop}));
        addRemark(table, text("instance ", i + 1, " beside ", wordsOf(*known->plan),
                              known->planRecorded
                                  ? ", as recorded"
                                  : text(", ", engine::showNumber(100 * known->confidence(), 3), " % like it")));
        return table;
    });
}

Table ports(Inquiry& inquiry) {
    return perInstance(inquiry, traces::tableOf(std::vector<traces::PortRow>{}), [&](std::size_t i) {
        const Instance& instance = inquiry.instances()[i];
        const IdentifiedPtr known = inquiry.identified(i);
        const int allowed = known->plan ? known->plan->schedule->facts().ports : 1;
        Table table = traces::tableOf(traces::portViolations(instance.run, allowed));
        if (!instance.hasMessages) addRemark(table, noPlan(instance));
        else addRemark(table, text("instance ", i + 1, " may use ", allowed, allowed == 1 ? " port" : " ports"));
        return table;
    });
}

Table deliveries(Inquiry& inquiry) {
    return perInstance(inquiry, traces::tableOf(std::vector<traces::DeliveryRow>{}), [&](std::size_t i) {
        const Instance& instance = inquiry.instances()[i];
        const IdentifiedPtr known = inquiry.identified(i);
        Table table;
        if (!instance.hasMessages || !known->problem) {
            addRemark(table, noPlan(instance));
            return table;
        }
        const auto found =
            traces::deliveries(instance.run, *known->problem, known->plan ? known->plan->schedule.get() : nullptr,
                               {.stop = inquiry.progress().stop});
        if (!found)
            addRemark(table, engine::isReduction(known->problem->collective)
                                 ? "contributions of reductions travel combined: they are not followed here"
                                 : "contents of messages were not recorded");
        if (!found) return table;
        table = traces::tableOf(found->rows);
        if (found->inferred)
            addRemark(table, text("instance ", i + 1, ": contents were not recorded; they are those of ",
                                  wordsOf(*known->plan)));
        return table;
    });
}

}  // namespace answers
}  // namespace app
