// SPDX-License-Identifier: BSD-3-Clause
// A GOAL text in virtual time: what its program takes on a network, with a placement, under a cost model.
#pragma once

#include "app/session/replay/replay_run.hpp"

#include <filesystem>
#include <string_view>

namespace app {

/// Whether the file is named as a GOAL text.
bool isGoal(std::string_view path);

/// The first replay has the costs of `wish` and uses a fully connected network; the second one, made where `wish` has
/// more than costs, has all of its conditions. Throws Error for a file that is no GOAL text and for what cannot be
/// changed of one, such as the algorithms of collectives, which it does not contain; Cancelled.
Replaying replayedGoal(const std::filesystem::path& file, const ReplayWish& wish,
                       const engine::Progress& progress = {});

}  // namespace app
