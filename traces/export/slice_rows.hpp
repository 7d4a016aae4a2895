// SPDX-License-Identifier: BSD-3-Clause
// As many rows as are needed for spans that must not overlap in one.
#pragma once

#include "engine/base/types.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace traces {

class Lanes {
public:
    /// The row of a span, from 0: one that is free at `begin`. Spans come in the order of their begins.
    int take(engine::Picoseconds begin, engine::Picoseconds end) {
        int lane = count_;
        if (!free_.empty() && free_.top().first <= begin) {
            lane = free_.top().second;
            free_.pop();
        } else {
            ++count_;
        }
        free_.emplace(std::max(begin, end), lane);
        return lane;
    }
    [[nodiscard]] int count() const { return count_; }

private:
    using Free = std::pair<engine::Picoseconds, int>;  ///< when which one is
    std::priority_queue<Free, std::vector<Free>, std::greater<>> free_;
    int count_ = 0;
};

}  // namespace traces
