// SPDX-License-Identifier: BSD-3-Clause
// What made ranks wait: where in the program the ones that were late had spent the time.
//
// A wait goes to the delay that it follows from (delay_propagation.hpp), directly or passed on, through messages and
// collectives. What made a delay shows beside the rank that waited longest for it: since both were last in step, the
// late one spent more time than the other in some call paths, or outside of calls before some call, its own waits left
// out. They share the cost as they share that excess (Böhme et al. 2010, Scalasca's delay costs). Where that explains
// less than half of it, since both did as much of the same one after the other, the paths share it that the late one
// was in meanwhile; so they do for who held a lock. In step are two ranks when one has waited for the other, or both
// have left one collective. Threads of a rank that wait for each other are distinguished as ranks are; they are in step
// when they have left a barrier of theirs.
#pragma once

#include "app/analysis/calls/call_paths.hpp"
#include "app/analysis/wait_states/delay_trend.hpp"
#include "app/analysis/wait_states/wait_states.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace app::analysis {

/// One delay of a rank, however many ranks waited for it and however often: delays whose longest stretch of the call
/// path is the same one, such as the computation before one call.
struct LateOnce {
    engine::Picoseconds until{};  ///< the end of that stretch
    engine::Picoseconds later{};  ///< how late the path made the rank
    engine::Picoseconds begin{};  ///< when somebody began to wait

    friend bool operator==(const LateOnce&, const LateOnce&) = default;
};

/// Waits of one kind that one call path of one thread made.
struct Cause {
    WaitKind kind = WaitKind::lateSender;
    engine::Rank rank;               ///< who was late
    PathId path = outsideOfCalls;    ///< where it had spent the time
    PathId before = outsideOfCalls;  ///< of what is outside of calls: the call that came late for it
    engine::Picoseconds time{};      ///< of waits, in all
    std::vector<LateOnce> late{};    ///< delays that had at least a tenth of their time from it, by `until`, each once
    std::int64_t delays = 0;         ///< without those below a tenth of the longest unless they have a trend
    engine::Picoseconds typical{};   ///< median of how late these delays made the rank
    engine::Picoseconds longest{};   ///< the most of that
    engine::Picoseconds begin{};     ///< when somebody began to wait for that one
    TrendOf trend{};                 ///< of how late it made the rank
    ThreadNumber thread = 0;         ///< of `rank`
    bool isInferred = false;         ///< some of the waits are (Wait::isInferred)

    /// With the waits of another kind that the same path of the same thread made; a delay of both counts once.
    void add(const Cause& other);

    /// Whether the longest delay is much longer than most are: then these say nothing of what it made others wait.
    [[nodiscard]] bool varies() const { return delays > 1 && 2 * longest > 3 * typical; }
    friend bool operator==(const Cause&, const Cause&) = default;
};

/// The costliest first; their times add up to those of the waits, but for rounding. `paths` are those of the trace that
/// the waits are of. Throws Cancelled.
std::vector<Cause> causesOf(const TracedWaits& waits, const CallPaths& paths, const engine::Progress& progress = {});

/// When a rank was late, and how much of what it computed there made it so.
struct Lateness {
    traces::TimeSpan span{};
    double share = 0;  ///< of its computation in the cause's path within the span, 0..1

    friend bool operator==(const Lateness&, const Lateness&) = default;
};
/// The delays of one place, as a program is replayed without them.
struct DelaysOfRank {
    engine::Rank rank;
    PathId path = outsideOfCalls;      ///< in which the rank was late
    std::vector<Lateness> lateness{};  ///< by their begins, without overlaps

    /// How much of what a rank computed in a path between two times made it late.
    [[nodiscard]] engine::Picoseconds within(engine::Rank who, PathId where, engine::Picoseconds from,
                                             engine::Picoseconds to) const;
};
/// The delays of the rank, call path and thread of each of the causes, whatever wait they led to; with those that are
/// hidden by delays of other causes among these. Throws Cancelled.
std::vector<DelaysOfRank> delaysOf(std::span<const Cause> causes, const TracedWaits& waits, const CallPaths& paths,
                                   const engine::Progress& progress = {});

/// What ranks would wait for without the delays of one cause.
struct HiddenCauses {
    std::vector<Cause> causes{};  ///< `time`: how long the rank that waits longest would wait, summed over delays
    engine::Picoseconds longestWaits{};  ///< how long it waits for the delays of the cause itself
};
/// The causes that the delays of `cause` hide (hiddenDelays). Throws Cancelled.
HiddenCauses hiddenBehind(const Cause& cause, const TracedWaits& waits, const CallPaths& paths,
                          const engine::Progress& progress = {});

/// Without those that never made a rank later than `uncertainty`: clocks that far off would have shown as much.
std::vector<Cause> causesAboveUncertainty(std::vector<Cause> causes, engine::Picoseconds uncertainty);

/// Whether one path of one thread made both.
bool isSamePlace(const Cause& a, const Cause& b);

/// The waiting time that one path of one thread caused, over all kinds of waits.
struct RootCause {
    Cause cause{};                              ///< the costliest one; its time and delays are those of all
    std::vector<WaitKind> kinds{};              ///< of all
    std::optional<engine::Picoseconds> gain{};  ///< how much earlier the program would end without it; empty: not known
};
/// Causes put together by their places, the costliest first; gains are not known yet.
std::vector<RootCause> rootCauses(const std::vector<Cause>& causes);

/// "main/assemble", "before MPI_Allreduce".
std::string nameOf(const Cause& cause, const CallPaths& paths);
/// "MPI_Allreduce" of "before MPI_Allreduce"; nothing of other names.
std::optional<std::string_view> precedingCall(std::string_view nameOfCause);

}  // namespace app::analysis
