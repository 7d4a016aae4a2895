// SPDX-License-Identifier: BSD-3-Clause
// Searches for the best schedules of one problem on one network: found, or proved impossible.
#pragma once

#include "app/session/proofs/search_network.hpp"
#include "app/session/session.hpp"
#include "app/session/synthesis/frontier.hpp"
#include "engine/base/table.hpp"
#include "engine/run/executor.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// How schedules are found.
enum class SearchMethod : std::uint8_t {
    solver,
    trees,   ///< along spanning trees that share the network's capacities
    greedy,  ///< chunks matched with channels round by round
};
/// "solver", "trees", "greedy".
std::string_view name(SearchMethod method);

/// What is searched for. Steps and rounds are those of the whole schedule; of an allreduce, which is composed of a
/// reduce-scatter and an allgather, each half has half of them.
struct SynthesisWish {
    engine::Collective collective = engine::Collective::allgatherv;
    ProblemWish problem{};
    NetworkWish network{};  ///< no topology: fully connected
    engine::Model model{};
    bool portsGiven = false;  ///< otherwise `problem.ports` is not looked at, see fabricOf
    std::optional<std::int32_t> chunks{};
    std::optional<std::int32_t> steps{};
    std::optional<std::int32_t> rounds{};
    std::chrono::milliseconds limit{60'000};  ///< of the whole search
    std::string proof{};                      ///< a file; needs chunks, steps and rounds
    SearchMethod method = SearchMethod::solver;
    bool compared = true;     ///< with the algorithms of the catalogue
    bool serialized = false;  ///< rounds are serialized chunks: links are not shared and have one lane each
};

enum class SearchAnswer : std::uint8_t { found, impossible, undecided };

/// "found", "impossible", "undecided".
std::string_view name(SearchAnswer answer);

struct SearchRow;
/// "solver", "trees", "greedy", "counting", "catalogue".
std::string_view decidedBy(const SearchRow& row);

/// One question and its answer.
struct SearchRow {
    std::int32_t chunks = 1;  ///< of a contribution
    std::int32_t steps = 1;
    std::int32_t rounds = 1;  ///< found: those needed; else those that were asked for
    SearchAnswer answer = SearchAnswer::undecided;
    bool counted = false;                         ///< impossible by counting alone, without a solver
    std::shared_ptr<const engine::Plan> known{};  ///< found in the catalogue, without a solver
    SearchMethod method = SearchMethod::solver;
    bool best = false;                          ///< found: no other needs both fewer steps and fewer bytes
    std::optional<engine::Picoseconds> cost{};  ///< found: on the network, in lockstep
    double share = 0;                           ///< found: as of a CostLine
    engine::Picoseconds bound{};  ///< no schedule of these chunks and steps costs less, see `neighboursOnly`
    /// Best: contribution sizes at which neither another one found nor an algorithm of the catalogue costs less.
    std::optional<SizeRange> sizes{};
    std::chrono::duration<double> took{};                         ///< to decide
    std::shared_ptr<const engine::schedules::Stored> schedule{};  ///< found by the solver
};

struct Synthesis {
    engine::Problem problem{};
    std::string network{};
    std::vector<SearchRow> rows{};    ///< by steps, then chunks
    std::int64_t fewestSteps = 0;     ///< of all schedules
    std::int32_t fewestSearched = 0;  ///< of those that are searched
    bool neighboursOnly = false;      ///< they are those in which only neighbours exchange messages
    engine::Picoseconds bound{};      ///< no schedule at all takes less
    bool portsLimited = true;  ///< else only links limit the messages of a rank, and `problem` has its ports used
    std::string rival{};       ///< the fastest algorithm of the catalogue on this network; empty: none runs there
    engine::Picoseconds rivalTime{};
    bool composed = false;  ///< an answer is about schedules that are a reduce-scatter and then an allgather
    std::vector<CostLine> catalogue{};  ///< its algorithms on this network, see addCatalogueLines
    bool comparedInPart = false;        ///< the time limit came before the last one
    CostLine limit{};                   ///< the fewest steps and the heaviest load, which no schedule beats
    double unit = 1;                    ///< what is cut into chunks, in contributions
    double alpha = 0;                   ///< picoseconds
    double beta = 0;                    ///< picoseconds per byte, of a lane

    /// The schedule of the lowest cost, with the fewest steps and chunks on ties; null: none was found.
    [[nodiscard]] const SearchRow* cheapest() const;
};

/// Throws Error for what cannot be searched; Cancelled.
Synthesis synthesize(const SynthesisWish& wish, const engine::Progress& progress = {});

/// The best schedules that were found. A row's share is of the sizes as they are: an uneven cut counts.
std::vector<CostLine> bestLines(const Synthesis& synthesis);
/// The rows, with what is known besides as remarks.
engine::Table tableOf(const Synthesis& synthesis);
/// Algorithms of the catalogue that no other one of it beats in both steps and load.
engine::Table catalogueTable(const Synthesis& synthesis);
/// The costs of the best schedules found and of the catalogue over the size of a contribution.
Chart chartOf(const Synthesis& synthesis);

/// The schedule of a row that was found, as a plan, so that it can be shown.
engine::Plan planOf(const SearchRow& row);
/// A schedule as a plan of "COLLECTIVE/NAME".
engine::Plan planOf(const engine::schedules::Stored& schedule, std::string_view name);

}  // namespace app
