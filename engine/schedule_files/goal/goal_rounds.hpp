// SPDX-License-Identifier: BSD-3-Clause
// The operations of a GOAL text in rounds. A message belongs to the first round in which both of its ends are ready,
// and whoever waits for one of its ends is ready in the next. Only where that would wait for ever, a receive that waits
// for a send of its own rank may go in one round with it: LogGOPSim's sends do not wait for their receivers.
#pragma once

#include "engine/schedule/counter_example.hpp"
#include "engine/schedule_files/goal/goal_file.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace engine::schedules::goal {

struct Delivery {
    Round round{};
    Rank from{};
    Rank to{};
    Bytes bytes = 0;
    std::int64_t line = 0;  ///< of the send
};

struct Course {
    std::vector<Delivery> deliveries{};  ///< by round, then by sender, in the order of the file
    CounterExample wrong{};              ///< why it ends there; no sentence: everything is done
    std::vector<std::string> remarks{};
};

/// Calls visit(first, end) for the deliveries of each round, as long as it says to go on.
template <class Visit>
void everyRound(const std::vector<Delivery>& all, Visit visit) {
    for (auto first = all.begin(); first != all.end();) {
        const auto end = std::find_if(first, all.end(), [&](const Delivery& one) { return one.round != first->round; });
        if (!visit(first, end)) return;
        first = end;
    }
}

constexpr std::size_t noPartner = static_cast<std::size_t>(-1);

/// The other end of the message of each operation, both counted through all ranks; noPartner where it has none. The
/// k-th send from a rank to another with a tag meets the k-th such receive. Throws Error, which begins with `file`,
/// where the ends of a message disagree about its size.
std::vector<std::size_t> partnersOf(const File& goal, std::string_view file);

/// Throws Error as partnersOf does.
Course courseOf(const File& goal, std::string_view file);

}  // namespace engine::schedules::goal
