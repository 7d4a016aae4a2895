// SPDX-License-Identifier: BSD-3-Clause
// A rank that waits for several things at once waits once.
//
// A call that completes several operations, collectives among them, waits for the last of them. Where these were kept
// by different ranks, it waits for each of them from when the one before came. A late receiver does not count if
// another operation of the same call ended at the same time or later: its message may have been sent long before.
#pragma once

#include "app/analysis/wait_states/wait_state.hpp"
#include "traces/recording/recording.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace app::analysis {

/// Whether waits of one rank can overlap: it posts collectives, or calls MPI in several threads.
bool mayOverlap(const traces::Recording& recording);

/// Cuts waits of the threads of one rank, or of all ranks, so that those of one thread do not overlap. A `Waiting` is a
/// Wait or what is kept of one.
template <class Waiting>
class OverlapCut {
public:
    explicit OverlapCut(std::size_t threads) : last_(threads) {}

    /// Of the thread at `place`, by their begins, then by their ends. What nothing is left of has a time of 0 or less.
    void add(std::size_t place, Waiting& wait) {
        Last& last = last_[place];
        if (last.wait == nullptr || last.wait->end() <= wait.begin) {
            last = {&wait, wait.begin};
            return;
        }
        const engine::Picoseconds begin = last.wait->begin, end = wait.end();
        const bool isOneCall = last.since == wait.begin;
        const bool endsLater = end > last.wait->end();
        const bool isSame = last.wait->late == wait.late && last.wait->lateThread == wait.lateThread;
        const bool isSend = wait.kind == WaitKind::lateReceiver;
        const bool replaces =
            isOneCall && end >= last.wait->end() && last.wait->kind == WaitKind::lateReceiver && !isSend;
        if (replaces || (endsLater && isSame)) {
            if (!isSend) *last.wait = wait;
            last.wait->begin = begin;
            last.wait->time = end - begin;
        } else if (endsLater) {
            last.since = wait.begin;
            wait.begin = last.wait->end();
            wait.time = end - wait.begin;
            last.wait = &wait;
            return;
        }
        wait.time = {};
    }

private:
    struct Last {
        Waiting* wait = nullptr;
        engine::Picoseconds since{};  ///< when its call started, before the wait was cut
    };
    std::vector<Last> last_;  ///< by thread
};

}  // namespace app::analysis
