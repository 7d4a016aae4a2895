// SPDX-License-Identifier: BSD-3-Clause
// Exercises: a task lists checks, and the algorithm in a file is compared with them.
//
//   title: Round a ring
//   collective: allgatherv
//   Write an allgather whose ranks talk to their neighbours only.
//   hint: A block received in one round can be forwarded in the next.
//   check: proved, 4 points: -n 2..12
//   check: proved, 2 points, hidden: -n 13,17 --size 60
//   check: rounds at most bound + 0, 2 points: -n 8
//   check: neighbours on ring, 1 point: -n 9
//   check: bytes at most 448 each, 1 point: -n 8 --size 64
//   check: rounds at most optimum + 0, 3 points: -n 6 --topology ring
//
// Lines that begin with # say nothing; lines without a key are the text.
#pragma once

#include "app/session/options/specification.hpp"
#include "app/teaching/exercises/puzzle.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Something that must hold for all problems of a range.
struct Check {
    enum class Kind : std::uint8_t {
        proved,      ///< the schedule keeps its promise
        rounds,      ///< it has at most `most` rounds with messages, above the lower bound where `aboveBound`
        optimum,     ///< at most `most` more rounds than the best schedule on the network of the check
        neighbours,  ///< messages go between neighbours on a ring
        bytes,       ///< no rank sends more than `most` bytes
    };
    Kind kind = Kind::proved;
    std::string words;  ///< "rounds at most bound + 0: -n 8"
    std::int64_t points = 0;
    bool hidden = false;  ///< the student does not see it
    bool aboveBound = false;
    std::int64_t most = 0;
    Asked asked;            ///< the problems
    std::string leftOut{};  ///< a sentence on combinations of the flags that are no problems; empty: none
};

struct Task {
    std::string title;
    engine::Collective collective = engine::Collective::bcast;
    std::string text;
    std::vector<std::string> hints;
    std::vector<Check> checks;
};

/// `file`: its name in error messages. Throws Error{"FILE:LINE: ..."}.
Task taskFromText(const std::string& content, const std::string& file);

/// Whether a file of that name is a task: it ends in .task.
bool isTask(std::string_view path);

/// The task in the file. Throws Error{"FILE:LINE: ..."}, or says why it cannot be read.
Task taskIn(const std::string& path);

/// What can be played by hand: the problem of the first check of the optimum that is not hidden and has one problem.
std::optional<Puzzle> puzzleOf(const Task& task);

/// Finds the optima of its checks, once for all files that are compared with them. Throws Cancelled.
void solve(const Task& task, const engine::Progress& progress = {});

/// Those of all its checks.
std::int64_t pointsOf(const Task& task);

/// The result of one check for one file.
struct Outcome {
    bool held = false;
    std::string said;                    ///< the first counterexample, or why it could not be checked; empty when held
    std::optional<ProblemWish> problem;  ///< the first problem that fails
};

/// Checks the algorithm in the file `path` against one check of the task. A file that cannot be read, or that is for
/// another collective, fails it. Throws Cancelled.
Outcome markFor(const Task& task, const Check& check, const std::string& path, const engine::Progress& progress = {});

/// The same for all checks, one by one.
void grade(const Task& task, const std::string& path, const std::function<void(const Outcome&)>& told,
           const engine::Progress& progress = {});

}  // namespace app
