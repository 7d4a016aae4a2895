// SPDX-License-Identifier: BSD-3-Clause
// Decides whether chunks can be spread over a fabric in so many steps and rounds.
#pragma once

#include "engine/synthesis/cnf_formula.hpp"
#include "engine/synthesis/search_problem.hpp"
#include "engine/synthesis/symmetry.hpp"

#include <optional>
#include <string>
#include <vector>

namespace engine::synthesis {

/// A schedule that was found.
struct Found {
    std::int32_t rounds = 0;             ///< of all steps together
    std::vector<std::int32_t> inStep{};  ///< rounds of each step, at least 1
    std::vector<Send> sends{};           ///< only those that some rank needs; sorted
};

struct Decision {
    Truth truth = Truth::unknown;
    Found found{};  ///< where satisfiable
};

/// One formula for all numbers of rounds up to the one it is made for; what the solver learns is kept.
class Search {
public:
    /// 1 <= steps <= mostRounds. Throws Error where the formula is too large. With `proof`, see Formula; then only
    /// `mostRounds` may be decided, once. The search is limited to schedules that every symmetry in `kept` maps to
    /// themselves. `poll` is called while the formula is built.
    Search(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps, std::int32_t mostRounds,
           const std::string& proof = {}, const std::vector<Symmetry>& kept = {}, const Poll& poll = {});
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;
    ~Search() = default;

    /// Whether at most `rounds` rounds are enough, steps <= rounds <= mostRounds.
    Decision decide(std::int32_t rounds, const Patience& patience);
    /// Ends the proof of the last decision.
    void closeProof() { formula_.closeProof(); }

private:
    struct Crossing {
        Send send;
        const Channel* channel = nullptr;
        Literal literal = 0;
    };

    void spread();
    void limitLinks();
    void limitPorts();
    void orderChunks();
    void orderRanks(const Poll& poll);
    void keep(const std::vector<Symmetry>& symmetries);
    void limitRounds();
    [[nodiscard]] Found read() const;
    /// Whether the rank holds the chunk before the step; 0: it never does, or nobody could use it.
    Literal& at(std::int32_t step, std::size_t chunk, std::int32_t rank) {
        return holds_[(asSize(step) * chunks_.size() + chunk) * asSize(fabric_.ranks) + asSize(rank)];
    }

    Fabric fabric_;
    std::vector<Chunk> chunks_;
    std::int32_t steps_;
    std::int32_t most_;
    bool once_;  ///< the number of rounds is part of the formula, so that the proof is of it
    Formula formula_;
    std::vector<Literal> holds_;
    std::vector<Crossing> crossings_;
    std::vector<std::vector<Literal>> more_;  ///< [step][k]: the step has more than k + 1 rounds
    std::vector<Literal> extra_;              ///< [k]: all steps together have more than steps + k rounds
};

/// A schedule with these steps and rounds that symmetries of the question map to itself. They are added one at a time,
/// and kept if a schedule is found in time. Nothing where none is kept.
std::optional<Found> tidied(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps,
                            std::int32_t rounds, const Patience& patience);

/// Rounds that each step needs at least so that every link carries what is sent through it.
std::vector<std::int32_t> roundsOf(const Fabric& fabric, const std::vector<Send>& sends, std::int32_t steps);

}  // namespace engine::synthesis
