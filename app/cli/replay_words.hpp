// SPDX-License-Identifier: BSD-3-Clause
// Times of replays held against each other, in words.
#pragma once

#include "engine/types.hpp"

#include <string>
#include <string_view>

namespace app::cli {

/// "2.5 % more than recorded", "4 times as long as recorded".
std::string against(engine::Picoseconds time, engine::Picoseconds other, std::string_view what);

/// A share that something is off by: "2.5 % more", "1 % less", "none".
std::string off(double share);

}  // namespace app::cli
