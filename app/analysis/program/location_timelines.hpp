// SPDX-License-Identifier: BSD-3-Clause
// What every location of a trace did when, prepared for pictures: its calls by how deep they are nested, and what it
// did in the innermost of them, with waits where they were found.
//
// On a location that speaks for its rank, what is outside of all calls is the rank's computation: it computes. On other
// threads and on streams that time is unknown: nothing.
#pragma once

#include "app/analysis/calls/activity_timeline.hpp"
#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/wait_states/wait_state.hpp"
#include "engine/run/executor.hpp"

#include <vector>

namespace app::analysis {

/// A collective among its ranks, as one line.
struct CollectiveMark {
    engine::Picoseconds begin{};  ///< the first rank came
    engine::Picoseconds end{};    ///< the last one left
    std::uint32_t instance = 0;   ///< index into Recording::collectives.instances

    friend bool operator==(const CollectiveMark&, const CollectiveMark&) = default;
};

class LocationTimelines {
public:
    /// Calls nested deeper have no lane of their own.
    static constexpr std::size_t deepest = 24;

    struct Track {
        /// By depth; the id is the index of the call among the location's states. What is outside of all calls lies
        /// beside the outermost, with noId.
        std::vector<Lane> calls;
        /// The id of a wait is its index among the waits, of all else that of the innermost call; noId outside of all.
        Lane activity;
    };

    /// 13 bytes for a call and for what is between two. `waits` are of the recording; what a rank waited stands on the
    /// location that speaks for it, what another thread waited on its own. Throws Cancelled.
    LocationTimelines(const traces::Recording& recording, const std::vector<Wait>& waits,
                      const engine::Progress& progress = {});

    [[nodiscard]] const Track& of(std::size_t location) const { return tracks_[location]; }
    /// Location that speaks for a rank; traces::noIndex where there is none.
    [[nodiscard]] std::int32_t ownOf(engine::Rank rank) const { return own_[rank.index()]; }
    /// The other locations of a rank that did something, in their order.
    [[nodiscard]] const std::vector<std::size_t>& othersOf(engine::Rank rank) const { return others_[rank.index()]; }
    /// The time that sums are about: without start-up and MPI_Finalize where these were recorded, else all.
    [[nodiscard]] traces::TimeSpan summed() const { return summed_; }
    [[nodiscard]] bool isWithoutStartUp() const { return isWithoutStartUp_; }
    /// What a rank's own location did in this time.
    [[nodiscard]] const TimeByActivity& spentBy(engine::Rank rank) const { return spent_[rank.index()]; }
    /// Those that move data among two ranks or more, by their ends.
    [[nodiscard]] const std::vector<CollectiveMark>& collectives() const { return collectives_; }
    /// The activities that any location has, waiting included.
    [[nodiscard]] const std::array<bool, activities>& present() const { return present_; }

private:
    std::vector<Track> tracks_;
    std::vector<std::int32_t> own_;
    std::vector<std::vector<std::size_t>> others_;
    bool isWithoutStartUp_ = false;
    traces::TimeSpan summed_;
    std::vector<TimeByActivity> spent_;
    std::vector<CollectiveMark> collectives_;
    std::array<bool, activities> present_{};
};

}  // namespace app::analysis
