// SPDX-License-Identifier: BSD-3-Clause
// What a schedule moves in all, and the bound on rounds that this makes it face.
#pragma once

#include "engine/algorithm.hpp"
#include "engine/cost/bounds.hpp"
#include "engine/executor.hpp"

#include <optional>

namespace app::analysis {

/// Messages of schedules of at most so many turns are looked at one by one, which is faster than to prove them.
inline constexpr std::int64_t countedTurns = 64'000'000;

/// What a schedule moves in all.
struct Totals {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    bool wholeContributions = false;  ///< every message is one contribution, neither cut nor joined

    friend bool operator==(const Totals&, const Totals&) = default;
};

/// Adds up all messages; nothing for a schedule of more than `countedTurns` turns. Throws Cancelled.
std::optional<Totals> totalsOf(const engine::Plan& plan, const engine::Progress& progress = {});

/// The bound that the rounds of a schedule are to be held against: `unitRounds` where it moves whole contributions,
/// else `startups`.
engine::Bound<std::int64_t> roundBound(const engine::Bounds& bounds, const std::optional<Totals>& totals);

}  // namespace app::analysis
