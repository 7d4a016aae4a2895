// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/compare/single_collective.hpp"

#include "app/analysis/bounds/algorithm_ranking.hpp"
#include "app/analysis/findings/collective_gap.hpp"
#include "app/analysis/messages/messages_in_flight.hpp"
#include "app/analysis/trace/library_use.hpp"
#include "app/analysis/trace/trace.hpp"
#include "app/session/replay/replay_algorithms.hpp"
#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

using analysis::Instance;
using analysis::TraceAnalysis;
using engine::text;

constexpr double sure = 0.5;  // confidence from which on a likeness is worth a word

/// "barrier on MPI_COMM_WORLD, instance 2": as answers count them.
std::string nameOf(const Instance& instance, std::size_t number) {
    return text(instance.operation, " on ", instance.communicator, ", instance ", number + 1);
}

std::string roundsWords(std::int64_t rounds) { return text(rounds, rounds == 1 ? " round" : " rounds"); }

/// What the library ran, the bound of it, and what would be faster; a schedule that it followed is that of the run.
void describeNative(TraceAnalysis& analysis, std::size_t number, Opened& made, const engine::Progress& progress) {
    const Instance& instance = analysis.instances()[number];
    const analysis::IdentifiedPtr known = analysis.identified(number);
    const analysis::LibraryUse use = usedIn(analysis, number, analysis::librarySettingOf(*analysis.trace().recording));
    if (const std::string words = inWords(use, instance); !words.empty()) made.how += "; " + words;
    if (!use.asked.empty()) made.how += text("; requested: ", use.asked);
    if (!use.instead.empty()) made.how += text("; ", use.instead);
    if (known->confidence() >= 1) {
        made.report.plan = *use.plans.front();
        made.report.model = analysis.model();
        analysis::addDerivedResults(made.report, progress);
    }
    if (const auto gap = gapOf(analysis, number)) {
        if (made.report.plan) made.report.gap = gap->parts;
        made.how += text("; lower bound ", engine::showTime(gap->bound));
    }
    if (!known->plan && !known->sequence) return;
    if (const auto faster = fasterThan(analysis, number, use); faster && faster->factor > 1)
        made.how += text("; emulated, ", analysis::wordsOf(faster->best->plan), " is faster by a factor of ",
                         factorWords(*faster));
}

/// The run of an instance in which a message keeps its ranks busy only while it is transferred, and each rank of a
/// collective enters when its call begins: all times of all views follow from it.
engine::RunPtr transfersOf(const Instance& instance) {
    const engine::Run& calls = *instance.run;
    std::vector<analysis::Sample> samples = analysis::samplesOf(calls);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        samples[i].message.sendBegin = analysis::sendsFrom(calls, i);
        samples[i].message.receiveBegin = analysis::receivesFrom(calls, i);
    }
    engine::Run run = analysis::assembled(calls.ranks, std::move(samples), calls.duration);
    run.setting = calls.setting;
    run.groupA = calls.groupA;
    run.groupB = calls.groupB;
    if (instance.isCollective())
        for (const std::optional<traces::TimeSpan>& stay : instance.stays)
            run.entered.push_back(stay ? stay->begin - instance.begin : engine::Picoseconds{});
    return std::make_shared<const engine::Run>(std::move(run));
}

/// "; wait state late broadcast, 62.3 ms summed over ranks": empty where no rank waited for another.
std::string waitWords(const Instance& instance) {
    if (!instance.isCollective()) return {};
    const analysis::Arrivals arrivals = analysis::arrivalsOf(instance);
    if (arrivals.kind == analysis::CollectiveWait::none || arrivals.waiting <= engine::Picoseconds{}) return {};
    return text("; ", analysis::name(arrivals.kind), ": ", engine::showTime(arrivals.waiting),
                " of waiting, summed over ranks");
}

Opened ofMessages(TraceAnalysis& analysis, std::size_t number, const engine::Progress& progress) {
    const Instance& instance = analysis.instances()[number];
    Opened made{.name = nameOf(instance, number), .span = {instance.begin, instance.end}, .recovered = true};
    if (!instance.run || instance.run->messages.empty()) throw engine::Error{"it contains no messages"};
    const analysis::IdentifiedPtr known = analysis.identified(number);  // from whose schedule it may have its rounds
    made.report = analysis::reportOn(transfersOf(instance), progress);
    made.how =
        text(roundsWords(instance.rounds), !instance.hasRounds ? ", recovered from the order of messages on each rank"
                                           : instance.isNative ? ", as its schedule has them"
                                                               : ", as recorded");
    made.how += waitWords(instance);
    if (instance.isNative) describeNative(analysis, number, made, progress);
    else if (known->plan && known->confidence() >= sure)
        made.how += text("; they look like ", known->plan->algorithm->id);
    return made;
}

Opened ofCollective(TraceAnalysis& analysis, std::size_t number, const engine::Progress& progress) {
    const Instance& instance = analysis.instances()[number];
    if (!instance.problem)
        throw engine::Error{
            text("its messages were not recorded, and what it solved is not known: ", instance.whyNoProblem)};
    std::string named;
    if (const traces::RecordingPtr& recording = analysis.trace().recording)
        for (std::size_t i = 0; i < recording->collectives.instances.size(); ++i)
            if (const std::int32_t algorithm = recording->collectives.instances[i].algorithm;
                algorithm != traces::noIndex && instanceOfCollective(analysis, i) == number)
                named = recording->algorithms[engine::asSize(algorithm)];
    const analysis::RecordedCollective collective{.communicator = instance.communicator,
                                                  .operation = instance.operation,
                                                  .bytes = instance.bytes,
                                                  .lasted = {instance.begin, instance.end},
                                                  .problem = instance.problem,
                                                  .whyNoProblem = instance.whyNoProblem,
                                                  .algorithm = named};
    const std::optional<emulation::Conditions> known = analysis.conditions();
    emulation::Conditions conditions = known.value_or(emulation::Conditions{});
    conditions.perturbation = {};  // of the whole trace
    AlgorithmChoice choice{conditions, {}, instance.problem->ranks()};
    const ChosenAlgorithm* chosen = choice.recorded(collective, progress);
    const bool recorded = chosen != nullptr;
    if (!recorded) chosen = &choice.best(collective, progress);
    if (!chosen->plan)
        throw engine::Error{text("its messages were not recorded, and no algorithm of the catalogue can replace it",
                                 chosen->why.empty() ? "" : ": ", chosen->why)};
    const emulation::NetworkPtr network = analysis::networkNamed({}, chosen->plan->schedule->facts().ranks);
    conditions.model = conditions.model.combiningBy(instance.problem->operation);
    Opened made{.name = nameOf(instance, number), .span = {instance.begin, instance.end}};
    emulation::Emulated emulated = emulation::emulate(*chosen->plan, *network, conditions, progress);
    made.report.run = std::make_shared<const engine::Run>(std::move(emulated.run));
    made.report.congestion = std::move(emulated.congestion);
    made.report.network = network;
    made.report.model = conditions.model;
    made.report.plan = *chosen->plan;
    analysis::addDerivedResults(made.report, progress);
    made.how =
        text("its messages were not recorded; here it runs in virtual time by ", analysis::variantWords(*chosen->plan),
             recorded ? ", which its recorder names"
                      : ", the fastest known, as the one that ran was not "
                        "recorded",
             known ? text(", with ", analysis.modelOrigin(), " alpha and beta") : std::string{});
    return made;
}

}  // namespace

Opened opened(TraceAnalysis& analysis, std::size_t instance, const engine::Progress& progress) {
    if (instance >= analysis.instances().size()) throw engine::Error{"unknown instance"};
    analysis.loadMessages({instance});
    return analysis.instances()[instance].hasMessages ? ofMessages(analysis, instance, progress)
                                                      : ofCollective(analysis, instance, progress);
}

std::optional<std::size_t> instanceOfCollective(TraceAnalysis& analysis, std::size_t collective) {
    const traces::RecordingPtr& recording = analysis.trace().recording;
    if (!recording || collective >= recording->collectives.instances.size()) return std::nullopt;
    const traces::Collective& wanted = recording->collectives.instances[collective];
    const auto parts = recording->collectives.of(wanted);
    if (parts.empty()) return std::nullopt;
    const engine::Picoseconds begin = std::ranges::min(parts, {}, &traces::Participant::begin).begin;
    const std::string communicator = analysis::communicatorName(*recording, wanted.communicator);
    const auto& all = analysis.instances();
    for (std::size_t i = 0; i < all.size(); ++i)
        if (all[i].isCollective() && all[i].begin == begin && all[i].operation == traces::nameOf(wanted.operation) &&
            all[i].communicator == communicator)
            return i;
    return std::nullopt;
}

std::optional<std::size_t> instanceAt(TraceAnalysis& analysis, engine::Rank rank, engine::Picoseconds time) {
    std::optional<std::size_t> found;
    const auto& all = analysis.instances();
    for (std::size_t i = 0; i < all.size() && all[i].begin <= time; ++i) {
        if (all[i].end < time) continue;
        for (std::size_t place = 0; place < all[i].ranks.size(); ++place) {
            const auto& stay = all[i].stays[place];
            if (all[i].ranks[place] != rank || !stay || stay->begin > time || stay->end < time) continue;
            if (!found || all[i].isCollective()) found = i;
        }
    }
    return found;
}

}  // namespace app
