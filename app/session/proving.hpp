// SPDX-License-Identifier: BSD-3-Clause
// Many proofs in a row: what `verify` does.
#pragma once

#include "app/session/session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace app {

/// One schedule to prove.
struct Conjecture {
    const engine::Algorithm* algorithm = nullptr;
    ProblemWish problem;
};

/// What came out of all of them; proved + refuted + refused = problems.
struct Proofs {
    std::int64_t problems = 0;
    std::int64_t proved = 0;
    std::int64_t refuted = 0;
    std::int64_t refused = 0;   ///< the algorithm does not fit the problem, or the problem is none
    std::int64_t messages = 0;  ///< followed in all proofs
    std::string refusal;        ///< the first one as a sentence

    friend bool operator==(const Proofs&, const Proofs&) = default;
};

/// Told of each schedule that breaks its promise, with the problem it was made for.
using OnRefuted = std::function<void(const engine::Plan&, const engine::Verdict&)>;

/// Proves every conjecture, with the same options and topology. Throws Cancelled.
Proofs prove(const std::vector<Conjecture>& conjectures, const std::map<std::string, std::string>& options,
             const std::string& topology, const OnRefuted& onRefuted, const engine::Progress& progress = {});

}  // namespace app
