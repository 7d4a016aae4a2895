// SPDX-License-Identifier: BSD-3-Clause
// The Run that a recording holds: exactly the one that was written, where Collscope wrote the archive; else its
// point-to-point messages, all in one round, with remarks that say what was not recorded.
#pragma once

#include "engine/run/executor.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>

namespace traces {

/// Whether the run says of each rank how long it was busy.
enum class BusyRanks : std::uint8_t { told, leftOut };

/// Keeps at most `budget` messages of another tool's recording, the earliest ones, and counts the rest; a run of ours
/// is always whole. Throws Error when an archive of ours contradicts itself.
engine::Run runOf(const Recording& recording, const engine::Progress& progress = {},
                  std::int64_t budget = engine::RunBuilder::defaultBudget, BusyRanks busy = BusyRanks::told);

/// The same for archives that Collscope wrote; `runOf` calls it.
engine::Run ownRunOf(const Recording& recording);

/// Whether Collscope wrote the archive.
bool isOwn(const Recording& recording);

}  // namespace traces
