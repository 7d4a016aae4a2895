// SPDX-License-Identifier: BSD-3-Clause
// A replay as a recording: calls, messages and collectives of the program that was recorded, at the times they came to.
#pragma once

#include "app/analysis/replay/recorded_program.hpp"
#include "emulation/replay/replay.hpp"
#include "engine/run/executor.hpp"
#include "traces/recording/recording.hpp"

#include <map>
#include <vector>

namespace app::analysis {

/// Keeps when ranks did what, 8 bytes each.
class ReplayTimes : public emulation::ReplayObserver {
public:
    explicit ReplayTimes(std::size_t ranks) : ranks_(ranks) {}

    void message(const engine::MessageRecord&, std::int64_t) override {}
    void did(engine::Rank rank, std::size_t at, engine::Picoseconds begin, engine::Picoseconds end) override;
    void ran(engine::Rank rank, std::int64_t collective, engine::Picoseconds begin, engine::Picoseconds end) override;

    /// Of the `at`-th thing that the rank did; a rank does one after the other without a pause.
    [[nodiscard]] engine::Picoseconds begin(engine::Rank rank, std::size_t at) const;
    [[nodiscard]] engine::Picoseconds end(engine::Rank rank, std::size_t at) const {
        return ranks_[rank.index()].ends[at];
    }
    /// The rank's part in a collective on one of its streams.
    [[nodiscard]] traces::TimeSpan onStream(engine::Rank rank, std::int64_t collective) const;

private:
    struct OfRank {
        engine::Picoseconds start{};
        std::vector<engine::Picoseconds> ends;
        std::map<std::int64_t, traces::TimeSpan> onStreams;  ///< by collective
    };
    std::vector<OfRank> ranks_;
};

/// `recorded` at the times of a replay of `program`, which was made of it with `ownTime` and came to its end. Within
/// what a rank computed times move as `ownTime` says, elsewhere in proportion. Locations of no rank have no calls any
/// more. Throws Cancelled.
traces::Recording replayedRecording(const traces::Recording& recorded, const RecordedProgram& program,
                                    const ReplayTimes& times, const ComputationOf& ownTime = {},
                                    const engine::Progress& progress = {});

}  // namespace app::analysis
