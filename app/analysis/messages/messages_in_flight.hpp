// SPDX-License-Identifier: BSD-3-Clause
// When messages are in flight, and how many at one moment.
#pragma once

#include "app/analysis/selection/partial_runs.hpp"
#include "engine/run/run.hpp"

#include <algorithm>

namespace app::analysis {

/// From when on the sender of a message sends it. In a trace the times of a message are those of calls: a call that
/// waits for its receiver sends from when the receiver is there.
inline engine::Picoseconds sendsFrom(const engine::Run& run, std::size_t message) {
    const engine::Messages& m = run.messages;
    const engine::Picoseconds sends = m.sendBegin()[message], receives = m.receiveBegin()[message];
    const bool waits = timesAreCalls(run) && sends < receives && receives < m.sendEnd()[message];
    return waits ? receives : sends;
}
/// From when on its receiver receives it: in a trace not before its sender has entered its call.
inline engine::Picoseconds receivesFrom(const engine::Run& run, std::size_t message) {
    const engine::Messages& m = run.messages;
    const engine::Picoseconds sends = m.sendBegin()[message], receives = m.receiveBegin()[message];
    return timesAreCalls(run) ? std::min(std::max(sends, receives), std::max(receives, m.receiveEnd()[message]))
                              : receives;
}

/// The most at one time, from when a message begins to be sent until it is received; one that ends when another begins
/// is not beside it. 0 without messages. Sorts all times.
std::int64_t mostUnderWay(const engine::Messages& messages);

}  // namespace app::analysis
