// SPDX-License-Identifier: BSD-3-Clause
// What a schedule moves in all.
#pragma once

#include "app/analysis/messages/connection_counts.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <optional>

namespace app::analysis {

/// Messages of schedules of at most so many turns are looked at one by one, which is faster than to prove them.
inline constexpr std::int64_t countedTurns = 64'000'000;

/// What a schedule moves in all.
struct Totals {
    std::int64_t messages = 0;
    engine::Bytes bytes = 0;
    bool queued = false;        ///< some round has more messages of a rank than the problem has ports
    std::int64_t startups = 0;  ///< messages that follow each other at the busiest port of every round, added up
    engine::Bytes serializedBytes = 0;         ///< and the bytes of those that follow each other
    engine::Bytes busiest = 0;                 ///< sent, or received, by one rank, at most
    std::optional<Connections> connections{};  ///< pairs of ranks that talk; nothing where there are too many to count
    bool wholeContributions = false;           ///< every message is one contribution, or empty: neither cut nor joined

    friend bool operator==(const Totals&, const Totals&) = default;
};

/// Adds up all messages; nothing for a schedule of more than `countedTurns` turns. Throws Cancelled.
std::optional<Totals> totalsOf(const engine::Plan& plan, const engine::Progress& progress = {});

/// Bytes that the kept messages of a run took through the ports of one rank, sent or received, at most.
engine::Bytes busiestRankOf(const engine::Run& run);

}  // namespace app::analysis
