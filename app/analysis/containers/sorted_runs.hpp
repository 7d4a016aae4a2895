// SPDX-License-Identifier: BSD-3-Clause
// Large values that lie in a few sorted runs one behind the other, as ranks leave them, put in order without a second
// copy of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace app::analysis {

/// Stable: merges neighbouring runs of `order` until there is one. Each half of a merge has about as many values as the
/// other, as far as runs can be parted so: beside a few long runs many short ones cost next to nothing.
template <class Less>
void mergeRuns(std::vector<std::uint32_t>& order, Less less) {
    std::vector<std::size_t> begins{0};  // of the runs, and the end of the last one
    for (std::size_t i = 1; i < order.size(); ++i)
        if (less(order[i], order[i - 1])) begins.push_back(i);
    begins.push_back(order.size());
    const auto merge = [&](const auto& self, std::size_t first, std::size_t last) -> void {
        if (last - first < 2) return;
        const std::size_t half = begins[first] + (begins[last] - begins[first]) / 2;
        auto middle =
            static_cast<std::size_t>(std::upper_bound(begins.begin() + static_cast<std::ptrdiff_t>(first) + 1,
                                                      begins.begin() + static_cast<std::ptrdiff_t>(last) - 1, half) -
                                     begins.begin());
        if (middle > first + 1 && begins[middle] - half > half - begins[middle - 1]) --middle;
        self(self, first, middle);
        self(self, middle, last);
        const auto at = [&](std::size_t run) { return order.begin() + static_cast<std::ptrdiff_t>(begins[run]); };
        std::inplace_merge(at(first), at(middle), at(last), less);
    };
    merge(merge, 0, begins.size() - 1);
}

/// std::stable_sort of values that lie in sorted runs; holds 8 bytes a value more, however large they are.
template <class T, class Less>
void sortRuns(std::vector<T>& values, Less less) {
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    mergeRuns(order, [&](std::uint32_t a, std::uint32_t b) { return less(values[a], values[b]); });
    // Place after place takes its value; what stood there goes where the circle leads next.
    for (std::uint32_t first = 0; first < order.size(); ++first) {
        if (order[first] == first) continue;
        T value = std::move(values[first]);
        std::uint32_t at = first;
        while (order[at] != first) {
            values[at] = std::move(values[order[at]]);
            at = std::exchange(order[at], at);
        }
        values[at] = std::move(value);
        order[at] = at;
    }
}

}  // namespace app::analysis
