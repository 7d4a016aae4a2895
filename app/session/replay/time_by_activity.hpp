// SPDX-License-Identifier: BSD-3-Clause
// How ranks spent their time in one of Collscope's own runs, by the activities of replays.
#pragma once

#include "emulation/replay/replay.hpp"
#include "engine/run/run.hpp"

namespace app {

/// Waiting for messages is that of analysis::waitSums; moving and combining is the time in which ranks were busy. The
/// rest of the time from a rank's entry to its end counts as time in its collective, and all of it if the messages were
/// not kept.
engine::ById<engine::Rank, emulation::TimeSpent> timeByActivity(const engine::Run& run);

}  // namespace app
