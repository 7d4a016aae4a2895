// SPDX-License-Identifier: BSD-3-Clause
// A rank that waits for several things at once waits once.
//
// A call that completes several operations, collectives among them, waits for the last of them. Where these were kept
// by different ranks, it waits for each of them from when the one before came. A send that ends together with
// something else has not kept the call: its message may have left long before.
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
        Waiting*& last = last_[place];
        if (last == nullptr || last->end() <= wait.begin) {
            last = &wait;
            return;
        }
        const bool isOneCall = last->begin == wait.begin;
        const bool endsLater = wait.end() > last->end();
        const bool isSame = last->late == wait.late && last->lateThread == wait.lateThread;
        if (isOneCall && wait.end() >= last->end() && last->kind == WaitKind::lateReceiver &&
            wait.kind != WaitKind::lateReceiver)
            *last = wait;
        else if (endsLater && !isSame) {
            wait.time = wait.end() - last->end();
            wait.begin = last->end();
            last = &wait;
            return;
        } else if (endsLater) {
            const engine::Picoseconds begin = last->begin, end = wait.end();
            if (wait.kind != WaitKind::lateReceiver) *last = wait;
            last->begin = begin;
            last->time = end - begin;
        }
        wait.time = {};
    }

private:
    std::vector<Waiting*> last_;  ///< by thread
};

}  // namespace app::analysis
