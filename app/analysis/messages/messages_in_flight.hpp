// SPDX-License-Identifier: BSD-3-Clause
// How many messages are in flight at one moment.
#pragma once

#include "engine/run/run.hpp"

namespace app::analysis {

/// The most at one time, from when a message begins to be sent until it is received; one that ends when another begins
/// is not beside it. 0 without messages. Sorts all times.
std::int64_t mostUnderWay(const engine::Messages& messages);

}  // namespace app::analysis
