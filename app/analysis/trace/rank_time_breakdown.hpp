// SPDX-License-Identifier: BSD-3-Clause
// How ranks spent a run. The time before a rank has entered is separate: waiting time starts after it.
#pragma once

#include "engine/run/run.hpp"
#include "traces/recording/recording.hpp"

#include <span>
#include <string>
#include <vector>

namespace app::analysis {

/// absent + busy + wait + idle = duration of the run.
struct RankTimeBreakdown {
    engine::Picoseconds notYetEntered{};  ///< before the rank came to the collective, and no message came either
    engine::Picoseconds busy{};  ///< at least one port moves a message, or it works by itself (engine::LocalWork)
    engine::Picoseconds noCommunication{};  ///< it is there and does neither, before it is done
    engine::Picoseconds finishedEarly{};    ///< after that, while others go on

    RankTimeBreakdown& operator+=(const RankTimeBreakdown& other);
    friend bool operator==(const RankTimeBreakdown&, const RankTimeBreakdown&) = default;
};

/// By rank.
std::vector<RankTimeBreakdown> rankTimeBreakdownsOf(const engine::Run& run);

/// Within a part of the run, of what the ranks did there.
std::vector<RankTimeBreakdown> rankTimeBreakdownsOf(const engine::Run& run, std::span<const engine::RankTimes> ranks,
                                                    traces::TimeSpan within);

/// Summed over ranks.
RankTimeBreakdown totalRankTimeBreakdown(const engine::Run& run);

/// Whether a rank without communication waits for another rank. In a live run it may also have no processor, or execute
/// code of the library, and over MPI it waits within messages: only wait_states.hpp has its waiting time.
inline bool idleMeansWaiting(const engine::Run& run) {
    return run.setting.on != "trace" && run.setting.on != "threads" && run.setting.on != "mpi";
}

/// The idle time of the ranks of a run, as shares of the total rank time: "11.4% waiting, 10% finished early".
std::string idleInParts(const engine::Run& run);

}  // namespace app::analysis
