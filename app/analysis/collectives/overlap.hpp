// SPDX-License-Identifier: BSD-3-Clause
// How much of a nonblocking collective goes on while its ranks compute.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace app::analysis {

/// One nonblocking collective. Times are means over its ranks.
struct Overlap {
    std::size_t instance = 0;
    engine::Picoseconds started{};    ///< in the call that starts it, from when the last rank had entered
    engine::Picoseconds between{};    ///< from the end of that call to the start of the one that completes it
    engine::Picoseconds completed{};  ///< in the call that completes it, likewise
    engine::Picoseconds inCalls{};    ///< in these two calls, all of it
    /// Of this for late ranks (waitedIn). What a rank waits for one that makes no progress is exposed as well.
    engine::Picoseconds waiting{};
    /// What a call of the same operation, bytes and number of ranks takes in MPI where nothing is done meanwhile: the
    /// median of blocking ones and of those that are completed at once. Nothing where there are none.
    std::optional<engine::Picoseconds> alone{};

    [[nodiscard]] engine::Picoseconds exposed() const { return started + completed; }
    /// What of `alone` was not exposed. No more can be hidden than there is time between.
    [[nodiscard]] engine::Picoseconds hidden() const {
        return std::clamp(alone.value_or(exposed()) - exposed(), engine::Picoseconds{}, between);
    }
    /// The share of `alone` that is hidden behind what the ranks do between, 0..1; nothing where `alone` is not known,
    /// or nothing is done between.
    [[nodiscard]] std::optional<double> share() const;
    /// Completed at once: the time between is at most a tenth of that in MPI.
    [[nodiscard]] bool isAlone() const { return between * 10 <= exposed(); }
};

/// Those among the instances, in their order, of which the calls that start and complete them are known at all ranks.
std::vector<Overlap> overlapsOf(const traces::Recording& recording, std::span<const Instance> instances);

/// Sums over the calls whose share is known.
struct OverlapSum {
    std::int64_t calls = 0;
    engine::Picoseconds alone{};
    /// Alone less what was exposed, at least 0 and at most the time between: noise of single calls cancels out.
    engine::Picoseconds hidden{};
};
OverlapSum sumOf(const std::vector<Overlap>& overlaps);

/// Of some calls: " 10 calls did not block: ..."; empty where there are none.
std::string overlapInWords(const std::vector<Overlap>& overlaps);

}  // namespace app::analysis
