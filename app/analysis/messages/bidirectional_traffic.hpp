// SPDX-License-Identifier: BSD-3-Clause
// Messages that meet one going the other way.
#pragma once

#include "engine/run/executor.hpp"
#include "engine/schedule/schedule.hpp"

#include <cstdint>

namespace app::analysis {

/// Messages whose receiver sends one to their sender in the same round: where ways there and back are one, they share
/// links. 0 where no two ranks exchange anything in any round. Throws Cancelled.
std::int64_t opposedMessages(const engine::Schedule& schedule, const engine::Progress& progress = {});

}  // namespace app::analysis
