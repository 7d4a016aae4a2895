// SPDX-License-Identifier: BSD-3-Clause
// Calls carried out by algorithms of the catalogue, as the standard says they must behave.
#pragma once

#include "engine/live/pmpi/replacement/requested_problem.hpp"

namespace engine::mpi::pmpi {

/// The number of the rule that replaced the call. Null when the library's own collective has to do it: no rule, more
/// than 2 GiB, vectors of elements with gaps. All processes of the communicator answer alike unless the program made a
/// mistake, because they look only at what the standard makes equal on all of them, or at what they told each other.
using Replaced = std::optional<std::uint8_t>;

/// Whether the library takes the call's arguments (argument_checker.hpp), and ours could carry it out.
bool canBeReplaced(const Communicator& comm, const CollectiveRequest& call);

/// The rule for a question, if there is one to be followed.
std::optional<NumberedRule> ruleFor(const Communicator& comm, const CollectiveRequest& call,
                                    const RequestedProblem& question);

/// Does this process' part of a call that may be replaced. Throws Error when messages fail.
Replaced replace(const Communicator& comm, CommunicatorContext& context, const CollectiveRequest& call);

}  // namespace engine::mpi::pmpi
