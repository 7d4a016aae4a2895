// SPDX-License-Identifier: BSD-3-Clause
// Runs as wished for.
#include "app/session/proofs/proofs.hpp"
#include "app/session/session.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/processors.hpp"
#include "engine/base/text.hpp"
#include "engine/live/threads/threads.hpp"

namespace app {
namespace {

using engine::Progress;
using engine::Run;

Report onThreads(const RunWish& wish, engine::Plan plan, emulation::NetworkPtr network, const Progress& progress) {
    requirePaired(plan, {.stop = progress.stop});
    engine::Execution execution = engine::runOnThreads(plan, within(progress, 0, 0.5));
    execution.run.setting.topology = network->name();
    if (wish.network.neighboursOnly) execution.run.setting.routing = analysis::relayedRouting;
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
    emulation::Conditions conditions = conditionsOf(wish);
    conditions.threads = engine::processors();
    emulation::Emulated emulated = emulation::emulate(plan, *network, conditions, within(progress, 0, 0.5));
    if (wish.network.neighboursOnly) emulated.run.setting.routing = analysis::relayedRouting;
    Report report;
    report.congestion = std::move(emulated.congestion);
    report.run = std::make_shared<const Run>(std::move(emulated.run));
    report.plan = std::move(plan);
    report.network = std::move(network);
    report.model = wish.model;
    return report;
}

}  // namespace

emulation::Conditions conditionsOf(const RunWish& wish) {
    return {.model = wish.model,
            .stepping = wish.stepping,
            .sharing = wish.sharing,
            .protocol = wish.protocol,
            .perturbation = wish.perturbation,
            .ports = wish.problem.ports,
            .budget = wish.budget};
}

Report execute(const RunWish& wish, const Progress& progress) {
    if (wish.on != "virtual" && wish.on != "threads")
        throw engine::Error{
            engine::text(engine::field::on, ": a run cannot be on '", wish.on, "'; choose virtual or threads")};
    engine::Plan plan = makePlan(wish, {.stop = progress.stop});
    if (wish.on == "virtual") plan = analysis::runnablePart(std::move(plan), {.stop = progress.stop});
    emulation::NetworkPtr network = networkFor(plan, wish.network);
    Report report = wish.on == "threads" ? onThreads(wish, std::move(plan), std::move(network), progress)
                                         : inVirtualTime(wish, std::move(plan), std::move(network), progress);
    addDerivedResults(report, within(progress, 0.5, 1));
    return report;
}

}  // namespace app
