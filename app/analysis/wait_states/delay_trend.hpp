// SPDX-License-Identifier: BSD-3-Clause
// Whether delays of one cause grow, shrink or alternate.
#pragma once

#include "engine/base/types.hpp"

#include <cstdint>
#include <span>
#include <string_view>

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

}  // namespace app::analysis
