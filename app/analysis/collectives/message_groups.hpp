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
/// program, and all blocking or all not. Where every rank sends the same messages several times in succession, each
/// time is a stretch of its own if areSeparateExchanges().
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

/// Whether a pattern that is repeated so many times is as many exchanges of a program, and not the rounds of one
/// algorithm: shifts that are no ring algorithm, exchanges with the same partners, gathers to one rank, scatters from
/// one rank, and all-to-all exchanges.
bool areSeparateExchanges(const MessagePattern& pattern, std::int64_t times);

/// Of these messages.
Stretches stretchesOf(const traces::Recording& recording, const ChosenMessages& messages);

}  // namespace app::analysis
