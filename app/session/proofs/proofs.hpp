// SPDX-License-Identifier: BSD-3-Clause
// Many proofs in a row: what `verify` does.
#pragma once

#include "app/session/session.hpp"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace app {

/// One schedule to prove.
struct Conjecture {
    const engine::Algorithm* algorithm = nullptr;
    ProblemWish problem;
    std::map<std::string, std::string> options{};
    NetworkWish network{};  ///< matters to algorithms made for a torus, and where messages are relayed
};

/// What came out of all of them; proved + refuted + refused = problems.
struct Proofs {
    std::int64_t problems = 0;
    std::int64_t proved = 0;
    std::int64_t refuted = 0;
    std::int64_t refused = 0;   ///< the algorithm does not fit the problem, or the problem is none
    std::int64_t messages = 0;  ///< followed in all proofs
    /// Of proofs in which several ranks get a result of the same vectors, by engine::SameBits.
    std::array<std::int64_t, 3> sameBits{};
    std::string refusal;  ///< the first one as a sentence with marks (engine/base/option_placeholders.hpp)
    std::vector<std::string> remarks{};  ///< of the schedule, if there is one problem and it is from a file

    friend bool operator==(const Proofs&, const Proofs&) = default;
};

/// Why nothing can be proved of a plan whose messages do not say what they carry (engine::Facts::unstated).
std::string unprovable(const engine::Plan& plan);

/// The command that proves this one again: "collscope verify bcast/chain -n 5 --size 12 --set groups=2".
std::string commandOf(const Conjecture& conjecture);

/// Told of each schedule that breaks its promise, with what it was made for.
using OnRefuted = std::function<void(const Conjecture&, const engine::Plan&, const engine::Verdict&)>;

/// Proves every conjecture. Throws Cancelled, and Faulty where a user's algorithm fails.
Proofs prove(const std::vector<Conjecture>& conjectures, const OnRefuted& onRefuted,
             const engine::Progress& progress = {});

/// The whole catalogue: within one group 1..70 ranks and a sample up to 1024; between groups all p, q <= 24; tori;
/// roots, sizes, operations and options drawn with a fixed seed, those that are broken on purpose left out. Always the
/// same.
std::vector<Conjecture> wholeCatalogue();

/// Real ranks would wait for ever for a message that only one of its ends knows: throws Error that names the first.
/// Schedules too long to be proved are let through.
void requirePaired(const engine::Plan& plan, const engine::Progress& progress = {});

}  // namespace app
