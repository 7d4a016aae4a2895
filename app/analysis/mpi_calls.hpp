// SPDX-License-Identifier: BSD-3-Clause
// Which call of MPI a rank was in.
#pragma once

#include "traces/recording.hpp"

#include <optional>
#include <vector>

namespace app::analysis {

struct MpiCall {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};
    bool firstIsEnough = false;  ///< MPI_Waitany, MPI_Waitsome and their kin
    bool waits = false;          ///< MPI_Wait, MPI_Test and their kin

    friend bool operator==(const MpiCall&, const MpiCall&) = default;
};

/// Indices of the locations of each rank.
using LocationsOfRanks = std::vector<std::vector<std::size_t>>;
LocationsOfRanks locationsOfRanks(const traces::Recording& recording);

/// The calls of MPI of one rank, on all of its locations. One thread at a time may ask.
class MpiCalls {
public:
    MpiCalls(const traces::Recording& recording, const std::vector<std::size_t>& locationsOfRank);

    /// The innermost one that the rank was in at `time`: at the moment at which one ends and another begins, the one
    /// that ends. Of calls on several locations the one that began last. Nothing outside of MPI. Quick where the time
    /// lies near the one asked about before.
    [[nodiscard]] std::optional<MpiCall> at(engine::Picoseconds time) const;

    /// The one that was entered at `begin` and lasted until `end` or longer, the shortest of several; where none was
    /// entered then, as `at`.
    [[nodiscard]] std::optional<MpiCall> beginning(engine::Picoseconds begin, engine::Picoseconds end) const;

    /// The one that completed a request at `time`: as `at`, but where a call that posts ends and one that waits takes
    /// no time, that which waits.
    [[nodiscard]] std::optional<MpiCall> completing(engine::Picoseconds time) const;

private:
    struct OfLocation {
        std::vector<MpiCall> calls;    ///< in the order of entering
        mutable std::size_t near = 0;  ///< how many began before the time asked about last

        /// The first call that does not begin before `time`.
        [[nodiscard]] std::vector<MpiCall>::const_iterator notBefore(engine::Picoseconds time) const;
    };

    std::vector<OfLocation> locations_;
};

}  // namespace app::analysis
