// SPDX-License-Identifier: BSD-3-Clause
// Which of two runs is faster, and what it does less of.
#pragma once

#include "app/analysis/format/cell_format.hpp"
#include "app/analysis/trace/run_report.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace app::analysis {

/// The class of schedules whose lower bounds several runs are all compared with: one-block messages if all of them send
/// these, else any messages, whose bounds hold for all.
engine::Blocks commonBlocks(std::span<const Report* const> reports);

/// What can be counted in a run of which every message is known.
struct MessageCounts {
    std::int64_t again = 0;    ///< blocks received by ranks that had them already
    std::int64_t withinA = 0;  ///< messages within group A
};
/// Nothing if messages, or their contents, are unknown, or too many to follow.
std::optional<MessageCounts> messageCountsOf(const Report& report);

/// Of two runs of one problem the faster one, beside the other.
struct Winner {
    bool second = false;               ///< the second run is faster
    engine::Picoseconds by{};          ///< 0: both take the same time
    engine::Picoseconds time{};        ///< of the faster one
    std::vector<std::string> because;  ///< clauses, what counts most first; where costs are known, with their times
    std::string networks;              ///< "ring and torus:5x2" where the runs were on two; empty: on one, or not known

    /// By how much of the slower one's time the other is faster, 0..1.
    [[nodiscard]] double share() const { return ratio(by, time + by); }
};

/// What is said of messages holds where all of them were kept.
Winner winnerOf(const Report& first, const Report& second);
/// The same where other times than those of the whole runs are compared.
Winner winnerOf(const Report& first, const Report& second, engine::Picoseconds firstTime,
                engine::Picoseconds secondTime);

/// "B is 1.17x faster than A: 163 us instead of 190 us. It has 64 KiB fewer serialized bytes (26.21 us), 1 fewer round
/// (1 us) and 30 instead of 37 messages. However, it has .... Their networks differ: ring and torus:5x2."
std::string winInWords(const Winner& winner, const std::string& first, const std::string& second);

}  // namespace app::analysis
