// SPDX-License-Identifier: BSD-3-Clause
// Scans that leave a rank's own vector out, exclusive ones: a second partial result grows beside the running total.
#pragma once

#include "engine/problem/problem.hpp"
#include "engine/schedule/schedule.hpp"

namespace engine::algorithms {

/// What a rank keeps where everything that comes belongs to ranks before it: slot 0 is the running total, begun with
/// its own vector, and the result; exclusive, the result is slot 1, which begins empty and gets all that comes, too.
inline Facts runningTotal(const Problem& problem) {
    Facts facts{.ranks = problem.groupA};
    if (problem.exclusive) {
        facts.slots = 2;
        facts.result = 1;
    }
    return facts;
}

/// The slots that grow by what comes.
inline Slots growing(const Problem& problem) { return problem.exclusive ? 0b11 : 0b01; }

}  // namespace engine::algorithms
