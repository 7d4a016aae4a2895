// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/rank_times.hpp"

#include <tuple>

namespace engine {

void StageSpans::close(Rank rank) {
    Stay& open = open_[rank.index()];
    if (open.stage >= 0) spans_.push_back({rank, open.stage, open.begin, open.end});
    open = {};
}

std::vector<StageSpan> StageSpans::finish() {
    for (std::size_t r = 0; r < open_.size(); ++r) close(Rank{static_cast<std::int32_t>(r)});
    std::sort(spans_.begin(), spans_.end(), [](const StageSpan& a, const StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    return std::move(spans_);
}

}  // namespace engine
