// SPDX-License-Identifier: BSD-3-Clause
// The schedules an algorithm can be turned into by its options, as far as they differ for one problem: what a trace is
// compared with, and what might have been faster.
#pragma once

#include "engine/algorithm/algorithm.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Which values options with a free number are tried with.
struct Trial {
    std::vector<Bytes> blocks{};          ///< for options that are a size in bytes
    std::vector<std::int64_t> numbers{};  ///< for options that are a whole number, where they are within its range
    std::size_t most = 64;                ///< plans per algorithm; at most five times as many variants are tried
    Surroundings around{};                ///< for what is left to the algorithm
};

/// Hands over the plans of `algorithm` for `problem`, until it returns false: first as it is, then with each option
/// changed, then with two. Choices marked as broken, options of text, and whatever the algorithm refuses are left out.
/// Plans are made, not proved.
void eachVariant(const Algorithm& algorithm, const Problem& problem, const Trial& trial,
                 const std::function<bool(Plan&&)>& take);
/// All of them.
std::vector<Plan> variants(const Algorithm& algorithm, const Problem& problem, const Trial& trial);

/// makePlan(); nothing where the algorithm objects to the problem, which takes less time than an Error. Throws Error
/// for other mistakes.
std::optional<Plan> planUnlessRefused(const Algorithm& algorithm, const Problem& problem,
                                      const std::map<std::string, std::string>& options,
                                      const Surroundings& around = {});

/// 1, 2, 4, ... up to `most`.
std::vector<std::int64_t> doublings(std::int64_t most);

}  // namespace engine
