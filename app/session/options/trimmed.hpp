// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace app {

/// Without blanks, tabs and carriage returns at either end. It points into `words`.
inline std::string_view trimmed(std::string_view words) {
    const auto first = words.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return words.substr(first, words.find_last_not_of(" \t\r") - first + 1);
}

}  // namespace app
