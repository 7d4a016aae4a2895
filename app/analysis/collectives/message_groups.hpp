// SPDX-License-Identifier: BSD-3-Clause
// Messages that belong together where nothing but their order says so.
#pragma once

#include "app/analysis/schedule/message_pattern.hpp"
#include "app/analysis/selection/message_subset.hpp"
#include "traces/recording/recording.hpp"
#include "traces/storage/large_pages.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace app::analysis {

/// Messages on one communicator, between the same two of its collectives, in the same call of a function of the
/// program, and all blocking or all not. Where every rank sends the same messages again and again, so that each time is
/// an exchange of its own, each time is a stretch (isRepeatedOnPurpose).
struct Stretch {
    std::int32_t communicator = 0;
    std::span<std::uint32_t> messages;  ///< indices, rising; whoever has them may put them into another order
};

/// One list holds the indices of all of them, which is why it is moved, not copied.
struct Stretches {
    Stretches() = default;
    Stretches(const Stretches&) = delete;
    Stretches& operator=(const Stretches&) = delete;
    Stretches(Stretches&&) = default;
    Stretches& operator=(Stretches&&) = default;
    ~Stretches() = default;

    std::vector<Stretch> all;
    std::vector<std::uint32_t, traces::LargePageAllocator<std::uint32_t>> indices;  ///< of all, one behind the other
};

/// Whether messages that follow this pattern so often in succession are so many exchanges of a program instead of
/// rounds of one algorithm: shifts that no ring algorithm consists of, exchanges with the same partners, gathers to one
/// rank or scatters from one, and all to all.
bool isRepeatedOnPurpose(const MessagePattern& pattern, std::int64_t times);

/// Of these messages.
Stretches stretchesOf(const traces::Recording& recording, const ChosenMessages& messages);

}  // namespace app::analysis
