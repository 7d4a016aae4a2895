// SPDX-License-Identifier: BSD-3-Clause
// Waits in MPI calls that move no data but synchronise: MPI_Finalize, and those that make or free communicators,
// windows and files.
//
// None of these calls but MPI_Finalize has to synchronise. So times decide: a call synchronised its ranks where none of
// them left before the last one had entered. Until then the others waited for that one. The ranks of a call are those
// of its communicator where the trace records it (as Collscope's recorder does, but for data of files); otherwise the
// n-th call of one name is taken to be that of all ranks.
#pragma once

#include "app/analysis/wait_states/blocking_calls.hpp"

#include <vector>

namespace app::analysis {

/// Those of the part's ranks, call by call. Where communicators are chosen: calls that are known to be of these.
std::vector<BlockingCall> synchronisingCalls(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
