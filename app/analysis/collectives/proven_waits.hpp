// SPDX-License-Identifier: BSD-3-Clause
// Waits for late ranks inside of a collective, as the messages that the library sent there prove them.
//
// A message depends on what its sender had received, or on whose receives its sends had waited for, when it was sent. A
// rank that idles until one comes, or until a receiver takes one, has waited for the rank at its other end, as long as
// that one was late: it had not entered, or waited itself for a late one. What the transfers take is no wait.
#pragma once

#include "engine/base/types.hpp"
#include "traces/recording/recorded_rank_times.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace app::analysis {

/// A rank waited for another one of its collective; both are identified by their places in it.
struct ProvenWait {
    std::size_t place = 0;
    std::size_t late = 0;  ///< at the other end of the message: who is late itself or was kept by a late one
    engine::Picoseconds begin{};
    engine::Picoseconds end{};

    friend bool operator==(const ProvenWait&, const ProvenWait&) = default;
};

/// By place, those of a place in the order of time, without overlaps. The ranks of `messages` are places. `entries`:
/// when each rank entered, by the same clock; nothing where that is unknown.
std::vector<ProvenWait> provenWaits(const traces::BusyEnds& messages,
                                    std::span<const std::optional<engine::Picoseconds>> entries);

}  // namespace app::analysis
