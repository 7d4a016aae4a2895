// SPDX-License-Identifier: BSD-3-Clause
// Which ends found each other, as tests write it down.
#pragma once

#include "traces/reading/matching/message_matching.hpp"

#include <cstdint>
#include <vector>

namespace traces::samples {

using Plain = std::vector<std::vector<std::uint32_t>>;

inline Plain plain(const reading::Partners& partners) {
    Plain all;
    for (const auto& its : partners.ofSend) all.emplace_back(its.begin(), its.end());
    return all;
}

}  // namespace traces::samples
