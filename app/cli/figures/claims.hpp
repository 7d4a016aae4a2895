// SPDX-License-Identifier: BSD-3-Clause
// What the papers say can be gained, as runs that anybody can repeat.
#pragma once

#include "app/cli/figures/item.hpp"

#include <string_view>
#include <vector>

namespace app::cli {

/// A number by which a paper speaks of its success.
struct Claim {
    std::string_view paper;  ///< "hasanov2014"
    const figures::Item* item = nullptr;
    const figures::Number* number = nullptr;
};

/// In the order of the papers.
const std::vector<Claim>& claims();

}  // namespace app::cli
