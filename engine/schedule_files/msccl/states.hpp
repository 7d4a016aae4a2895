// SPDX-License-Identifier: BSD-3-Clause
// Where each thread block stands, and why it does not go on.
#pragma once

#include "engine/base/text.hpp"
#include "engine/schedule/counter_example.hpp"
#include "engine/schedule_files/msccl/execution.hpp"
#include "engine/schedule_files/msccl/memory.hpp"

#include <deque>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace engine::schedules::msccl {

/// The first thing that is wrong ends everything. Where it is has no round: it is after all that could be done.
struct Wrong {
    CounterExample what;
};

template <class... Words>
[[noreturn]] void stopAt(const engine::Place& place, const Words&... words) {
    throw Wrong{{text(words...), place}};
}

/// A message in flight.
struct Parcel {
    std::int64_t ready = 0;
    std::vector<Carried> chunks{};
    Clock clock{};
    Doer sender{};
};

struct Queue {
    std::deque<Parcel> parcels{};
    std::int32_t waiting = -1;  ///< the thread block that wants the next one
    std::int32_t sender = -1;   ///< the thread block that fills it
    std::int32_t receiver = -1;
};

struct State {
    std::int32_t gpu = 0;
    const ThreadBlock* block = nullptr;
    std::size_t next = 0;
    std::int64_t time = 0;  ///< the round from which on it may do its next step
    std::int64_t lastSend = -1;
    bool sendsOn = false;            ///< the receiving half of its step is done
    std::vector<Carried> passing{};  ///< what it then sends
    Clock clock{};
    std::vector<std::int64_t> done{};                             ///< when each step was
    std::vector<std::pair<std::size_t, std::int32_t>> waiting{};  ///< thread blocks, for a step of this one
    Queue* out = nullptr;
    Queue* in = nullptr;
};

/// The step whose end tells of `step`'s, of the same thread block: the first one from it on that tells of itself; -1:
/// none.
std::int64_t telling(const ThreadBlock& block, std::int64_t step);

/// "gpu 2, thread block 0, step 3 waits for ...": the reason why it is blocked, or why the one is that it waits for; in
/// a deadlock with all that wait for each other. `states`: of all thread blocks; `firstBlock`: by GPU.
CounterExample whyStanding(const State& first, std::span<const State> states, std::span<const std::int32_t> firstBlock);

}  // namespace engine::schedules::msccl
