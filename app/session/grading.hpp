// SPDX-License-Identifier: BSD-3-Clause
// Homework: a task says what an algorithm must keep to, and a file is held against it.
//
//   title: Round a ring
//   collective: allgatherv
//   Write an allgather whose ranks talk to their neighbours only.
//   hint: What came in a round can go on in the next one.
//   check: proved, 4 points: -n 2..12
//   check: proved, 2 points, hidden: -n 13,17 --size 60
//   check: rounds at most bound + 0, 2 points: -n 8
//   check: neighbours on ring, 1 point: -n 9
//   check: bytes at most 448 each, 1 point: -n 8 --size 64
//
// Lines that begin with # say nothing; lines without a key are the text.
#pragma once

#include "app/session/specification.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Something that must hold for all problems of a range.
struct Check {
    enum class Kind : std::uint8_t {
        proved,      ///< the schedule keeps its promise
        rounds,      ///< it has at most `most` rounds with messages, above the lower bound where `aboveBound`
        neighbours,  ///< messages go between neighbours on a ring
        bytes,       ///< no rank sends more than `most` bytes
    };
    Kind kind = Kind::proved;
    std::string words;  ///< "rounds at most bound + 0: -n 8"
    std::int64_t points = 0;
    bool hidden = false;  ///< the student does not see it
    bool aboveBound = false;
    std::int64_t most = 0;
    Asked asked;  ///< the problems
};

struct Task {
    std::string title;
    engine::Collective collective = engine::Collective::bcast;
    std::string text;
    std::vector<std::string> hints;
    std::vector<Check> checks;
};

/// `file` is what complaints call it. Throws Error{"FILE:LINE: ..."}.
Task taskFromText(const std::string& content, const std::string& file);

/// What came of one check of one file.
struct Mark {
    bool held = false;
    std::string said;  ///< the first counter-example, or why it could not be held; empty when held
};

/// Holds the algorithm in the file `path` against all checks, one by one; a file that cannot be read fails all of them.
void grade(const Task& task, const std::string& path, const std::function<void(const Mark&)>& told,
           const engine::Progress& progress = {});

}  // namespace app
