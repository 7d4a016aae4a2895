// SPDX-License-Identifier: BSD-3-Clause
// What the environment of process 0 asks for, on all processes.
#pragma once

#include "engine/live/pmpi/recording/recorder_session.hpp"

namespace engine::mpi::pmpi {

/// Reads the environment and the rules file, and takes a folder that is free: FOLDER, or FOLDER.2, FOLDER.3, ... when
/// there is something already. Called by all processes; process 0 reads.
RecorderOptions agreeOnRecorderOptions();

/// Whether rules that this process can read ask for calls that do not block, which needs MPI_THREAD_MULTIPLE: what the
/// library gets before it begins.
bool rulesAskForThreads() noexcept;

}  // namespace engine::mpi::pmpi
