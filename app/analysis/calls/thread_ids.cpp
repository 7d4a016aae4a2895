// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/calls/thread_ids.hpp"

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "engine/base/text.hpp"

#include <limits>

namespace app::analysis {

using engine::Rank;

Threads::Threads(std::int32_t ranks) : ranks_{ranks} {}

Threads::Threads(const traces::Recording& recording)
    : ranks_{recording.ranks}, recorded_{traces::recordedRanks(recording)} {
    const LocationsOfRanks locations = locationsOfRanks(recording);
    locations_.resize(locations.size(), traces::noIndex);
    first_.resize(locations.size());
    for (Rank rank{0}; rank.value < ranks_; ++rank) {
        first_[rank.index()] = static_cast<std::int32_t>(others_.size());
        ThreadNumber last = 0;
        for (const std::size_t i : locations[rank.index()]) {
            const traces::Location& location = recording.locations[i];
            if (location.speaksForRank) {
                locations_[rank.index()] = static_cast<std::int32_t>(i);
                continue;
            }
            const bool told =
                !recording.states[i].begin.empty() || (!recording.notices.empty() && !recording.notices[i].empty());
            if (location.kind != traces::LocationKind::thread || !told ||
                last == std::numeric_limits<ThreadNumber>::max() - 1)
                continue;
            others_.emplace_back(rank, ++last);
            locations_.push_back(static_cast<std::int32_t>(i));
        }
    }
}

ThreadNumber Threads::countOf(Rank rank) const {
    if (first_.empty()) return 1;
    const auto next = engine::asSize(rank.value + 1);
    const std::int32_t behind = next < first_.size() ? first_[next] : static_cast<std::int32_t>(others_.size());
    return static_cast<ThreadNumber>(behind - first_[rank.index()] + 1);
}

std::string nameOf(const traces::Recording& recording, const Threads& threads, Rank rank, ThreadNumber thread) {
    if (thread == 0) return {};
    const std::int32_t location = threads.locationOf(rank, thread);
    std::string name =
        location == traces::noIndex ? std::string{} : recording.locations[engine::asSize(location)].about();
    // The sentence or the row names the rank.
    if (const std::string ofRank = engine::text("rank ", rank, ", "); name.starts_with(ofRank))
        name.erase(0, ofRank.size());
    return name.empty() ? engine::text("thread ", thread) : name;
}

}  // namespace app::analysis
