// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/synthesis/synthesis.hpp"

#include "app/analysis/bounds/lower_bounds.hpp"
#include "app/session/synthesis/schedule_search.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Error;
using engine::Picoseconds;
using engine::text;
using engine::synthesis::Fabric;
using Clock = std::chrono::steady_clock;

constexpr int partCompared = 4;  // the catalogue's comparison takes at most this part of the time
constexpr std::chrono::milliseconds leastCompared{500};

/// Numbers that contradict each other.
void check(const SynthesisWish& wish) {
    if (wish.steps && wish.rounds && *wish.rounds < *wish.steps)
        throw Error{text("rounds: a step has at least one round, so that ", *wish.steps, " steps need at least ",
                         *wish.steps, " rounds")};
    if (!wish.proof.empty() && !(wish.chunks && wish.steps && wish.rounds))
        throw Error{"--proof: a proof is of one question; give its chunks, steps and rounds"};
    if (wish.method != SearchMethod::solver && (wish.steps || wish.rounds))
        throw Error{text("--method: ", name(wish.method), " finds how many steps and rounds it needs; leave them out")};
    if (wish.collective != engine::Collective::allreduce) return;
    for (const auto& number : {wish.steps, wish.rounds})
        if (number && *number % 2 != 0)
            throw Error{
                "steps and rounds of an allreduce must be even: one half is a reduce-scatter, the other an allgather"};
}

/// A run of the catalogue that is compared with what was found.
RunWish rivalWish(const SynthesisWish& wish, const Synthesis& synthesis) {
    RunWish run{.algorithm = {}, .problem = wish.problem, .network = wish.network, .model = wish.model};
    run.problem.ports = synthesis.problem.ports;
    if (run.network.topology.empty()) run.network.topology = "full";
    return run;
}

/// What of the catalogue is fastest on this network in virtual time.
void findRival(const SynthesisWish& wish, const engine::Progress& progress, Synthesis& synthesis) {
    RunWish run = rivalWish(wish, synthesis);
    for (const engine::Algorithm* algorithm : engine::algorithmsFor(wish.collective)) {
        progress.at(0);
        run.algorithm = algorithm->id;
        try {
            const Report report = execute(run, progress);
            if (!synthesis.rival.empty() && synthesis.rivalTime <= report.run->duration) continue;
            synthesis.rival = algorithm->id;
            synthesis.rivalTime = report.run->duration;
        } catch (const Error&) {
            continue;  // it does not fit this problem or this network
        }
    }
}

/// The catalogue's algorithms, as far as they can be compared until `end`.
void compare(const SynthesisWish& wish, const emulation::Network& network, const NetworkFabric& fabric,
             Clock::time_point end, const engine::Progress& progress, Synthesis& synthesis) {
    synthesis.catalogue.clear();
    synthesis.rival.clear();
    const ComparisonLimit limit{progress, end};
    const engine::Progress& limited = limit.progress();
    try {
        addCatalogueLines(synthesis.catalogue, rivalWish(wish, synthesis), wish.collective, network, fabric, limited);
        findRival(wish, limited, synthesis);
        synthesis.comparedInPart = false;
    } catch (const engine::Cancelled&) {
        if (progress.stop.stop_requested()) throw;
        synthesis.comparedInPart = true;
    }
}

/// Lower bounds on the network. A rank without a limit of ports has one for each other rank.
ScheduleBounds boundsOf(const SynthesisWish& wish, engine::Problem problem, const emulation::Network& network,
                        const Fabric& fabric, const Synthesis& synthesis) {
    problem.ports = fabric.ports > 0 ? fabric.ports : std::max(problem.ranks() - 1, 1);
    analysis::Limits limits =
        analysis::limitsOf(problem, engine::Wiring::any(),
                           {.model = wish.model, .network = &network, .sharing = analysis::LinkSharing::byRound});
    const emulation::LinkQuality fastest = network.least({wish.model.alpha, wish.model.beta});
    ScheduleBounds least{.startup = fastest.latency,
                         .bytes = fastest.beta * limits.bounds.volume.value,
                         .steps = limits.anyMessages.rounds.value};
    if (limits.network) least.bytes = std::max(least.bytes, limits.network->time());
    if (!synthesis.rival.empty()) limits.compareWith(synthesis.rivalTime);
    least.time = limits.anyMessages.time.value_or(Picoseconds{});
    return least;
}

/// At which sizes each of the best ones costs least, the catalogue included.
void findSizes(Synthesis& synthesis) {
    std::vector<CostLine> lines = bestLines(synthesis);
    lines.insert(lines.end(), synthesis.catalogue.begin(), synthesis.catalogue.end());
    const auto ranges = cheapestRanges(lines, synthesis.alpha, synthesis.beta);
    std::size_t next = 0;
    for (SearchRow& row : synthesis.rows)
        if (row.best) row.sizes = ranges[next++];
}

}  // namespace

std::string_view name(SearchAnswer answer) {
    switch (answer) {
        case SearchAnswer::found: return "found";
        case SearchAnswer::impossible: return "impossible";
        case SearchAnswer::undecided: return "undecided";
    }
    return "";
}

std::string_view name(SearchMethod method) {
    switch (method) {
        case SearchMethod::solver: return "solver";
        case SearchMethod::trees: return "trees";
        case SearchMethod::greedy: return "greedy";
    }
    return "";
}

std::string_view decidedBy(const SearchRow& row) {
    return row.counted ? "counting" : row.known ? "catalogue" : name(row.method);
}

const SearchRow* Synthesis::cheapest() const {
    const SearchRow* best = nullptr;
    for (const SearchRow& row : rows)
        if (row.cost && (best == nullptr || std::tuple{*row.cost, row.steps, row.chunks} <
                                                std::tuple{*best->cost, best->steps, best->chunks}))
            best = &row;
    return best;
}

Synthesis synthesize(const SynthesisWish& wish, const engine::Progress& progress) {
    check(wish);
    const auto begin = Clock::now();
    const auto end = begin + wish.limit;
    Synthesis synthesis;
    synthesis.problem = makeProblem(wish.collective, wish.problem);
    if (isReduction(wish.collective) && synthesis.problem.operation == engine::Operation::ordered)
        throw Error{text(
            engine::field::operation,
            ": a search combines vectors in any order, and 'ordered' does not commute; choose sum, min, max or user")};
    const std::string specification = wish.network.topology.empty() ? "full" : wish.network.topology;
    const emulation::NetworkPtr network =
        emulation::makeNetwork(emulation::toText({specification, wish.network.placement}), synthesis.problem.ranks());
    synthesis.network = network->name();
    NetworkFabric fabric = fabricOf(*network, wish.portsGiven ? wish.problem.ports : 0,
                                    wish.method == SearchMethod::solver ? mostSearchedRanks : mostSpreadRanks);
    if (wish.serialized) fabric.fabric = serialized(std::move(fabric.fabric));
    if (wish.compared)
        compare(wish, *network, fabric,
                begin + std::min(wish.limit / 2, std::max(wish.limit / partCompared, leastCompared)), progress,
                synthesis);
    const int before = synthesis.problem.ports;
    // Time for a second comparison with the catalogue, where schedules that are found use more ports.
    const auto again =
        wish.portsGiven ? Clock::duration{} : std::min<Clock::duration>(Clock::now() - begin, wish.limit / 2);
    const ScheduleBounds least = boundsOf(wish, synthesis.problem, *network, fabric.fabric, synthesis);
    synthesis.fewestSteps = least.steps;
    synthesis.neighboursOnly = fabric.neighboursOnly;
    synthesis.portsLimited = fabric.fabric.ports > 0;
    synthesis.bound = least.time;
    searchSchedules(wish, *network, fabric, least, end - again, progress, synthesis);
    for (const SearchRow& row : synthesis.rows)
        if (row.schedule) synthesis.problem.ports = std::max(synthesis.problem.ports, row.schedule->problem.ports);
    synthesis.alpha = static_cast<double>(wish.model.alpha.count());
    if (!wish.compared) return synthesis;
    if (synthesis.problem.ports != before)
        compare(wish, *network, fabric, std::max(end, Clock::now() + leastCompared / 4), progress, synthesis);
    findSizes(synthesis);
    return synthesis;
}

engine::Plan planOf(const SearchRow& row) { return row.known ? *row.known : planOf(*row.schedule, "synthesized"); }

engine::Plan planOf(const engine::schedules::Stored& schedule, std::string_view name) {
    auto algorithm = std::make_shared<engine::Algorithm>();
    algorithm->collective = schedule.problem.collective;
    algorithm->id = text(engine::name(algorithm->collective), '/', name);
    return {algorithm.get(), schedule.problem, engine::Options{algorithm->id, {}, {}, {}}, scheduleOf(schedule),
            algorithm};
}

}  // namespace app
