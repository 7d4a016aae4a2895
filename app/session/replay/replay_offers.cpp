// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/replay/replay_offers.hpp"

#include "app/analysis/calls/activity.hpp"
#include "app/analysis/format/cell_format.hpp"
#include "app/session/replay/algorithm_choices.hpp"
#include "app/session/replay/replay_changes.hpp"
#include "emulation/networks/network.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace app {

using analysis::PathId;
using analysis::TracedProgram;
using engine::text;

namespace {

constexpr std::size_t mostPlaces = 50;  // more regions or delays nobody chooses among

/// What a trace has of one operation.
struct OperationSeen {
    std::string name;
    std::vector<std::string> communicators;
};

std::vector<OperationSeen> operationsOf(const Trace& trace) {
    if (trace.isCollscopeRun()) {
        if (!trace.report.plan) return {};
        return {{std::string{name(trace.report.plan->problem.collective)}, {}}};
    }
    std::vector<OperationSeen> seen;
    std::set<std::pair<traces::Operation, std::int32_t>> known;
    for (const traces::Collective& one : trace.recording->collectives.instances) {
        if (!known.emplace(one.operation, one.communicator).second) continue;
        const std::string name{traces::nameOf(one.operation)};
        auto its = std::ranges::find(seen, name, &OperationSeen::name);
        if (its == seen.end()) its = seen.insert(its, {name, {}});
        its->communicators.push_back(analysis::communicatorName(*trace.recording, one.communicator));
    }
    return seen;
}

void offerAlgorithms(const Trace& trace, std::vector<ReplayOffer>& offers) {
    const std::vector<OperationSeen> seen = operationsOf(trace);
    if (seen.size() > 1) offers.push_back({"best", "every collective by the fastest of the catalogue under the model"});
    for (const OperationSeen& operation : seen) {
        const std::vector<std::string> ids = algorithmsFor(operation.name);
        if (ids.empty()) continue;
        offers.push_back({operation.name + "=best", "the fastest of the catalogue under the model"});
        for (const std::string& id : ids)
            offers.push_back({text(operation.name, '=', id), engine::algorithmNamed(id).title});
        if (operation.communicators.size() < 2) continue;
        for (const std::string& communicator : operation.communicators)
            offers.push_back({text(operation.name, '@', communicator, "=best"), "on that communicator alone"});
    }
}

bool isOfProgram(const TracedProgram& program, PathId path) {
    if (path == analysis::outsideOfCalls) return true;
    const std::int32_t region = program.paths()[path].region;
    return region != traces::noIndex && !program.paths().ofAccelerators(path) &&
           !analysis::isMpi(analysis::activityOf(program.recording().regions[engine::asSize(region)]));
}

void offerRegions(const TracedProgram& program, ReplayOffers& offers) {
    const std::vector<analysis::Spent>& spent = program.profile().paths();
    std::vector<PathId> paths;
    for (PathId path = 0; path < spent.size(); ++path)
        if (spent[path].own.count() > 0 && isOfProgram(program, path)) paths.push_back(path);
    std::ranges::stable_sort(paths, std::ranges::greater{}, [&](PathId path) { return spent[path].own; });
    if (paths.size() > mostPlaces) paths.resize(mostPlaces);
    offers.compute.push_back({"0.5", "all computing in half of its time"});
    for (const PathId path : paths) {
        const std::string name = program.paths().name(path);
        const std::string why = text(engine::showTime(spent[path].own), " summed over ranks");
        offers.compute.push_back({name + "=0.5", why});
        if (program.recording().ranks > 1) offers.even.push_back({name, why});
    }
}

void offerDelays(const TracedProgram& program, ReplayOffers& offers) {
    // One delay may cause several wait states; a replay without it is without all of them.
    std::vector<std::pair<std::string, engine::Picoseconds>> delays;
    for (const analysis::Cause& cause : program.causes()) {
        // A replay runs ranks, each as its own thread went.
        if (cause.thread != 0 || !isOfProgram(program, cause.path)) continue;
        const std::string words = delayIn(cause.rank, analysis::nameOf(cause, program.paths()));
        auto its = std::ranges::find(delays, words, &std::pair<std::string, engine::Picoseconds>::first);
        if (its == delays.end()) its = delays.insert(its, {words, {}});
        its->second += cause.time;
    }
    std::ranges::stable_sort(delays, std::ranges::greater{}, &std::pair<std::string, engine::Picoseconds>::second);
    if (delays.size() > mostPlaces) delays.resize(mostPlaces);
    for (auto& [words, time] : delays)
        offers.without.push_back({std::move(words), text("caused ", engine::showTime(time), " of waiting")});
}

}  // namespace

ReplayOffers replayOffers(const Trace& trace, const TracedProgram* program) {
    ReplayOffers offers;
    offerAlgorithms(trace, offers.with);
    if (program == nullptr) return offers;
    offerRegions(*program, offers);
    offerDelays(*program, offers);
    return offers;
}

std::vector<std::string> networksFor(std::int32_t ranks) {
    std::vector<std::string> all;
    for (const emulation::Topology& topology : emulation::topologies()) {
        if (topology.forRanks == nullptr) continue;
        if (std::string fitting = topology.forRanks(ranks); !fitting.empty()) all.push_back(std::move(fitting));
    }
    return all;
}

}  // namespace app
