// SPDX-License-Identifier: BSD-3-Clause
// Reads what other tools recorded: the point-to-point messages between the ranks of an MPI program.
//
// Rounds and contents are unknown there, which the run's remarks say. Times of an end of a message:
//   blocking      send: from its event to the end of the call; receive: from the begin of the call to its event
//   non-blocking  from the event that posts it to the event that completes it
#pragma once

#include "engine/run.hpp"
#include "traces/otf2/source.hpp"

namespace traces::otf2 {

engine::Run readForeign(Source& source, const engine::Progress& progress);

}  // namespace traces::otf2
