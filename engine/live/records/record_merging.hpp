// SPDX-License-Identifier: BSD-3-Clause
// From what the processes of a live run left (round_records.hpp) to one Run, and to the times that were measured.
#pragma once

#include "engine/live/records/round_records.hpp"
#include "engine/run/executor.hpp"

#include <optional>
#include <span>

namespace engine::live {

/// How long one execution took, on the clock of process 0.
struct Sample {
    std::int32_t repeat = 0;
    Picoseconds slowest{};  ///< the longest time that one rank was in it
    Picoseconds span{};     ///< from the first rank's begin to the last rank's end

    friend bool operator==(const Sample&, const Sample&) = default;
};

/// All executions of `entry` that every one of its ranks finished, in their order.
std::vector<Sample> samplesOf(std::span<const Record> records, std::int32_t entry);

/// The middle one by `time`, the lower of two; `times` must not be empty.
const Sample& medianBy(Picoseconds Sample::*time, const std::vector<Sample>& samples);

/// What one entry did in execution `repeat`. A receive begins when both ends are there: the time a receiver waits for a
/// late sender is not a busy port's. `plan` is null for a method without a schedule, of which only begin and end are
/// known; `stage` then names it. Where a process ended early, what was recorded until then comes back, with remarks
/// that say who ended when, and `correct` is false.
Execution joined(std::span<const Record> records, std::int32_t entry, std::int32_t repeat, const Plan* plan,
                 const std::string& stage);

/// The execution that a job was in when its first process ended without being asked to, or else when its processes were
/// stopped; below 0 while they warmed up. Nothing when all came to their end.
std::optional<std::pair<std::int32_t, std::int32_t>> brokenOff(std::span<const Record> records);

}  // namespace engine::live
