// SPDX-License-Identifier: BSD-3-Clause
// Where in the program: the call paths of a recording, and which of them a location was in when.
//
// A call path is a region called within others: main/solve/MPI_Allreduce. Paths of all locations are one tree. What
// accelerators did has a tree of its own, since their time passes beside that of their ranks.
//
// Functions that are known by the stacks of calls of MPI alone have paths, but no exclusive time: what passes between
// those calls is outside of calls.
//
// A path's exclusive time is what passes while it is the innermost; with that of the paths below it is its time.
// Exclusive times of a location add up to what passed from its first event to its last.
#pragma once

#include "app/analysis/calls/mpi_call_timeline.hpp"
#include "engine/run/executor.hpp"
#include "traces/index/index_location.hpp"
#include "traces/recording/recording.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace app::analysis {

/// One call path by its number.
using PathId = std::uint32_t;
constexpr PathId outsideOfCalls = 0;
/// Its name.
inline constexpr std::string_view wordsOutside = "(outside of calls)";

class CallPaths {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    struct Node {
        std::int32_t region = traces::noIndex;  ///< index into Recording::regions; none of a root
        PathId parent = outsideOfCalls;         ///< smaller than its own number; of roots 0

        friend bool operator==(const Node&, const Node&) = default;
    };

    /// `recording` must outlive it. 8 bytes a call, within `memory` beside the recording's columns. Throws Cancelled,
    /// and Error when the folder cannot take what is beyond.
    explicit CallPaths(const traces::Recording& recording, const engine::Progress& progress = {},
                       const traces::MemoryBudget& memory = {});

    [[nodiscard]] const traces::Recording& recording() const { return recording_; }
    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const Node& operator[](PathId path) const { return nodes_[path]; }
    /// What accelerators did lies below this one; outsideOfCalls when they did nothing.
    [[nodiscard]] PathId accelerators() const { return accelerators_; }
    /// Whether it is one of accelerators, or their root.
    [[nodiscard]] bool ofAccelerators(PathId path) const;
    /// "main/solve/MPI_Allreduce".
    [[nodiscard]] std::string name(PathId path) const;
    /// Whether any region is the program's own: without one, paths say no more than calls of MPI do.
    [[nodiscard]] bool hasProgram() const { return hasProgram_; }
    /// Whether it is a function that is known by calls of MPI alone.
    [[nodiscard]] bool isKnownByCalls(PathId path) const { return knownByCalls_[path]; }
    [[nodiscard]] bool hasKnownByCalls() const {
        return std::find(knownByCalls_.begin(), knownByCalls_.end(), true) != knownByCalls_.end();
    }

    /// Path of the call `state` of a location.
    [[nodiscard]] PathId of(std::size_t location, std::size_t state) const { return calls_[location].path[state]; }
    /// The call that it lies in; none for an outermost one.
    [[nodiscard]] std::uint32_t parentOf(std::size_t location, std::size_t state) const {
        return calls_[location].parent[state];
    }

    /// Locations of a rank that are not accelerators.
    [[nodiscard]] std::span<const std::size_t> threadsOf(engine::Rank rank) const { return threads_[rank.index()]; }

    /// Hands stretches of time in [begin, end), of which a location was in one path each, to `take(path, from, to)`, in
    /// their order and without holes. Between its first event and its last. Quick where `hint` is a call near `begin`.
    template <class Take>
    void eachStretch(std::size_t location, engine::Picoseconds begin, engine::Picoseconds end, Take take,
                     std::uint32_t hint = 0) const {
        const traces::States& states = recording_.states[location];
        const Calls& calls = calls_[location];
        engine::Picoseconds now = std::max(begin, recording_.locations[location].first);
        end = std::min(end, recording_.locations[location].last);
        std::uint32_t call = lastBegun(states, now, hint);
        std::size_t next = call == none ? 0 : call + 1;
        while (now < end) {
            const engine::Picoseconds until = next < states.size() ? std::min(states.begin[next], end) : end;
            while (now < until && call != none) {
                const engine::Picoseconds to = std::clamp(states.end[call], now, until);
                if (to > now) take(knownByCalls_[calls.path[call]] ? calls.root : calls.path[call], now, to);
                now = to;
                if (states.end[call] <= now) call = calls.parent[call];
            }
            if (now < until) take(calls.root, now, until);
            now = std::max(now, until);
            if (next < states.size() && states.begin[next] <= now) call = static_cast<std::uint32_t>(next++);
        }
    }

    /// The first call that begins behind `time` and is more than a function known by calls of MPI alone: where the
    /// location is outside of calls, the next one. None behind the last; quick where `hint` is a call near `time`.
    [[nodiscard]] std::uint32_t nextCall(std::size_t location, engine::Picoseconds time, std::uint32_t hint = 0) const;
    /// When a location leaves the path in which it is at `time`, for another one or by entering the next call in it;
    /// outside of calls, when the next one begins. Its last event where nothing follows.
    [[nodiscard]] engine::Picoseconds endOfStretch(std::size_t location, engine::Picoseconds time) const;

private:
    struct Calls {
        traces::reading::Values<PathId> path;           ///< by state
        traces::reading::Values<std::uint32_t> parent;  ///< by state: the call around it
        PathId root = outsideOfCalls;
    };
    /// A tree of one location, then of all.
    class Tree;

    friend class PathOfRank;

    /// The last call that begins at or before `time`; quick where it lies near the call `hint`.
    static std::uint32_t lastBegun(const traces::States& states, engine::Picoseconds time, std::uint32_t hint);
    [[nodiscard]] std::uint32_t innermost(std::size_t location, std::uint32_t begun, engine::Picoseconds since) const;

    const traces::Recording& recording_;
    std::vector<Node> nodes_;
    std::vector<Calls> calls_;  ///< by location
    LocationsOfRanks threads_;
    PathId accelerators_ = outsideOfCalls;
    bool hasProgram_ = false;
    std::vector<bool> knownByCalls_;  ///< by path
};

/// Which path a rank was in: in a call of MPI on whichever of its threads, else on its own one. Quick where times asked
/// about lie near each other. `paths` must outlive it.
class PathOfRank {
public:
    PathOfRank(const CallPaths& paths, engine::Rank rank);
    /// Of one of its locations alone, in whatever call that is; outside of all where it is traces::noIndex.
    PathOfRank(const CallPaths& paths, engine::Rank rank, std::int32_t location);

    /// Where one call ends and another begins, in the one that begins.
    [[nodiscard]] PathId after(engine::Picoseconds time);
    /// Likewise, in the one that ends.
    [[nodiscard]] PathId before(engine::Picoseconds time);

private:
    PathId at(engine::Picoseconds begun, engine::Picoseconds since);

    const CallPaths& paths_;
    std::span<const std::size_t> threads_;
    bool alone_ = false;                ///< it is about one location
    std::vector<std::uint32_t> hints_;  ///< by thread
};

/// The name of a call path without the source line of its call, which an edit of the program moves:
/// "main/MPI_Send (main, halo.c)".
std::string nameWithoutLine(const std::string& path);

/// The same without the source file, or the object where lines are unknown: "main/MPI_Send (main)".
std::string nameWithoutFile(const std::string& path);

/// The call paths of another version of a program by those of this one, `before`: where paths differ in nothing but
/// lines, and there are as many of them, the k-th line is the same call; else the lines are equal. What is left then is
/// matched likewise without the names of files, which may have changed.
std::map<std::string, std::string> samePaths(const std::set<std::string>& before, const std::set<std::string>& after);

}  // namespace app::analysis
