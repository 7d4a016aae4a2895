// SPDX-License-Identifier: BSD-3-Clause
// From the arguments of a call to the problem that it asks to solve, the same on all processes.
#pragma once

#include "engine/live/pmpi/recording/communicator.hpp"
#include "engine/live/pmpi/replacement/collective_arguments.hpp"

namespace engine::mpi::pmpi {

struct RequestedProblem {
    Problem problem{};
    Bytes bytes = 0;  ///< what rules go by: a reduction's vector, all contributions of others together
};

/// Whether the processes have to tell each other what their own arguments do not tell: what others of the own group
/// bring, who of it is the root.
bool mustBeExchanged(const Communicator& comm, const CollectiveRequest& call);

/// Where it must be exchanged, all processes of the communicator call it together. The problem of blocks that differ is
/// one of blocks that are all as long as the longest where an algorithm cuts vectors evenly (reduce-scatter).
RequestedProblem requestedProblemOf(const Communicator& comm, CommunicatorContext& context,
                                    const CollectiveRequest& call);

/// Whether a reduce-scatter's blocks are those of the problem, and not longer ones.
bool isEvenlyCut(const CollectiveRequest& call, const Problem& problem);

}  // namespace engine::mpi::pmpi
