// SPDX-License-Identifier: BSD-3-Clause
// What repeats between the collectives of a program whose ranks make different calls.
//
// A collective is the same for all ranks, whatever line each of them calls it from. Kinds are distinguished by
// communicator, operation, root and bytes, or, where that finds nothing, without the bytes. Looked for is the kind that
// comes most often, three times or more, over at least half of the time in which ranks communicate, while the
// collectives between two of it are the same over six tenths of that time.
#pragma once

#include "app/analysis/calls/call_paths.hpp"

#include <vector>

namespace app::analysis {

/// The turns of one rank.
struct Turns {
    std::vector<traces::TimeSpan> spans;
    /// From the start of each to its first call; empty where turns begin with a region of the program.
    std::vector<engine::Picoseconds> beforeCalls;

    void add(traces::TimeSpan span, engine::Picoseconds firstCall) {
        spans.push_back(span);
        beforeCalls.push_back(firstCall - span.begin);
    }
};

/// By rank, in the order of `ranks`: from when it left one collective of that kind until it left the next; the first
/// from when it left the call before it. Empty where no kind repeats. Collectives that do not block are not looked at.
std::vector<Turns> collectiveTurns(const traces::Recording& recording, const std::vector<engine::Rank>& ranks);

}  // namespace app::analysis
