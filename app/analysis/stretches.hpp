// SPDX-License-Identifier: BSD-3-Clause
// Messages that belong together where nothing but their order says so.
#pragma once

#include "app/analysis/chosen_messages.hpp"
#include "traces/recording.hpp"

#include <cstdint>
#include <vector>

namespace app::analysis {

/// Messages on one communicator, between the same two of its collectives, in the same call of a function of the
/// program, and all blocking or all not.
struct Stretch {
    std::int32_t communicator = 0;
    std::vector<std::uint32_t> messages;  ///< indices, rising
};

/// Of these messages.
std::vector<Stretch> stretchesOf(const traces::Recording& recording, const ChosenMessages& messages);

}  // namespace app::analysis
