// SPDX-License-Identifier: BSD-3-Clause
// replay --check: the flags, and the answer in words and as json.
#pragma once

#include "app/cli/arguments/arguments.hpp"
#include "app/cli/output/console.hpp"
#include "app/cli/output/json.hpp"
#include "app/session/replay/replay_check.hpp"

#include <optional>
#include <string>

namespace app::cli {

/// Nothing without --check. Throws Error for flags of a check without it.
std::optional<CheckWish> readCheck(const Arguments& arguments);

/// Says what is run, runs it, and passes on what it said; all of that goes to stderr.
Checked check(const Replaying& replaying, const CheckWish& wish, const Console& console);

/// "predicted 12% less than replayed, measured 11% less than recorded"; empty where nothing was changed.
std::string gainOf(const Replaying& replaying, const Checked& checked);

Json checkJson(const Replaying& replaying, const CheckWish& wish, const Checked& checked);

}  // namespace app::cli
