// SPDX-License-Identifier: BSD-3-Clause
// A problem that is solved round by round on a network, and the fewest rounds for it. Messages carry any number of
// whole contributions; ports limit how many messages a rank sends and receives in a round.
#pragma once

#include "app/session/session.hpp"
#include "engine/synthesis/remaining_rounds.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace app {

struct Puzzle {
    engine::Problem problem{};
    NetworkWish network{};
    engine::synthesis::Fabric fabric{};
    engine::synthesis::SearchProblem question{};  ///< a chunk for each contribution
    std::string key{};                            ///< equal ones have one optimum
};

/// Throws Error where the optimum cannot be searched for: the problem reduces, or has too many ranks.
Puzzle puzzleOf(const engine::Problem& problem, const NetworkWish& network);

/// Until `time` is over or `progress` is stopped; reports the share of the time.
engine::synthesis::Patience patienceOf(std::chrono::milliseconds time, const engine::Progress& progress);

/// The fewest rounds; nothing: undecided in time. A puzzle is searched again only with more time than before. Throws
/// Cancelled.
std::optional<std::int32_t> optimumOf(const Puzzle& puzzle, std::chrono::milliseconds time,
                                      const engine::Progress& progress);

/// "rank 3 cannot receive blocks 1, 2 in time": the first rank of those that are late; empty: none is.
std::string lateInWords(const Puzzle& puzzle, const engine::synthesis::RemainingRounds& remaining);

}  // namespace app
