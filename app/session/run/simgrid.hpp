// SPDX-License-Identifier: BSD-3-Clause
// SimGrid's SMPI as a peer to compare with, where it is installed: found on the PATH, never linked.
#pragma once

#include "app/session/run/simulator_benchmark.hpp"

#include <sys/resource.h>

namespace app {

/// A ring allgather that SimGrid can be asked for.
struct RingOnTorus {
    std::vector<int> lengths;  ///< as --topology torus:AxBxC takes them: the last one runs fastest
    engine::Bytes bytes = 0;   ///< of every message on the wire
};

/// CPU time, of the system too.
double secondsOf(const rusage& usage);

/// Runs it with fair sharing (SimGrid's CM02 model without factors and overheads, links of 1.25 GB/s without latency).
/// Nothing where SimGrid is not installed or does not do it. Throws Cancelled.
std::optional<PeerSpeed> runSimGrid(const RingOnTorus& ring, const engine::Progress& progress);

}  // namespace app
