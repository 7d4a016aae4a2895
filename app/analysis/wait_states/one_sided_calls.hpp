// SPDX-License-Identifier: BSD-3-Clause
// Where ranks wait at windows of each other, by Scalasca's rules.
//
// General active target: a target opens its window to some ranks (MPI_Win_post) and closes it again (MPI_Win_wait); an
// origin begins its access to some ranks (MPI_Win_start), puts and gets, and ends it (MPI_Win_complete). The k-th post
// of a target for an origin belongs to the k-th start of that origin for the target.
//
//   early transfer  an operation lasts while its target has not posted
//   late post       the same of the start, or the complete, until the last target has posted
//   early wait      MPI_Win_wait lasts until the last of the origins has finished its operations
//   late complete   and from then until that one has entered MPI_Win_complete
//
// Passive target: locks (window_locks.hpp), and
//
//   wait for progress  a call from MPI_Win_lock to MPI_Win_unlock lasts while its target is outside of MPI, and ends
//                      soon after the target has entered a call: within the time that had passed before. It is
//                      inferred that the library makes progress in calls of the target only. Where the call waits
//                      for a lock, that wait counts.
#pragma once

#include "app/analysis/wait_states/blocking_calls.hpp"

#include <vector>

namespace app::analysis {

/// Those of the part's ranks, and of the windows of the communicators chosen; nothing where messages are chosen. By the
/// ranks that call, each in no order.
std::vector<BlockingCall> oneSidedCalls(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
