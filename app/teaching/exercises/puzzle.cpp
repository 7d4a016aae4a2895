// SPDX-License-Identifier: BSD-3-Clause
#include "app/teaching/exercises/puzzle.hpp"

#include "app/session/proofs/search_network.hpp"
#include "emulation/networks/rank_placement.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

namespace app {

using engine::text;
using std::chrono::steady_clock;

Puzzle puzzleOf(const engine::Problem& problem, const NetworkWish& network) {
    engine::synthesis::SearchProblem question = engine::synthesis::searchProblemOf(problem, 1);
    if (question.kind != engine::synthesis::Kind::forward)
        throw engine::Error{
            text("the optimum is known of collectives that spread data, not of ", name(problem.collective))};
    const std::string topology = network.topology.empty() ? "full" : network.topology;
    const emulation::NetworkPtr made =
        emulation::makeNetwork(toText(emulation::PlacedName{topology, network.placement}), problem.ranks());
    return {.problem = problem,
            .network = {.topology = topology, .placement = network.placement},
            .fabric = fabricOf(*made, problem.ports).fabric,
            .question = std::move(question),
            .key = text(made->name(), ' ', problem.ports, ' ', toText(problem))};
}

engine::synthesis::Patience patienceOf(std::chrono::milliseconds time, const engine::Progress& progress) {
    const auto begin = steady_clock::now();
    return {.time = time, .stop = [begin, time, progress] {
                const std::chrono::duration<double> passed = steady_clock::now() - begin;
                if (progress.report) progress.report(std::min(passed / std::chrono::duration<double>{time}, 1.0));
                return progress.stop.stop_requested() || passed > time;
            }};
}

std::optional<std::int32_t> optimumOf(const Puzzle& puzzle, std::chrono::milliseconds time,
                                      const engine::Progress& progress) {
    static std::mutex mutex;
    struct Decided {
        std::optional<std::int32_t> fewest{};
        std::chrono::milliseconds time{};  ///< that the search had
    };
    static std::map<std::string, Decided> solved;
    {
        const std::lock_guard hold{mutex};
        if (const auto known = solved.find(puzzle.key);
            known != solved.end() && (known->second.fewest || known->second.time >= time))
            return known->second.fewest;
    }
    const auto fewest =
        engine::synthesis::fewestRoundsFrom(puzzle.fabric, puzzle.question.chunks, patienceOf(time, progress));
    if (progress.stop.stop_requested()) throw engine::Cancelled{};
    const std::lock_guard hold{mutex};
    Decided& decided = solved[puzzle.key];
    if (fewest || !decided.fewest) decided = {fewest, std::max(time, decided.time)};
    return fewest;
}

std::string lateInWords(const Puzzle& puzzle, const engine::synthesis::RemainingRounds& remaining) {
    if (remaining.late.empty()) return {};
    const std::int32_t rank = remaining.late.front().first;
    std::string blocks;
    int count = 0;
    for (const auto& [late, chunk] : remaining.late)
        if (late == rank)
            blocks += text(count++ == 0 ? " " : ", ", puzzle.question.chunks[engine::asSize(chunk)].block);
    return text("rank ", rank, " cannot receive block", count > 1 ? "s" : "", blocks, " in time");
}

}  // namespace app
