// SPDX-License-Identifier: BSD-3-Clause
// Programs of another MPI library than the recorder's, whose handles do not fit the recorder's entry points: a launcher
// hands the recorder to every program that it starts, and scripts start any.
#pragma once

namespace engine::mpi::pmpi {

/// Ends a process that has loaded another MPI library since it started, with a message: it cannot run under this
/// recorder. Programs that are linked with one start again without the recorder.
void requireOwnLibrary();

}  // namespace engine::mpi::pmpi
