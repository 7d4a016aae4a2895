// SPDX-License-Identifier: BSD-3-Clause
// The value in the middle.
#pragma once

#include "engine/error.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace engine {

/// One of `values`, which are not empty, with as many below it as above it; of an even number the lower one in the
/// middle.
template <class Value, class Less = std::less<>>
Value median(std::vector<Value> values, const Less& less = {}) {
    ENSURE(!values.empty(), "a median of nothing");
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end(), less);
    return std::move(*middle);
}

}  // namespace engine
