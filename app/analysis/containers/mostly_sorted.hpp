// SPDX-License-Identifier: BSD-3-Clause
// What a trace recorded is nearly in the order of time already.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace app::analysis {

/// std::stable_sort for values that are mostly in order: takes time by how far they are out of it.
template <class T, class Less>
void sortMostlySorted(std::span<T> values, Less less) {
    std::size_t moves = 8 * values.size();
    for (std::size_t i = 1; i < values.size(); ++i) {
        if (!less(values[i], values[i - 1])) continue;
        T value = std::move(values[i]);
        std::size_t at = i;
        for (; at > 0 && moves > 0 && less(value, values[at - 1]); --at, --moves)
            values[at] = std::move(values[at - 1]);
        values[at] = std::move(value);
        if (moves == 0) return std::stable_sort(values.begin(), values.end(), less);
    }
}

}  // namespace app::analysis
