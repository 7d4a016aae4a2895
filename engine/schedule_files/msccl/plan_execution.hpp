// SPDX-License-Identifier: BSD-3-Clause
// What happens when the thread blocks of an execution plan of MSCCL++ do their operations, as messages.
//
// A put is a message in the round in which its thread block comes to it, and can be used a round later by whoever was
// signalled after it, or finds it as packets. Reading remote memory is a message to the reader, which goes on a round
// later. Operations within a GPU, signals, waits and barriers take no round.
#pragma once

#include "engine/schedule_files/msccl/execution.hpp"
#include "engine/schedule_files/msccl/execution_plan.hpp"

#include <string_view>

namespace engine::schedules::msccl {

/// Throws Error, which begins with `file`, where there is more than is followed.
Course courseOf(const Plan& plan, std::string_view file);

}  // namespace engine::schedules::msccl
