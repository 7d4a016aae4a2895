// SPDX-License-Identifier: BSD-3-Clause
// What of a schedule can run at all: a message that only one of its ends knows would be waited for, for ever.
#pragma once

#include "engine/run/executor.hpp"
#include "engine/schedule/schedule.hpp"

namespace engine {

/// `schedule` itself where both ends agree about every message. Otherwise its rounds up to the first in which they do
/// not, of that one the messages that are agreed about; Facts::wrong says why it ends there. Throws Cancelled.
SchedulePtr asFarAsPaired(SchedulePtr schedule, const Progress& progress = {});

}  // namespace engine
