// SPDX-License-Identifier: BSD-3-Clause
// How large the contributions of irregular problems are: the distributions that traff2010 measures with, corrected,
// and kang2019's arithmetic sequence.
#pragma once

#include "engine/problem/block_layout.hpp"

#include <span>
#include <string_view>

namespace engine {

/// A rule that gives every rank a size, from the number of ranks p and the base size c.
struct Distribution {
    std::string_view name;     ///< as --sizes takes it
    std::string_view meaning;  ///< one clause with the letters c and p
    /// Sizes in rank order; `ranks` >= 1, `base` >= 0, ranks x base <= 2^62.
    Layout (*sizes)(std::int32_t ranks, Bytes base);
};

/// Every distribution, the regular one first.
std::span<const Distribution> distributions();

/// The distribution called `name`; throws Error with the nearest name.
const Distribution& distributionNamed(std::string_view name);

}  // namespace engine
