// SPDX-License-Identifier: BSD-3-Clause
// What a script says of itself, and what it says of one problem.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/script/sandbox.hpp"

#include <string>
#include <vector>

namespace engine::script {

/// The head, which holds for every problem.
struct Head {
    Collective collective = Collective::bcast;
    std::string title;
    std::string idea;
    std::string source;
    std::vector<Option> options;
};

/// Throws Error where the head is missing or says what cannot be.
Head headOf(Sandbox& sandbox);

/// Rounds in which functions of the script say what each rank does, side by side.
struct Phase {
    struct Part {
        std::int64_t rounds = 0;
        int turn = 0;  ///< the function, in the registry
    };
    std::string name;
    std::int64_t rounds = 0;  ///< of its longest part
    std::vector<Part> parts{};
};

/// Tells the script the problem and the options, which it sees as globals.
void pose(Sandbox& sandbox, const Problem& problem, const Options& options, const Head& head);

/// What the script asks of the problem and does not get, as it says it.
Objection objectionOf(Sandbox& sandbox);

/// How the script goes about the problem that was posed; `facts` gets what is true of the whole.
std::vector<Phase> phasesOf(Sandbox& sandbox, const Problem& problem, Facts& facts);

}  // namespace engine::script
