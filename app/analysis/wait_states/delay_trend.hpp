// SPDX-License-Identifier: BSD-3-Clause
// Whether delays of one cause grow, shrink, alternate or come in every n-th call, or ranks are late in turn.
#pragma once

#include "engine/base/types.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace app::analysis {

/// How the lateness of a cause changes from delay to delay.
enum class Trend : std::uint8_t { none, grows, shrinks, alternates };
/// "grows"; empty for none.
std::string_view nameOf(Trend trend);

/// The trend of at least ten values, in their order, and the first and last value that it implies; for alternates the
/// two levels. Values in random order have one in less than 1% of cases.
struct TrendOf {
    Trend trend = Trend::none;
    engine::Picoseconds first{};
    engine::Picoseconds last{};

    friend bool operator==(const TrendOf&, const TrendOf&) = default;
};
TrendOf trendOf(std::span<const engine::Picoseconds> values);

/// Delays before every n-th call.
struct Period {
    std::size_t every = 0;  ///< calls from one delay to the next
    std::vector<engine::Picoseconds> delays{};
    engine::Picoseconds others{};  ///< the longest of all other delays

    friend bool operator==(const Period&, const Period&) = default;
};
/// Delays shorter than the longest one by more than this factor are not among those of a period, or of a trend.
constexpr std::int64_t shortestOfPeriod = 3, shortestOfTrend = 10;
/// Of delays in their order, each before the call of the same place in `calls`, which rise. Delays shorter than the
/// longest one by more than the factor `shortest` are others. Nothing where fewer than four delays are left (six of
/// every second call), which by chance come so evenly in at most 3% of cases, or where they are less than nine tenths
/// of all.
std::optional<Period> periodOf(std::span<const engine::Picoseconds> delays, std::span<const std::size_t> calls,
                               std::int64_t shortest = shortestOfPeriod);

/// The ranks that are late in turn, as they come first; empty where none are. `late`: who was, one after the other.
/// Each is the rank that was late as many delays before as there are ranks, but for one in twenty; there are at least
/// six delays, and two of each rank.
std::vector<engine::Rank> ranksInTurn(std::span<const engine::Rank> late);

/// Ranks that are late one after the other, each two times or more in succession and never again; empty where they are
/// fewer than three.
std::vector<engine::Rank> ranksInBlocks(std::span<const engine::Rank> late);

}  // namespace app::analysis
