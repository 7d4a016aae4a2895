// SPDX-License-Identifier: BSD-3-Clause
// Ranks that keep the others of a training job waiting, and what they do meanwhile.
#pragma once

#include "traces/recording/recording.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace app::analysis {

/// What a straggler does for longer than the others.
enum class Excess : std::uint8_t {
    none,     ///< nothing that was recorded
    kernels,  ///< its streams, in kernels of an operation
    host      ///< its threads, in a function or a call of the runtime, while its streams are idle
};

/// A rank that enters collectives late.
struct Straggler {
    engine::Rank rank;
    std::int64_t steps = 0;          ///< in which it is the latest, by more than clocks are uncertain
    std::int64_t ofSteps = 0;        ///< of how many
    engine::Picoseconds lateness{};  ///< per such step: in the collective that it enters latest, behind the median rank
    engine::Picoseconds waiting{};   ///< that it causes: of the other ranks, in all collectives
    traces::Operation operation = traces::Operation::unknown;  ///< that it enters late most often
    std::int32_t communicator = 0;
    Excess excess = Excess::none;
    std::string longer;        ///< where: "aten::mm"; of none empty
    engine::Picoseconds by{};  ///< per step, more than the median of the other ranks

    friend bool operator==(const Straggler&, const Straggler&) = default;
};

struct Stragglers {
    std::vector<Straggler> all;
    /// How long ranks may have waited for one that clocks do not show to be late.
    engine::Picoseconds unseen{};
};

/// Lateness counts where it is more than a twentieth of the shortest duration of the collective, 20 us, and the
/// uncertainty of the clocks of its ranks. Only of collectives in which every rank needs every other one. Of
/// stragglers of several steps each, that which makes the others wait longest comes first.
Stragglers stragglersOf(const traces::Recording& recording, traces::TimeSpan span);

}  // namespace app::analysis
