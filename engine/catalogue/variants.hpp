// SPDX-License-Identifier: BSD-3-Clause
// The schedules an algorithm can be turned into by its options, as far as they differ for one problem: what a trace is
// compared with, and what might have been faster.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <span>

namespace engine {

/// Which values options with a free number are tried with.
struct Trial {
    std::vector<Bytes> blocks{};          ///< for options that are a size in bytes
    std::vector<std::int64_t> numbers{};  ///< for options that are a whole number, where they are within its range
    std::size_t most = 64;                ///< plans per algorithm; at most five times as many variants are tried
    Surroundings around{};                ///< for what is left to the algorithm
};

/// The plans of `algorithm` for `problem`: first as it is, then with each option changed, then with two. Choices marked
/// as broken, options of text, and whatever the algorithm refuses are left out. Plans are made, not proved.
std::vector<Plan> variants(const Algorithm& algorithm, const Problem& problem, const Trial& trial);

/// 1, 2, 4, ... up to `most`.
std::vector<std::int64_t> doublings(std::int64_t most);

}  // namespace engine
