// SPDX-License-Identifier: BSD-3-Clause
// What the messages of a GOAL text carry: it says how many bytes, and not which.
#pragma once

#include "engine/schedule_files/goal/goal_rounds.hpp"
#include "engine/schedule_files/stored_schedule.hpp"

#include <string>

namespace engine::schedules::goal {

/// What is known of contents.
struct Filled {
    std::string why{};   ///< as a clause, why they do not follow from sizes; empty: they do
    bool forced = true;  ///< a message of this size could carry nothing else; otherwise, nothing else that is plain
};

/// Fills the messages and the facts of `stored`, whose problem is the file's, if what every message carries follows
/// from its size: all that its sender holds, or all of that which its receiver lacks, or needs; of reductions the whole
/// vector, and all that is combined so far. `stored` has no messages where it does not.
Filled fillBySize(Stored& stored, const Course& course);

/// Whether there are not too many ranks to follow what they hold.
bool canBeFollowed(const Stored& stored);

/// A message that carries nothing yet; its ranges will be the next ones of `stored`.
StoredMessage messageOf(const Delivery& one, const Stored& stored);

/// Makes every message a block of its own, which its sender has for its receiver: an all-to-all of `ranks`.
void fillAsBlocks(Stored& stored, const Course& course, std::int32_t ranks);

}  // namespace engine::schedules::goal
