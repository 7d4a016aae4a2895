// SPDX-License-Identifier: BSD-3-Clause
// From runs to everything there is to say about them.
#include "app/analysis/trace/run_report.hpp"

#include "app/analysis/containers/sub_progress.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/messages/schedule_totals.hpp"
#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "emulation/networks/ring_embedding.hpp"
#include "emulation/relay/relay.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/algorithm_file.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/proof/runnable_part.hpp"
#include "engine/proof/sent_too_early.hpp"

#include <algorithm>

namespace app::analysis {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Progress;
using engine::Run;
using engine::text;

std::map<std::string, std::string> pairs(const std::string& words) {
    std::map<std::string, std::string> values;
    for (const std::string& word : engine::split(words, ' ')) {
        const auto equals = word.find('=');
        if (equals != std::string::npos) values[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return values;
}

/// Of a split-phase call in virtual time, which is neither free nor in step.
bool isInHalves(const Run& run) { return run.setting.on == "virtual" && run.setting.progress.empty(); }

bool isRelayed(const Run& run) { return run.setting.routing == relayedRouting; }

/// The plan that a setting names, if this program knows it and it is the one that ran.
std::optional<engine::Plan> planOf(const Run& run, const std::optional<engine::Model>& model,
                                   const emulation::NetworkPtr& network, const Progress& progress) {
    if (run.setting.algorithm.empty() || run.setting.problem.empty()) return std::nullopt;
    try {
        const engine::Algorithm* algorithm = engine::schedules::isPath(run.setting.algorithm)
                                                 ? engine::schedules::openedAs(run.setting.algorithm)
                                                 : &engine::algorithmNamed(run.setting.algorithm);
        if (algorithm == nullptr) return std::nullopt;
        engine::Plan plan = engine::makePlan(
            *algorithm, engine::problemFromText(run.setting.problem), pairs(run.setting.options),
            {.model = model.value_or(engine::Model{}),
             .nodes = [network] { return network ? emulation::nodesOf(*network) : std::vector<std::int32_t>{}; },
             .way = [network] { return network ? emulation::wayThrough(*network) : std::vector<std::int32_t>{}; }});
        if (isRelayed(run)) {
            if (!network) return std::nullopt;
            plan.schedule = emulation::neighboursOnly(std::move(plan.schedule), plan.problem, network, progress);
        }
        plan = runnablePart(std::move(plan), {.stop = progress.stop});
        const engine::Facts& facts = plan.schedule->facts();
        if (facts.ranks != run.ranks || facts.rounds != run.rounds) return std::nullopt;
        return plan;
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

std::optional<engine::Model> modelOf(const engine::Setting& setting) {
    if (setting.model.empty()) return std::nullopt;
    try {
        return engine::modelFromText(setting.model);
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

emulation::NetworkPtr recordedNetwork(const Run& run) {
    if (run.setting.topology.empty()) return nullptr;
    try {
        return emulation::makeNetwork(run.setting.topology, run.ranks);
    } catch (const engine::Error&) {
        return nullptr;
    }
}

/// Nothing where the setting's words are not understood.
std::optional<emulation::SharingWords> sharingOf(const engine::Setting& setting) {
    try {
        return emulation::sharingFromText(setting.sharing);
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

}  // namespace

std::optional<emulation::Conditions> recordedConditions(const Report& report) {
    const engine::Setting& setting = report.run->setting;
    if (setting.on != "virtual" || isInHalves(*report.run) || !report.plan || !report.model) return std::nullopt;
    const std::optional<emulation::SharingWords> sharing = sharingOf(setting);
    const std::optional<emulation::Perturbation> perturbation = perturbationOf(setting);
    if (!sharing || !perturbation) return std::nullopt;
    return emulation::Conditions{
        .model = *report.model,
        .stepping = setting.progress == "lockstep" ? emulation::Stepping::lockstep : emulation::Stepping::free,
        .sharing = sharing->sharing,
        .protocol = sharing->protocol,
        .perturbation = *perturbation,
        .ports = report.plan->problem.ports};
}

namespace {

/// In step, a round without shared links lasts as long as its largest message: no need to run it again.
std::optional<Picoseconds> lockstepFromBooks(const Report& report, const emulation::Conditions& conditions) {
    const emulation::Perturbation& perturbation = conditions.perturbation;
    const bool links = report.network->links() > 0 &&
                       (conditions.sharing != emulation::Sharing::none || !emulation::isUniform(*report.network));
    const bool queued = report.plan->schedule->facts().ports > conditions.ports;
    if (links || queued || isFair(conditions.sharing) || conditions.model.logGP || !perturbation.slowRanks.empty() ||
        !perturbation.slowLinks.empty())
        return std::nullopt;
    if (isReduction(report.plan->problem.collective) && ownModel(report).gamma.femtosecondsPerByte > 0)
        return std::nullopt;
    const std::vector<Picoseconds> starts = emulation::startTimes(perturbation.arrival, report.run->ranks);
    Picoseconds time = *std::max_element(starts.begin(), starts.end());
    for (const engine::RoundTimes& round : report.run->perRound)
        if (round.messages > 0) time = emulation::later(time, conditions.model.message(round.largest));
    return time;
}

/// The time under other conditions than the run's `own`; the run's own where they make no difference.
Picoseconds timeUnder(const Report& report, const emulation::Conditions& own, const emulation::Conditions& conditions,
                      const Progress& progress) {
    const bool alone = report.network->links() == 0 && !isFair(own.sharing);
    if (conditions.stepping == own.stepping && (alone || conditions.sharing == own.sharing) &&
        conditions.perturbation == own.perturbation)
        return report.run->duration;
    if (conditions.stepping == emulation::Stepping::lockstep)
        if (const auto time = lockstepFromBooks(report, conditions)) return *time;
    return emulation::makespan(*report.plan, *report.network, conditions, progress);
}

/// How long the rounds take in step, without combining.
Picoseconds withoutCombining(const Report& report, emulation::Conditions conditions, const Progress& progress) {
    conditions.model.gamma = {};
    return emulation::makespan(*report.plan, *report.network, conditions, progress);
}

/// Whether alpha and beta alone say what a message costs, wherever it goes.
bool isHockney(const Report& report) { return !report.model->logGP && emulation::isUniform(*report.network); }

/// The terms of the bound of the run's class. That of shared links has one startup and the time of the bytes.
engine::Cost termsOfBound(const Report& report, const engine::Model& model) {
    engine::Cost least = *engine::leastCost(report.limits->bounds, report.limits->blocks, model);
    if (report.limits->held().networkDecides) least.startups = std::min<std::int64_t>(least.startups, 1);
    return least;
}

/// duration - bound = (startups + bytes + combining of the rounds in step, less those of the bound of the run's class)
///                  + (even, without sharing - in step, even, without sharing)
///                  + (duration - even) + (even - even, without sharing)
Gap gapUnder(const Report& report, const emulation::Conditions& own, const Progress& progress) {
    const engine::Model model = ownModel(report);
    std::int64_t startups = 0;
    Picoseconds moving{};
    if (report.totals && report.totals->queued) {
        startups = report.totals->startups;
        moving =
            emulation::later(emulation::lasting(startups, model.alpha), model.beta * report.totals->serializedBytes);
    } else {
        for (const engine::RoundTimes& round : report.run->perRound) {
            if (round.messages == 0) continue;
            ++startups;
            moving = emulation::later(moving, model.message(round.largest));
        }
    }
    const Picoseconds bound = *report.timeBound();
    const engine::Cost least = *engine::leastCost(report.limits->bounds, report.limits->blocks, model);
    const Picoseconds ofTerms = *engine::timeBound(report.limits->bounds, report.limits->blocks, model);
    emulation::Conditions even = own;
    even.perturbation = {};
    const Machine evenMachine = machineOf(even, report.network.get());
    const Picoseconds duration = report.run->duration;
    const Picoseconds ofEven = timeUnder(report, own, even, within(progress, 0, 0.3));
    even.sharing = emulation::Sharing::none;
    even.protocol = {};
    const bool linkless = report.network->links() == 0 && !isFair(own.sharing);
    const Picoseconds unshared = linkless ? ofEven : timeUnder(report, own, even, within(progress, 0.3, 0.6));
    even.stepping = emulation::Stepping::lockstep;
    // Time that slow links impose counts as imbalance, like all their costs.
    const Picoseconds evenBound = own.perturbation.slowLinks.empty() || report.limits->beaten
                                      ? bound
                                      : *limitsOf(*report.plan, report.totals, evenMachine).held().time;
    Gap gap;
    const Picoseconds inBound = model.alpha * (least.startups - termsOfBound(report, model).startups);
    gap.extraRounds = model.alpha * (startups - least.startups) + inBound;
    gap.extraBytes =
        moving - model.alpha * startups - (ofTerms - model.alpha * least.startups - model.gamma * least.combined);
    if (model.gamma.femtosecondsPerByte > 0) {
        const bool queued = report.totals && report.totals->queued;
        const Picoseconds alone = queued ? withoutCombining(report, even, within(progress, 0.8, 1)) : moving;
        gap.combining = timeUnder(report, own, even, within(progress, 0.6, 0.8)) - alone - model.gamma * least.combined;
    }
    gap.perturbation = duration - ofEven - (bound - evenBound);
    // What the network forces is no congestion. Where sharing costs less than it, other parts are forced, too: bytes.
    const Picoseconds shared = ofEven - unshared - (evenBound - ofTerms) - inBound;
    gap.congestion = std::max(shared, Picoseconds{});
    gap.waiting = unshared - ofTerms - (gap.extraRounds - inBound) - gap.extraBytes - gap.combining;
    gap.extraBytes += std::min(shared, Picoseconds{});
    return gap;
}

/// Proves the schedule unless it is too long.
void proveUnlessLong(Report& report, const Progress& progress) {
    const engine::Facts& facts = report.plan->schedule->facts();
    if (facts.ranks * facts.rounds > provedTurns) return;
    if (!facts.unstated.empty() && facts.wrong.sentence.empty()) return;
    report.verdict = engine::verify(*report.plan->schedule, report.plan->problem, progress);
    if (report.verdict->proved || !report.fault.empty()) return;
    const auto early =
        engine::tooEarly(*report.plan->schedule, report.plan->problem, *report.verdict, {.stop = progress.stop});
    report.fault = early ? inWords(*early) : report.verdict->counterExample;
    report.faultAt = report.verdict->place;
}

}  // namespace

engine::Plan runnablePart(engine::Plan plan, const Progress& progress) {
    const engine::Facts& facts = plan.schedule->facts();
    if (engine::schedules::isPath(plan.algorithm->id) && facts.ranks * facts.rounds <= provedTurns)
        plan.schedule = engine::asFarAsPaired(std::move(plan.schedule), progress);
    return plan;
}

engine::Model ownModel(const Report& report) { return report.model->combiningBy(report.plan->problem.operation); }

Machine machineOf(const emulation::Conditions& conditions, const emulation::Network* network) {
    const bool inStep = conditions.stepping == emulation::Stepping::lockstep;
    const LinkSharing sharing = conditions.sharing == emulation::Sharing::none ? LinkSharing::none
                                : isFair(conditions.sharing) || inStep         ? LinkSharing::always
                                                                               : LinkSharing::byRound;
    return {.model = conditions.model,
            .network = network,
            .sends = conditions.protocol.detached > 0 ? engine::Sends::areFree : engine::Sends::takePorts,
            .sharing = sharing,
            .slowLinks = conditions.perturbation.slowLinks};
}

namespace {

/// Whether `cause` is the time that messages of a queued round waited for a port. In virtual time a round without
/// queues takes no longer than its largest message, so that no other time is left as waiting.
bool isOfPorts(const GapCause& cause, const Report& report) {
    return cause.time == &Gap::waiting && report.totals && report.totals->queued &&
           *report.gap.*cause.time > Picoseconds{};
}

}  // namespace

std::string_view nameOf(const GapCause& cause, const Report& report) {
    return isOfPorts(cause, report) ? "ports" : nameOf(cause, *report.gap.*cause.time);
}

std::string meaningOf(const GapCause& cause, const Report& report) {
    const engine::Picoseconds time = *report.gap.*cause.time;
    if (isOfPorts(cause, report)) return "messages waited until a port of the other rank was free";
    if (cause.time == &Gap::perturbation)
        if (std::string words = perturbationWords(report.run->setting); !words.empty()) return words;
    const bool isKnown = report.limits && report.model && report.plan &&
                         engine::leastCost(report.limits->bounds, report.limits->blocks, ownModel(report));
    if (!isKnown) return std::string{time < engine::Picoseconds{} ? cause.gained : cause.meaning};
    return meaningOf(cause, time, report.limits->bounds, termsOfBound(report, ownModel(report)));
}

std::optional<Picoseconds> Report::timeBound() const { return limits ? limits->held().time : std::nullopt; }

std::int64_t Report::startups() const { return totals && totals->queued ? totals->startups : run->rounds; }

Bytes Report::serializedBytes() const {
    return totals && totals->queued ? totals->serializedBytes : engine::volumeOf(*run);
}

std::optional<Bytes> Report::busiestRank() const {
    if (totals) return totals->busiest;
    if (run->droppedMessages > 0 || run->messageCount != static_cast<std::int64_t>(run->messages.size()))
        return std::nullopt;
    return busiestRankOf(*run);
}

std::optional<emulation::LinkPeak> Report::peak() const {
    if (!congestion || !network || congestion->perLink.empty()) return std::nullopt;
    const auto round = congestion->peakRound.index();
    if (round >= congestion->perRound.size() || congestion->perRound[round].bytes == 0) return std::nullopt;
    return congestion->perRound[round];
}

const emulation::bounds::NetworkBound* Report::binding() const {
    const bool binds = limits && limits->network && network && limits->held().networkDecides;
    return binds ? &*limits->network : nullptr;
}

std::optional<Report::CutLoad> Report::bindingLoad() const {
    const emulation::bounds::NetworkBound* bound = binding();
    if (bound == nullptr || !congestion || congestion->perLink.empty()) return std::nullopt;
    CutLoad load;
    for (const engine::LinkId link : bound->links) {
        load.all += congestion->perLink[link.index()];
        load.busiest = std::max(load.busiest, congestion->perLink[link.index()]);
    }
    return load;
}

namespace {

/// ", 64 KiB each"; of unequal sizes ", 0 B to 128 KiB, 448 KiB in total".
std::string sizeWords(const engine::Problem& problem) {
    const engine::Layout& layout = problem.layout;
    if (layout.count() == 0) return "";
    if (layout.isRegular() || layout.smallest() == layout.largest())
        return text(", ", engine::showBytes(layout.largest()),
                    layout.count() <= 1                                   ? ""
                    : problem.collective == engine::Collective::alltoallv ? " from each rank to each other"
                    : problem.collective == engine::Collective::intergroupAlltoallv
                        ? " from each rank to each of the other group"
                        : " each");
    return text(", ", engine::showBytes(layout.smallest()), " to ", engine::showBytes(layout.largest()), ", ",
                engine::showBytes(layout.total()), " in total");
}

}  // namespace

std::string problemWords(const engine::Problem& problem) {
    using engine::Collective;
    std::string words;
    if (problem.collective == Collective::halfduplexAllgather)
        words = counted(problem.groupA, "sender") + ", " + counted(problem.groupB, "receiver");
    else if (isIntergroup(problem.collective))
        words = text(counted(problem.groupA, "rank"), " in A, ", counted(problem.groupB), " in B");
    else words = counted(problem.groupA, "rank");
    if (hasRoot(problem.collective)) words += text(", root ", problem.root);
    if (combinesVectors(problem.collective))
        words += text(", ", name(problem.operation), " of ", name(problem.element));
    if (problem.exclusive) words += ", exclusive";
    words += sizeWords(problem);
    if (problem.ports > 1) words += text(", ", problem.ports, " ports");
    return words;
}

std::optional<emulation::Perturbation> perturbationOf(const engine::Setting& setting) {
    try {
        return emulation::perturbationFromText(setting.perturbation);
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

std::string perturbationWords(const engine::Setting& setting) {
    using Pattern = emulation::Arrival::Pattern;
    const std::optional<emulation::Perturbation> uneven = perturbationOf(setting);
    if (!uneven) return setting.perturbation;  // of a file that another version wrote
    const auto times = [](emulation::Factor factor) {
        return engine::showNumber(static_cast<double>(factor.thousandths) / 1000, 6) + " times as long";
    };
    std::vector<std::string> parts;
    const emulation::Arrival& arrival = uneven->arrival;
    const std::string most = engine::showTime(arrival.most);
    switch (arrival.pattern) {
        case Pattern::none: break;
        case Pattern::late: parts.push_back(text("rank ", arrival.rank, " starts ", most, " late")); break;
        case Pattern::ramp: parts.push_back(text("ranks start in turn, the last one ", most, " late")); break;
        case Pattern::random:
            parts.push_back(text("ranks start at random times within ", most, " (seed ", arrival.seed, ")"));
            break;
    }
    for (const emulation::SlowRank& slow : uneven->slowRanks)
        parts.push_back(text("rank ", slow.rank, " takes ", times(slow.factor)));
    for (const emulation::SlowLink& slow : uneven->slowLinks)
        parts.push_back(
            text("link ", toText(slow.from), " -> ", toText(slow.to), " takes ", times(slow.factor), " per byte"));
    return engine::joined(parts, ", ");
}

void addDerivedResults(Report& report, const Progress& progress) {
    const Run& run = *report.run;
    const std::optional<emulation::Conditions> own = recordedConditions(report);
    if (report.plan) {
        proveUnlessLong(report, within(progress, 0, 0.3));
        report.totals = totalsOf(*report.plan, {.stop = progress.stop});
        const Machine machine = own ? machineOf(*own, report.network.get())
                                    : Machine{.model = report.model, .network = report.network.get()};
        if (report.plan->schedule->facts().unstated.empty()) {
            report.limits = limitsOf(*report.plan, report.totals, machine);
            report.limits->compareWith(run.duration);
        } else {
            report.resembles = recognise(run, {.stop = progress.stop});
            std::erase_if(report.resembles, [best = report.resembles.empty() ? 0 : report.resembles.front().confidence](
                                                const Recognition& one) { return one.confidence < best; });
            std::ranges::stable_sort(report.resembles, {},
                                     [](const Recognition& one) { return one.plan.options.given().size(); });
        }
        if (report.plan->algorithm->predict != nullptr && !isRelayed(run))
            report.predicted = report.plan->algorithm->predict(report.plan->problem, report.plan->options);
    }
    if (own && report.network) {
        if (report.predicted && isHockney(report) && own->perturbation.none())
            report.predictedTime = report.predicted->under(ownModel(report));
        emulation::Conditions inStep = *own;
        inStep.stepping = emulation::Stepping::lockstep;
        report.lockstep = timeUnder(report, *own, inStep, within(progress, 0.3, 0.6));
        // What does not solve the problem is not compared with what the problem takes.
        if (isHockney(report) && report.limits && report.fault.empty())
            report.gap = gapUnder(report, *own, within(progress, 0.6, 1));
    }
    progress.at(1);
}

Report reportOn(engine::RunPtr run, const Progress& progress) {
    Report report;
    report.run = std::move(run);
    const std::optional<engine::Model> model = modelOf(report.run->setting);
    report.network = recordedNetwork(*report.run);
    report.plan = planOf(*report.run, model, report.network, {.stop = progress.stop});
    if (report.network && report.run->droppedMessages == 0)
        report.congestion = emulation::congestion(*report.run, *report.network);
    // What communication takes alone says little of a run that computes beside it.
    if (!isInHalves(*report.run)) report.model = model;
    addDerivedResults(report, progress);
    report.model = model;
    return report;
}

}  // namespace app::analysis
