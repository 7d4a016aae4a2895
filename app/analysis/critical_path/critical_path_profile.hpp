// SPDX-License-Identifier: BSD-3-Clause
// What the critical path spends where in the program, beside what all ranks spend there: where a path takes more of it
// than of a rank in the mean, an even spread over ranks would make the program shorter (Böhme et al. 2012, Scalasca's
// critical-path imbalance).
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/critical_path/critical_path.hpp"
#include "app/analysis/wait_states/wait_state.hpp"

#include <compare>
#include <vector>

namespace app::analysis {

/// A call path; of time outside of all calls the call that follows it.
struct CallPlace {
    PathId path = outsideOfCalls;
    PathId before = outsideOfCalls;

    friend auto operator<=>(const CallPlace&, const CallPlace&) = default;
};
/// Its path where no location recorded what the rank did, as before the first event.
constexpr PathId notRecorded = ~PathId{0};
/// "main/assemble", "before MPI_Allreduce", "(not recorded)".
std::string nameOf(const CallPlace& place, const CallPaths& paths);

struct OnPath {
    CallPlace place{};
    engine::Picoseconds time{};  ///< that the critical path spends there
    engine::Rank rank;           ///< on whom most of it
    engine::Picoseconds mean{};  ///< what a rank spends there, or a thread where others than the ranks' own do, too;
                                 ///< waits left out

    /// What evenly spread work would take off the path.
    [[nodiscard]] engine::Picoseconds imbalance() const { return time > mean ? time - mean : engine::Picoseconds{}; }
    friend bool operator==(const OnPath&, const OnPath&) = default;
};

/// The longest first; their times add up to those of `steps`. `waits` are those in `within`. Throws Cancelled.
std::vector<OnPath> pathProfile(const std::vector<PathStep>& steps, const CallPaths& paths,
                                const std::vector<Wait>& waits, traces::TimeSpan within,
                                const engine::Progress& progress = {});

}  // namespace app::analysis
