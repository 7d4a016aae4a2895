// SPDX-License-Identifier: BSD-3-Clause
// Clauses, and the solver that decides them. The only room that sees CaDiCaL.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace engine::synthesis {

/// A variable or its negation, as DIMACS writes it; never 0.
using Literal = int;

enum class Truth : std::uint8_t { satisfiable, unsatisfiable, unknown };

/// When a solver gives up.
struct Patience {
    std::chrono::milliseconds time{60'000};
    /// Asked some hundred times a second; true: give up. May be empty.
    std::function<bool()> stop{};
};

/// Called many times a second by what may take long; gives up by throwing. May be empty.
using Poll = std::function<void()>;

/// What a Poll throws when the time limit is over.
struct OutOfTime {};

/// A formula in conjunctive normal form that can grow after it has been decided.
class Formula {
public:
    /// Most literals in all clauses together: what a solver needs some hundred MiB for.
    static constexpr std::int64_t mostLiterals = 20'000'000;

    /// Throws the Error of a formula that is too large.
    [[noreturn]] static void refuse();

    /// With `proof` every step of the solver is written to this file as DRAT text, and clauses to `proof`.cnf as
    /// DIMACS. Throws Error where they cannot be written. `poll` is called while clauses are added.
    explicit Formula(const std::string& proof = {}, Poll poll = {});
    ~Formula();
    Formula(const Formula&) = delete;
    Formula& operator=(const Formula&) = delete;

    Literal fresh() { return ++variables_; }
    /// Throws Error where the formula gets too large.
    void add(std::span<const Literal> clause);
    void add(std::initializer_list<Literal> clause) { add(std::span{clause.begin(), clause.size()}); }
    /// counts[k] is implied when more than k of `inputs` are true, for k < `most`.
    std::vector<Literal> counts(std::span<const Literal> inputs, std::size_t most);

    /// Under these assumptions, which hold for this call alone.
    Truth decide(std::span<const Literal> assumptions, const Patience& patience);
    /// After `satisfiable`.
    [[nodiscard]] bool isTrue(Literal literal) const;

    /// Ends the proof; nothing may be decided any more. Throws Error where it could not be written.
    void closeProof();

private:
    struct Solver;

    std::unique_ptr<Solver> solver_;
    int variables_ = 0;
    std::int64_t literals_ = 0;
    std::int64_t clauses_ = 0;
    Poll poll_;
    std::string proof_;
    std::vector<Literal> written_;  ///< with a proof: all clauses, each ended by 0
};

}  // namespace engine::synthesis
