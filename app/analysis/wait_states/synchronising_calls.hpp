// SPDX-License-Identifier: BSD-3-Clause
// Waits in MPI calls that move no data but synchronise: MPI_Finalize, and those that make or free communicators,
// windows and files.
//
// No trace format records on which communicator such a call is made, and none of these calls but MPI_Finalize has to
// synchronise. So times decide: the n-th call of one name on all ranks synchronised them where none of them left before
// the last one had entered. Until then the others waited for that one.
#pragma once

#include "app/analysis/wait_states/blocking.hpp"

#include <vector>

namespace app::analysis {

/// Those of the part's ranks, call by call; nothing where communicators are chosen.
std::vector<BlockingCall> synchronisingCalls(const traces::Recording& recording, const Selection& selection);

}  // namespace app::analysis
