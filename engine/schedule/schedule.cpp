// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule/schedule.hpp"

#include <algorithm>

namespace engine {

void Turn::clear() {
    sends_.clear();
    receives_.clear();
    ranges_.clear();
}

void Batch::grow() {
    const std::size_t larger = std::max<std::size_t>(64, from_.size() * 2);
    from_.resize(larger);
    to_.resize(larger);
    bytes_.resize(larger);
}

std::int32_t stageOf(std::span<const Stage> stages, Round round) {
    const auto after = std::upper_bound(stages.begin(), stages.end(), round,
                                        [](Round r, const Stage& stage) { return r < stage.first; });
    if (after == stages.begin()) return -1;
    const auto stage = after - 1;
    return round < stage->first + stage->rounds ? static_cast<std::int32_t>(stage - stages.begin()) : -1;
}

}  // namespace engine
