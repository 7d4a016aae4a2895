// SPDX-License-Identifier: BSD-3-Clause
// Iterations of a program: those that the trace tells itself (marked_iterations.hpp), else found by what repeats.
//
// 1. A candidate is a call that every rank makes equally often, at least three times, from the same call path, over at
//    least half of the time in which ranks communicate.
// 2. Outermost paths are tried first. A path is rejected if its longest iteration would take a quarter of this time and
//    be a hundred times as long as the median.
// 3. Of several calls on one path those count that come most often while the calls between two of them are mostly the
//    same.
// 4. If the first of them is a region of the program, an iteration lasts from one such call to the next; otherwise it
//    ends with the last of them.
// 5. Without regions of the program, an iteration begins at the end of the MPI call before its first one, so that
//    iterations do not overlap on a rank. Computation before the first iteration that exceeds the computation before
//    the first call of the others is set-up, and in no iteration.
// 6. If some ranks begin the loop with other calls, an iteration ends on each rank with the last call that all make.
//
// Where ranks make no call equally often, or from other lines, iterations end with a collective of all of them
// (iterations_by_collective.hpp).
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/selection/partial_runs.hpp"
#include "app/analysis/wait_states/wait_state.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// How tables mark an iteration that is cut (Iteration::isCut), and what that means.
inline constexpr std::string_view cutMark = "(part)";
inline constexpr std::string_view cutRemark =
    "(part): the selected time contains only a part of the iteration on some ranks, of which all times in the row are";

/// One iteration, over all ranks.
struct Iteration {
    engine::Picoseconds begin{};  ///< of the first rank
    /// The longest of the ranks' own durations, each from where the rank itself began it to where it ended it. The last
    /// rank may end it later than begin + duration.
    engine::Picoseconds duration{};
    engine::Picoseconds whole{};            ///< the same without the selection of a time
    bool isCut = false;                     ///< on some ranks: all other times are of the part within the selected time
    bool isOutside = false;                 ///< of the selected time, on all ranks
    engine::Rank slowest = traces::noRank;  ///< the rank that computed longest
    engine::Picoseconds computation{};      ///< of that one
    engine::Picoseconds meanComputation{};  ///< over ranks
    engine::Picoseconds mean{};             ///< of the durations, over ranks
    engine::Picoseconds waiting{};          ///< of all threads of all ranks, within it
    bool odd = false;                       ///< not cut, and a fifth and six deviations away from the median, or more

    /// Of one that is odd and long: who took longer than in the others, waits left out, where, and by how much; nobody
    /// if that is less than a fifth of what the iteration took longer than the median.
    engine::Rank late = traces::noRank;
    PathId path = outsideOfCalls;
    engine::Picoseconds longer{};
    std::string name{};  ///< what the trace calls it; may be empty

    friend bool operator==(const Iteration&, const Iteration&) = default;
};

struct Iterations {
    PathId call = outsideOfCalls;  ///< that every iteration makes once; outsideOfCalls: nothing repeats
    bool endsWithIt = false;       ///< else it begins with that call
    /// Whose path that is, of a collective that ranks come to by different ones; noRank: of all.
    engine::Rank caller = traces::noRank;
    /// Where the trace tells them itself: by what ("the marker step"); then `call` says nothing.
    std::string toldBy;
    engine::Picoseconds median{};  ///< of their whole durations
    /// Computation of every rank before the first iteration that may belong to it: when the loop began is not known.
    engine::Picoseconds beforeFirst{};
    std::vector<Iteration> all;  ///< in their order
    /// Of their whole durations: "3 ms (median)".
    [[nodiscard]] std::string durationsInWords() const;
    std::vector<engine::Rank> ranks;  ///< those asked about that recorded calls
    /// Beside them, by iteration: from its start to its end there, within the selected time.
    std::vector<std::vector<traces::TimeSpan>> spans;
};

/// Of `ranks`, by their own locations, all of them; their times are those within the time of `part`. `waits`, of which
/// none lies outside of it, may be of other ranks too. Throws Cancelled.
Iterations iterationsOf(const CallPaths& paths, const std::vector<engine::Rank>& ranks, const std::vector<Wait>& waits,
                        const engine::Progress& progress = {}, const Part& part = {});

/// Of iterations in their order the one at `time`; nothing before, between and after them.
std::optional<std::size_t> iterationAt(const std::vector<Iteration>& iterations, engine::Picoseconds time);

}  // namespace app::analysis
