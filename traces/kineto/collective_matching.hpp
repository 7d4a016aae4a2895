// SPDX-License-Identifier: BSD-3-Clause
// Which calls of ranks are one collective.
#pragma once

#include "engine/run/executor.hpp"
#include "traces/kineto/rank_trace.hpp"

#include <cstdint>
#include <vector>

namespace traces::kineto {

/// The calls of one rank in one process group, in their order.
struct CallsOfRank {
    std::int32_t rank = 0;
    std::vector<const CollectiveCall*> calls;
};

/// Numbers of instances, by rank as in `ranks` and by call: equal numbers are one collective; they rise with time.
/// Where sequence numbers were recorded these decide. Else the k-th calls of all ranks belong together; of a rank with
/// more or fewer calls, since its recording began earlier or ended later, its calls are shifted so that most of them
/// agree with those of the rank with the most calls in operation and bytes. Of several such shifts those count for
/// which the distances of the calls' ends vary least, and of these the one for which the distance is the least. Of long
/// recordings the first calls choose the shifts that are compared. Throws Cancelled.
std::vector<std::vector<std::int64_t>> matched(const std::vector<CallsOfRank>& ranks,
                                               const engine::Progress& progress = {});

}  // namespace traces::kineto
