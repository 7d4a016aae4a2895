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

/// Stable: merges neighbouring runs of `order` until there is one, which takes log2(runs) passes.
template <class Less>
void mergeRuns(std::vector<std::uint32_t>& order, Less less) {
    std::vector<std::size_t> ends;  // of the runs
    for (std::size_t i = 1; i < order.size(); ++i)
        if (less(order[i], order[i - 1])) ends.push_back(i);
    if (ends.empty()) return;
    ends.push_back(order.size());
    std::vector<std::uint32_t> merged(order.size());
    while (ends.size() > 1) {
        std::size_t begin = 0;
        std::size_t kept = 0;
        for (std::size_t run = 0; run < ends.size(); run += 2) {
            const std::size_t middle = ends[run];
            const std::size_t end = run + 1 < ends.size() ? ends[run + 1] : middle;
            const auto at = [&](std::size_t place) { return order.begin() + static_cast<std::ptrdiff_t>(place); };
            std::merge(at(begin), at(middle), at(middle), at(end), merged.begin() + static_cast<std::ptrdiff_t>(begin),
                       less);
            begin = end;
            ends[kept++] = end;
        }
        ends.resize(kept);
        order.swap(merged);
    }
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
