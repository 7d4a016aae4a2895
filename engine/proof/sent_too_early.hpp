// SPDX-License-Identifier: BSD-3-Clause
// The commonest counterexample, told so that its cause can be seen: what is sent before it is there.
#pragma once

#include "engine/proof/verify.hpp"

#include <optional>
#include <string>

namespace engine {

/// A block that a rank sends in a round before which it does not hold it.
struct TooEarly {
    Rank rank{};
    Rank peer{};
    Round round{};
    /// Nothing where the problem has one block in all, the message.
    std::optional<Block> block{};
    /// The first round in which the schedule lets it receive that; nothing: never.
    std::optional<Round> arrives{};
};

/// What `verdict`, of this schedule and problem, found, if that is it. Throws Cancelled.
std::optional<TooEarly> tooEarly(const Schedule& schedule, const Problem& problem, const Verdict& verdict,
                                 const Progress& progress = {});

/// "Rank 5 sends block 2 to rank 6 in round 3, but gets it in round 4 at the earliest."
std::string inWords(const TooEarly& fault);

}  // namespace engine
