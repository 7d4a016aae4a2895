// SPDX-License-Identifier: BSD-3-Clause
// A program as a time-independent trace, which SimGrid replays (smpirun -replay): for each rank a file of actions.
#pragma once

#include "emulation/replay/tags.hpp"
#include "engine/run/executor.hpp"

#include <ostream>

namespace emulation {

/// Actions: compute, in operations of a host that does 10^9 a second, isend, irecv, wait. Collectives are the messages
/// of their schedules, a round's sends and receives together; one without a schedule is a dissemination of empty
/// messages. Every message has a tag of its own. Messages to oneself take no time.
class TimeIndependent {
public:
    /// `program` outlives the object. Throws Error for collectives that do not block, which no action is for, and where
    /// there are more tags than MPI has (2^31).
    explicit TimeIndependent(const Program& program);

    void write(Rank rank, std::ostream& out);

private:
    const Program& program_;
    TaggedCollectives collectives_;
};

}  // namespace emulation
