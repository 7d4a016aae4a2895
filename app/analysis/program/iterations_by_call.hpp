// SPDX-License-Identifier: BSD-3-Clause
// Iterations told by calls that all ranks make equally often (iterations.hpp, 1 to 6), and what those told by other
// means have in common with them.
#pragma once

#include "app/analysis/program/iterations.hpp"
#include "app/analysis/program/iterations_by_collective.hpp"

#include <cstddef>
#include <vector>

namespace app::analysis {

/// By rank, then by iteration.
using SpansOfRanks = std::vector<std::vector<traces::TimeSpan>>;

/// Those of some ranks that recorded calls.
struct RecordedRanks {
    std::vector<engine::Rank> ranks;
    std::vector<std::size_t> locations;  ///< beside them, the rank's own
};
RecordedRanks recordedRanksOf(const traces::Recording& recording, const std::vector<engine::Rank>& ranks);

/// By the outermost paths that repeat plausibly; tells `found` the call, and what was computed before the first
/// iteration. Empty where nothing repeats. Throws Cancelled.
SpansOfRanks spansByCalls(const CallPaths& paths, const RecordedRanks& ranks, Iterations& found,
                          const engine::Progress& progress);

/// The spans of the turns of all ranks, without set-up before the first one, which it tells `found`.
SpansOfRanks spansOf(std::vector<Turns> all, Iterations& found);

/// Whether these may be iterations: they cover at least half of the time in which ranks communicate, and the longest
/// does not both take a quarter of it and last a hundred times the median.
bool isPlausible(const SpansOfRanks& spans, const traces::Recording& recording);

}  // namespace app::analysis
