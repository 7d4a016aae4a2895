// SPDX-License-Identifier: BSD-3-Clause
// What collectives of a training job cost, by kind: how late ranks enter, how long they take once all have entered, and
// at which bandwidth.
#pragma once

#include "traces/recording/recording.hpp"
#include "traces/recording/training.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace app::analysis {

/// Collectives of one operation on one process group, with the same bytes, element type and algorithm.
struct CollectiveCost {
    traces::Operation operation = traces::Operation::unknown;
    std::int32_t communicator = 0;
    std::int32_t ranks = 0;    ///< of the process group
    std::int32_t present = 0;  ///< of them: how many were recorded, at most
    engine::Bytes sent = 0;    ///< by a rank
    engine::Bytes received = 0;
    traces::Ran ran;
    std::int64_t calls = 0;
    engine::Picoseconds total{};  ///< of all calls and recorded ranks
    /// Median over calls: last entry - first entry; of calls of several ranks. Nothing where clocks may be further
    /// apart, as of `longestSkew`.
    std::optional<engine::Picoseconds> skew;
    std::optional<engine::Picoseconds> longestSkew;
    engine::Picoseconds latency{};  ///< median over calls: the shortest duration over ranks
    engine::Rank last =
        traces::noRank;  ///< that entered last most often; noRank: of one rank, or clocks do not show it
    std::int64_t lastTimes = 0;
    /// The largest uncertainty of the clocks of ranks that entered a call first and last.
    engine::Picoseconds uncertainty{};
    std::optional<traces::BusTraffic> traffic;

    /// Of the operation, as nccl-tests counts it; 0 where it was not recorded.
    [[nodiscard]] engine::Bytes size() const { return traffic ? traffic->size : std::max(sent, received); }
    /// Bytes per second, as nccl-tests defines them; nothing where sizes are unknown, or where one rank of several was
    /// recorded, which may have waited for the others.
    [[nodiscard]] std::optional<double> algorithmBandwidth() const;
    [[nodiscard]] std::optional<double> busBandwidth() const;
};

/// Bytes per second of a link that takes `beta`; nothing where none is given.
std::optional<double> limitOfLink(const std::optional<engine::Rate>& beta);

/// Of collectives that begin in `span`, those that take the most time first.
std::vector<CollectiveCost> collectiveCostsOf(const traces::Recording& recording, traces::TimeSpan span);

}  // namespace app::analysis
