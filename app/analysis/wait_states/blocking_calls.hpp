// SPDX-License-Identifier: BSD-3-Clause
// Calls in which a rank could do nothing else, and who let it go on: where Scalasca's rules look for waits.
//
// A blocking send or receive is such a call. A message that was posted before counts in the call that completed it
// (MPI_Wait and variants), whenever it was posted: what lies between is the rank's computation. A call that completes
// several messages waits once, for the last of them; MPI_Waitany and MPI_Waitsome wait for the first. A receive right
// behind MPI_Probe or MPI_Mprobe begins with these, if its message was sent before they were over.
#pragma once

#include "app/analysis/collectives/collective_instances.hpp"
#include "app/analysis/wait_states/wait_state.hpp"
#include "engine/run/executor.hpp"

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace app::analysis {

/// One such call.
struct BlockingCall {
    engine::Rank rank;
    ThreadNumber thread = 0;      ///< of it
    engine::Picoseconds begin{};  ///< it was entered
    engine::Picoseconds end{};    ///< what it waited for was there
    WaitKind kind = WaitKind::lateSender;
    ThreadNumber lateThread = 0;          ///< of `late`
    engine::Rank late;                    ///< whom it needed last
    engine::Picoseconds came{};           ///< when that one came; not after `begin`: it waited for nobody
    std::uint32_t message = Wait::none;   ///< the one it needed last; of all else none
    std::uint32_t instance = Wait::none;  ///< the collective; of all else none
    bool isProven = false;                ///< in a collective: by the messages inside

    /// From when on nobody kept it any more.
    [[nodiscard]] engine::Picoseconds until() const { return std::clamp(came, begin, std::max(begin, end)); }
    [[nodiscard]] bool waited() const { return until() > begin; }

    friend bool operator==(const BlockingCall&, const BlockingCall&) = default;
};

/// Is given the calls of one rank after the other, each time in the order of their begins.
using TakeCalls = std::function<void(std::span<const BlockingCall> ofRank)>;

/// In the messages of the selection. `message` is an index into Recording::messages. Throws Cancelled.
void eachBlockingCall(const traces::Recording& recording, const Selection& selection, const TakeCalls& take,
                      const engine::Progress& progress = {});

/// Is given some calls of a rank after the other, in the order of their begins; there are at most `most` of that rank.
using TakeCallsOfRank = std::function<void(engine::Rank rank, std::size_t most, std::span<const BlockingCall> some)>;

/// The same, but for several ranks at once: `take` is given them in no order of ranks, and nothing may be shared
/// between its calls for two of them.
void eachBlockingCallInParallel(const traces::Recording& recording, const Selection& selection,
                                const TakeCallsOfRank& take, const engine::Progress& progress = {});

/// In one collective, rank by rank; `number` stands for it.
std::vector<BlockingCall> blockingCalls(const Instance& collective, std::uint32_t number);

/// All of a recording, piece by piece: those in the messages of the selection and those in `instances`.
void eachBlockingCall(const traces::Recording& recording, const Selection& selection,
                      const std::vector<Instance>& instances, const TakeCalls& take,
                      const engine::Progress& progress = {});

/// In a run whose times are those of calls: every end of a message is a call of its own, but ends of a rank that begin
/// together are one. `message` is an index into Run::messages.
void eachBlockingCall(const engine::Run& run, const TakeCalls& take, const engine::Progress& progress = {});

}  // namespace app::analysis
