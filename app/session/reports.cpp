// SPDX-License-Identifier: BSD-3-Clause
// From runs to everything there is to say about them.
#include "app/session/listing.hpp"

#include "engine/text.hpp"
#include "engine/threads/threads.hpp"
#include "traces/archive.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Bytes;
using engine::Picoseconds;
using engine::Progress;
using engine::Run;

/// The part from..to of a longer work.
Progress within(const Progress& whole, double from, double to) {
    Progress part;
    part.stop = whole.stop;
    if (whole.report)
        part.report = [report = whole.report, from, to](double share) { report(from + (to - from) * share); };
    return part;
}

std::map<std::string, std::string> pairs(const std::string& words) {
    std::map<std::string, std::string> values;
    for (const std::string& word : engine::split(words, ' ')) {
        const auto equals = word.find('=');
        if (equals != std::string::npos) values[word.substr(0, equals)] = word.substr(equals + 1);
    }
    return values;
}

/// The plan that a setting names, if this program knows it and it is the one that ran.
std::optional<engine::Plan> planOf(const Run& run) {
    if (run.setting.algorithm.empty() || run.setting.problem.empty()) return std::nullopt;
    try {
        engine::Plan plan = engine::makePlan(engine::algorithmNamed(run.setting.algorithm),
                                             engine::problemFromText(run.setting.problem), pairs(run.setting.options));
        const engine::Facts& facts = plan.schedule->facts();
        if (facts.ranks != run.ranks || facts.rounds != run.rounds) return std::nullopt;
        return plan;
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

std::optional<engine::Model> modelOf(const engine::Setting& setting) {
    if (setting.model.empty()) return std::nullopt;
    const auto values = pairs(setting.model);
    const auto value = [&](const char* key) {
        const auto found = values.find(key);
        return found == values.end() ? std::string{"?"} : found->second;
    };
    try {
        return engine::Model{.alpha = engine::readTime(value("alpha"), "alpha"),
                             .beta = engine::readRate(value("beta"), "beta"),
                             .gamma = engine::readRate(value("gamma"), "gamma")};
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

emulation::NetworkPtr networkOf(const Run& run) {
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

emulation::Conditions conditionsOf(const Report& report) {
    const emulation::SharingWords sharing = *sharingOf(report.run->setting);
    return {
        .model = *report.model,
        .stepping =
            report.run->setting.progress == "lockstep" ? emulation::Stepping::lockstep : emulation::Stepping::free,
        .sharing = sharing.sharing,
        .wire = sharing.wire};
}

/// The time under other conditions than the run's; the run's own where they make no difference.
Picoseconds timeUnder(const Report& report, emulation::Stepping stepping, emulation::Sharing sharing,
                      const Progress& progress) {
    emulation::Conditions conditions = conditionsOf(report);
    const bool alone = report.network->links() == 0 && !isFluid(conditions.sharing);
    if (conditions.stepping == stepping && (alone || conditions.sharing == sharing)) return report.run->duration;
    conditions.stepping = stepping;
    if (!isFluid(sharing)) conditions.wire = {};
    conditions.sharing = sharing;
    return emulation::makespan(*report.plan, *report.network, conditions, progress);
}

/// duration - bound = (startups + bytes + combining of the rounds in step, less the bound's)
///                  + (without sharing - in step without sharing) + (duration - without sharing)
Gap gapOf(const Report& report, const Progress& progress) {
    using emulation::Sharing;
    const engine::Model& model = *report.model;
    std::int64_t startups = 0;
    Picoseconds moving{};
    for (const engine::RoundTimes& round : report.run->perRound) {
        if (round.messages == 0) continue;
        ++startups;
        moving += model.message(round.largest);
    }
    // The bound is the larger of two sums; only the terms of that one are compared.
    const Picoseconds startupsAlone = model.alpha * report.bounds->startups.value;
    const bool bytesCount = *report.timeBound > startupsAlone;
    const Picoseconds boundStartups = bytesCount ? model.alpha * report.bounds->firstByte : startupsAlone;

    const Picoseconds duration = report.run->duration;
    const Picoseconds unshared =
        timeUnder(report, conditionsOf(report).stepping, Sharing::none, within(progress, 0, 0.5));
    Gap gap;
    gap.extraRounds = model.alpha * startups - boundStartups;
    gap.extraBytes = moving - model.alpha * startups - (*report.timeBound - boundStartups);
    if (model.gamma.femtosecondsPerByte > 0)
        gap.combining =
            timeUnder(report, emulation::Stepping::lockstep, Sharing::none, within(progress, 0.5, 1)) - moving;
    gap.congestion = duration - unshared;
    gap.waiting = duration - *report.timeBound - gap.extraRounds - gap.extraBytes - gap.combining - gap.congestion;
    return gap;
}

/// Proves the schedule unless it is too long.
void prove(Report& report, const Progress& progress) {
    const engine::Facts& facts = report.plan->schedule->facts();
    if (facts.ranks * facts.rounds > provedTurns) return;
    report.verdict = engine::verify(*report.plan->schedule, report.plan->problem, progress);
    if (!report.verdict->proved && report.fault.empty()) report.fault = report.verdict->counterExample;
}

/// Adds what follows from the plan, the model and the network, as far as they are known.
void conclude(Report& report, const Progress& progress) {
    const Run& run = *report.run;
    if (report.plan) {
        prove(report, within(progress, 0, 0.3));
        report.bounds = boundsFor(*report.plan, report.network ? report.network->wiring() : engine::Wiring::any());
        report.roundBound = roundBound(*report.bounds, totalsOf(*report.plan, {.stop = progress.stop}));
        if (report.plan->algorithm->predict != nullptr)
            report.predicted = report.plan->algorithm->predict(report.plan->problem, report.plan->options);
        if (report.model) report.timeBound = engine::timeBound(*report.bounds, *report.model);
    }
    if (report.plan && report.model && report.network && run.setting.on == "virtual" && sharingOf(run.setting)) {
        report.lockstep =
            timeUnder(report, emulation::Stepping::lockstep, conditionsOf(report).sharing, within(progress, 0.3, 0.6));
        report.gap = gapOf(report, within(progress, 0.6, 1));
    }
    progress.at(1);
}

Report onThreads(engine::Plan plan, emulation::NetworkPtr network, const Progress& progress) {
    engine::Execution execution = engine::runOnThreads(plan, within(progress, 0, 0.5));
    execution.run.setting.topology = network->name();
    Report report;
    report.compared = true;
    report.correct = execution.correct;
    report.fault = std::move(execution.fault);
    report.run = std::make_shared<const Run>(std::move(execution.run));
    if (report.run->droppedMessages == 0) report.congestion = emulation::congestion(*report.run, *network);
    report.plan = std::move(plan);
    report.network = std::move(network);
    return report;
}

Report inVirtualTime(const RunWish& wish, engine::Plan plan, emulation::NetworkPtr network, const Progress& progress) {
    const emulation::Conditions conditions{.model = wish.model,
                                          .stepping = wish.stepping,
                                          .sharing = wish.sharing,
                                          .wire = wish.wire,
                                          .budget = wish.budget};
    emulation::Emulated emulated = emulation::emulate(plan, *network, conditions, within(progress, 0, 0.5));
    Report report;
    report.congestion = std::move(emulated.congestion);
    report.run = std::make_shared<const Run>(std::move(emulated.run));
    report.plan = std::move(plan);
    report.network = std::move(network);
    report.model = wish.model;
    return report;
}

}  // namespace

std::optional<emulation::LinkPeak> Report::peak() const {
    if (!congestion || !network || congestion->perLink.empty()) return std::nullopt;
    const auto round = static_cast<std::size_t>(congestion->peakRound.value);
    if (round >= congestion->perRound.size() || congestion->perRound[round].bytes == 0) return std::nullopt;
    return congestion->perRound[round];
}

Report execute(const RunWish& wish, const Progress& progress) {
    if (wish.on != "virtual" && wish.on != "threads")
        throw engine::Error{engine::text("--on: a run cannot be on '", wish.on, "'; choose virtual or threads")};
    engine::Plan plan = makePlan(wish);
    emulation::NetworkPtr network = networkFor(plan, wish.topology);
    Report report = wish.on == "threads" ? onThreads(std::move(plan), std::move(network), progress)
                                         : inVirtualTime(wish, std::move(plan), std::move(network), progress);
    conclude(report, within(progress, 0.5, 1));
    return report;
}

Report open(const std::filesystem::path& trace, const Progress& progress) {
    auto run = std::make_shared<const Run>(traces::read(trace, within(progress, 0, 0.5)));
    return reportOn(std::move(run), within(progress, 0.5, 1));
}

Report reportOn(engine::RunPtr run, const Progress& progress) {
    Report report;
    report.run = std::move(run);
    report.plan = planOf(*report.run);
    report.model = modelOf(report.run->setting);
    report.network = networkOf(*report.run);
    if (report.network && report.run->droppedMessages == 0)
        report.congestion = emulation::congestion(*report.run, *report.network);
    conclude(report, progress);
    return report;
}

}  // namespace app
