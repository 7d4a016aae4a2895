// SPDX-License-Identifier: BSD-3-Clause
// A schedule as one rank repeats it: its turns, and the receive slots in which its messages land. Made once, used by
// every call.
//
// Why two sets of slots are enough: a schedule is taken only if every rank hears, through any chain of messages, from
// every other before it is done. Then a rank that begins call k+1 has heard that all have begun call k, so all are done
// with call k-1, whose slots call k+1 writes to.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/live/threads/buffers.hpp"

#include <vector>

namespace engine::splitphase {

/// One round of one rank.
struct Step {
    Round round{};
    Turn turn{};
    std::int32_t firstSlot = 0;          ///< of the turn's receives; the others follow in their order
    std::vector<std::int32_t> remote{};  ///< for each send: its slot at its receiver
};

class Route {
public:
    Route(const Plan& plan, Rank rank);

    [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
    /// Who writes into each receive slot.
    [[nodiscard]] const std::vector<Rank>& writers() const { return writers_; }
    /// Messages that one call sends.
    [[nodiscard]] std::int64_t sends() const { return sends_; }
    /// Room that one receive needs.
    [[nodiscard]] Bytes slotBytes() const { return slotBytes_; }

private:
    std::vector<Step> steps_;
    std::vector<Rank> writers_;
    std::int64_t sends_ = 0;
    Bytes slotBytes_ = 0;
};

/// Throws Error, in a sentence, unless the plan is an allreduce or a barrier.
void requireHalves(const Plan& plan);

/// Throws Error, in a sentence, unless the plan is one that can run split-phase: two sets of slots must be
/// enough, and an operation whose operands keep their places needs a schedule that combines 0, 1, ..., P - 1 on every
/// rank.
void requireSplitPhase(const Plan& plan, Operands operands = Operands::mayChangePlaces);

}  // namespace engine::splitphase
