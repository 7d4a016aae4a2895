// SPDX-License-Identifier: BSD-3-Clause
// What a rank or another location does, as far as pictures and sums tell things apart.
#pragma once

#include "traces/recording/recording.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace app::analysis {

/// Groups of functions, and what is none. `waiting` stands over the call that waits: only where a wait was found.
enum class Activity : std::uint8_t {
    none,  ///< nothing recorded, or a stream without work
    compute,
    pointToPoint,
    collective,
    otherMpi,  ///< set-up, communicators, windows
    inputOutput,
    threads,      ///< OpenMP, POSIX threads and similar
    accelerator,  ///< CUDA, HIP, OpenCL and similar
    waiting
};
inline constexpr std::size_t activities = 9;

/// "MPI collective"; "nothing" of none.
std::string_view name(Activity activity);

/// What calls of a region do: by its call of MPI, else by its paradigm, else by its name where that is one of the
/// calls by which POSIX and C read and write; all else computes.
Activity activityOf(const traces::Region& region);

/// Whether it is a call of MPI that is no input or output.
constexpr bool isMpi(Activity activity) {
    return activity == Activity::pointToPoint || activity == Activity::collective || activity == Activity::otherMpi;
}

/// Whether its calls are calls of MPI, those that read and write files included.
inline bool isMpiCall(const traces::Region& region) { return region.call != traces::Call::none; }
/// A function that was on the stack of calls of MPI: when it was entered and left otherwise is unknown.
inline bool isKnownByCalls(const traces::Region& region) { return !isMpiCall(region) && region.paradigm == "sampling"; }

}  // namespace app::analysis
