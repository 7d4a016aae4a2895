// SPDX-License-Identifier: BSD-3-Clause
// Receives that a changed program may have done otherwise: a trace does not say which of them would have taken a
// message from anybody.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "app/analysis/replay/replayed_recording.hpp"

namespace app::analysis {

/// How many receives took a message that was sent before the one that the same rank, with the same communicator and
/// tag, received next, from another rank, and that is sent after it in the replay. Had they been posted for any rank,
/// they would take that one there.
std::int64_t otherChoices(const traces::Recording& recording, const emulation::Program& recorded,
                          const emulation::Program& replayed, const ReplayTimes& times);

}  // namespace app::analysis
