// SPDX-License-Identifier: BSD-3-Clause
// The value in the middle.
#pragma once

#include "engine/base/error.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace engine {

/// One of `values`, which are not empty, with as many below it as above it; of an even number the lower one in the
/// middle. For what cannot be halved, as an execution that is to be shown.
template <class Value, class Less = std::less<>>
Value lowerMedian(std::vector<Value> values, const Less& less = {}) {
    ENSURE(!values.empty(), "a median of nothing");
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), less);
    return std::move(*middle);
}

/// The median of quantities, which are not empty: of an even number half way between the two in the middle.
template <class Value>
Value median(std::vector<Value> values) {
    ENSURE(!values.empty(), "a median of nothing");
    const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), upper, values.end());
    if (values.size() % 2 == 1) return *upper;
    const Value lower = *std::max_element(values.begin(), upper);
    return lower + (*upper - lower) / 2;
}

}  // namespace engine
