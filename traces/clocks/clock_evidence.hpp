// SPDX-License-Identifier: BSD-3-Clause
// What a collective says of the clocks of its ranks.
#pragma once

#include "traces/recording/recording.hpp"

namespace traces {

struct Dependence {
    bool source =
        false;  ///< the rank's contribution goes to every sink: no sink can leave before this rank has entered
    bool sink = false;
};

/// Only what the operation guarantees: ranks that contribute nothing, or get nothing, wait for nobody. All-to-all with
/// sizes of its own says nothing of single pairs.
inline Dependence dependenceOf(const Collective& instance, const Participant& part) {
    using enum Operation;
    const bool root = part.rank == instance.root;
    switch (instance.operation) {
        case barrier: return {true, true};
        case bcast:
        case scatter: return {root && part.sent > 0, !root && part.received > 0};
        case reduce:
        case gather: return {!root && part.sent > 0, root && part.received > 0};
        case allgather:
        case allgatherv:
        case allreduce:
        case alltoall:
        case reduceScatterBlock: return {part.sent > 0, part.received > 0};
        default: return {};
    }
}

/// Parts that could not be put together say nothing. On an intercommunicator each side depends on the other only.
inline bool tellsOfClocks(const Recording& recording, const Collective& instance) {
    const auto communicator = engine::asSize(instance.communicator);
    return instance.ordered && instance.count > 1 &&
           recording.communicators[communicator].kind != CommunicatorKind::inter;
}

}  // namespace traces
