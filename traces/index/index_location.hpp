// SPDX-License-Identifier: BSD-3-Clause
// Room for what is made of a recording, beside it.
#pragma once

#include "traces/recording/recording.hpp"
#include "traces/storage/memory_budget.hpp"
#include "traces/storage/storage.hpp"

namespace traces {

/// Within the budget that the recording was read in, of which its columns have taken their part.
reading::Storage roomBeside(const Recording& recording, const MemoryBudget& memory);

}  // namespace traces
