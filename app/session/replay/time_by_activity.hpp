// SPDX-License-Identifier: BSD-3-Clause
// How ranks spent a run of ours, in the words of replays.
#pragma once

#include "emulation/replay/replay.hpp"
#include "engine/run/run.hpp"

namespace app {

/// What ranks waited for messages is that of analysis::waitSums, what they moved, or combined, is when they were busy.
/// The rest of the time in which a rank was there, and where messages were not kept all of it, is in its collective.
engine::ById<engine::Rank, emulation::TimeSpent> timeByActivity(const engine::Run& run);

}  // namespace app
