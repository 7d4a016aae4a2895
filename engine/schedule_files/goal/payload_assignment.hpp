// SPDX-License-Identifier: BSD-3-Clause
// What messages carry where their sizes leave a choice, as of segments and of parts of a vector: one choice that may
// solve the problem. Whether it does, a proof says.
//
// What goes first is what would not come in time otherwise, since no later message leads there; then what the fewest
// ranks hold, or of reductions what brings most vectors together; then what lies first on the line.
#pragma once

#include "engine/schedule_files/goal/payload_contents.hpp"

#include <cstdint>
#include <string>

namespace engine::schedules::goal {

/// What is preferred among what would come in time later, too.
enum class Preference : std::uint8_t {
    spread,   ///< what the fewest ranks hold; of reductions what brings most vectors together
    arrival,  ///< what its receiver needs itself; then the same
};

/// Fills `stored`, whose problem is the file's, with messages that carry bytes of the line. Returns as a clause why it
/// cannot; empty: it did, which proves nothing.
std::string chooseBytes(Stored& stored, const Course& course, Preference preference);

/// The same for reductions, whose messages carry parts of the vector.
std::string chooseParts(Stored& stored, const Course& course, Preference preference);

/// Steps that a choice takes at most, and bits of what each rank has and can reach; beyond that it is not made.
inline constexpr std::int64_t mostChoiceSteps = std::int64_t{1} << 27;
inline constexpr std::int64_t mostChoiceBits = std::int64_t{1} << 32;

}  // namespace engine::schedules::goal
