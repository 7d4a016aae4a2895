// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/bounds/algorithm_ranking.hpp"

#include "emulation/clocks/virtual_clock.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/catalogue/catalogue.hpp"
#include "engine/catalogue/variants.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace app::analysis {

using emulation::NetworkPtr;
using engine::Bytes;
using engine::Picoseconds;
using engine::Plan;
using engine::Problem;
using engine::text;

namespace {

/// Powers of two: blocks and pieces of at least 256 bytes, and the ways in which the ranks form equal groups.
engine::Trial trialFor(const Problem& problem, const engine::Model& model) {
    engine::Trial trial;
    trial.around.model = model;
    for (const std::int64_t block : engine::doublings(problem.layout.largest()))
        if (block >= 256) trial.blocks.push_back(block);
    std::set<std::int64_t> numbers;
    const std::int64_t pieces = std::max<std::int64_t>(problem.ranks(), problem.layout.total() / 256);
    for (const std::int64_t number : engine::doublings(std::min<std::int64_t>(pieces, 1024))) numbers.insert(number);
    for (std::int32_t divisor = 2; divisor <= problem.ranks() / 2 && numbers.size() < 32; ++divisor)
        if (problem.ranks() % divisor == 0) numbers.insert(divisor);
    trial.numbers.assign(numbers.begin(), numbers.end());
    trial.most = 120;
    return trial;
}

std::int64_t turnsOf(const Plan& plan) {
    const engine::Facts& facts = plan.schedule->facts();
    return facts.rounds * facts.ranks;
}

/// Why an algorithm does not even take the problem as it is.
std::string refusal(const engine::Algorithm& algorithm, const Problem& problem) {
    try {
        engine::makePlan(algorithm, problem, {});
        return {};
    } catch (const engine::Error& error) {
        return error.what();
    }
}

}  // namespace

NetworkPtr networkNamed(const std::string& topology, std::int32_t ranks) {
    return emulation::makeNetwork(topology.empty() ? "full" : topology, ranks);
}

Picoseconds emulatedTime(const Plan& plan, emulation::Conditions conditions, const std::string& topology,
                         const engine::Progress& progress) {
    const NetworkPtr network = networkNamed(topology, plan.schedule->facts().ranks);
    conditions.ports = plan.problem.ports;
    conditions.budget = 0;
    return emulation::makespan(plan, *network, conditions, {.stop = progress.stop});
}

AlgorithmRanking whatIf(const Problem& problem, const emulation::Conditions& conditions, const std::string& topology,
                        const engine::Progress& progress) {
    networkNamed(topology, problem.ranks());
    AlgorithmRanking result;
    const engine::Trial trial = trialFor(problem, conditions.model);
    const auto algorithms = engine::algorithmsFor(problem.collective);
    std::int64_t left = triedTurnsInAll;
    std::size_t done = 0;
    for (const engine::Algorithm* algorithm : algorithms) {
        progress.at(static_cast<double>(done++) / static_cast<double>(algorithms.size()));
        std::optional<Alternative> best;
        bool tooLong = false;
        bool tooWide = false;
        std::string refused;
        for (Plan& plan : engine::variants(*algorithm, problem, trial)) {
            if (plan.schedule->facts().ports > problem.ports) {
                tooWide = true;
                continue;
            }
            const std::int64_t turns = turnsOf(plan);
            if (turns > triedTurns || turns > left) {
                tooLong = true;
                continue;
            }
            left -= turns;
            try {
                const Picoseconds time = emulatedTime(plan, conditions, topology, progress);
                if (!best || time < best->time) best = Alternative{std::move(plan), time};
            } catch (const engine::Error& error) {
                refused = error.what();  // dummies of this schedule find no place on the network
            }
        }
        if (best) {
            result.ranked.push_back(std::move(*best));
            continue;
        }
        std::string why = refusal(*algorithm, problem);
        if (why.empty())
            why = text(algorithm->id, tooLong            ? std::string{": its schedules are too long to be tried"}
                                      : !refused.empty() ? ": " + refused
                                      : tooWide          ? ": needs more ports than there are"
                                                         : ": no variant of it fits");
        result.left.push_back(std::move(why));
    }
    std::stable_sort(result.ranked.begin(), result.ranked.end(),
                     [](const Alternative& a, const Alternative& b) { return a.time < b.time; });
    progress.at(1);
    return result;
}

}  // namespace app::analysis
