// SPDX-License-Identifier: BSD-3-Clause
// What a location told besides its calls and messages, and the calls that it was in meanwhile.
#pragma once

#include "traces/recording/recording.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace app::analysis {

/// Goes through calls and notices of one location in the order in which they were recorded:
///   entered(call)         a call begins, by its index in `states`
///   take(notice, around)  a notice was recorded; `around`: indices of the calls that have not ended, the innermost
///   last
template <class Entered, class Take>
void eachNotice(const traces::States& states, std::span<const traces::Notice> notices, Entered entered, Take take) {
    std::vector<std::size_t> around;
    std::size_t call = 0;
    const auto callsBefore = [&](std::size_t behind) {
        for (; call < behind; ++call) {
            around.resize(std::min<std::size_t>(around.size(), states.depth[call]));
            around.push_back(call);
            entered(call);
        }
    };
    for (const traces::Notice& notice : notices) {
        callsBefore(notice.entered);
        while (!around.empty() && states.end[around.back()] < notice.time) around.pop_back();
        take(notice, std::span<const std::size_t>{around});
    }
    callsBefore(states.size());
}

/// For callers that need only calls with notices.
template <class Take>
void eachNotice(const traces::States& states, std::span<const traces::Notice> notices, Take take) {
    if (notices.empty()) return;
    eachNotice(
        states, notices, [](std::size_t) {}, take);
}

}  // namespace app::analysis
