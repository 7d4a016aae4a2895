// SPDX-License-Identifier: BSD-3-Clause
// The record of a virtual run: what every rank and round did, added up while the clocks move; messages one by one only
// as far as the budget goes. Makes the same Run as engine::RunBuilder, without looking at any message twice.
#pragma once

#include "emulation/clocks/ring_shift_clock.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/proof/partials.hpp"
#include "engine/run/run.hpp"

#include <optional>
#include <span>
#include <vector>

namespace emulation {

/// What a rank's ports did in its latest round with messages. With one port this is exact; with several, `receiveBegin`
/// is of one of the receives.
struct Moment {
    engine::Picoseconds sendEnd{};
    engine::Picoseconds receiveBegin{};
    engine::Picoseconds receiveEnd{};
};

/// The contributions of `partial` as unit ranges in their order, consecutive rising ones merged: what a run keeps of a
/// message.
void asRanges(const engine::Partial& partial, std::vector<engine::Range>& out);

class RunRecorder {
public:
    static constexpr bool keeps = true;
    static bool wants() { return true; }

    /// How busy time is counted. By turn: every message begins as early as the plain rules say, which is faster where
    /// there is one port.
    enum class Counting : std::uint8_t { byTurn, byMessage };

    /// Keeps at most `budget` messages of the plan's run.
    RunRecorder(const engine::Plan& plan, std::int64_t budget, Counting counting);

    void open(engine::Round round, const engine::Batch& batch);
    void message(const engine::MessageRecord& record) {
        inRound_->add(record);
        if (byMessage_) noteBusy(record);
        if (left_ > 0) keep(record);
    }
    /// What a rank combines at the end of the round; pieces that follow each other are one.
    void combined(const engine::LocalWork& combining) {
        if (combining.begin == combining.end) return;
        const bool goesOn = !combinedNow_.empty() && combinedNow_.back().rank == combining.rank;
        if (goesOn) combinedNow_.back().end = combining.end;
        else combinedNow_.push_back(combining);
    }
    /// `begin`, `end`: each rank's turn; `moments`: its ports.
    void close(engine::Round round, std::span<const engine::Picoseconds> begin,
               std::span<const engine::Picoseconds> end, std::span<const Moment> moments);

    /// Whether the budget is not spent yet.
    [[nodiscard]] bool keepsMore() const { return left_ > 0; }

    [[nodiscard]] engine::Run finish(engine::Picoseconds duration);
    /// The messages kept so far, with the sums of the whole run from elsewhere.
    [[nodiscard]] engine::Run finish(const engine::RingShift& ringShift, RingShiftTimes times);

private:
    struct Busy {
        engine::Rank rank;
        engine::Picoseconds begin{};
        engine::Picoseconds end{};
    };

    void noteBusy(const engine::MessageRecord& record);
    void keep(const engine::MessageRecord& record);
    void countBusyByTurn(std::span<const engine::Picoseconds> begin, std::span<const Moment> moments);
    void countBusyByMessage();
    void countCombined();
    void markStage(engine::Round round, const engine::Batch& batch, std::span<const engine::Picoseconds> begin,
                   std::span<const engine::Picoseconds> end);

    const engine::Schedule& schedule_;
    engine::Run run_;
    engine::RoundTimes* inRound_ = nullptr;
    std::int64_t left_;  // messages that may still be kept
    bool keepsRound_ = false;
    bool byMessage_;
    std::vector<engine::BusyTime> busy_;          // per rank
    std::vector<Busy> busyNow_;                   // by message: the round's busy intervals
    std::vector<Busy> byRank_;                    // room to sort them
    std::vector<engine::LocalWork> combinedNow_;  // in the open round
    const engine::Batch* batch_ = nullptr;        // of the open round
    engine::StageSpans spans_;
    // While messages are kept:
    std::vector<engine::Turn> turns_;           // of the open round
    std::optional<engine::Partials> partials_;  // reductions that never cut the vector
    std::vector<engine::Range> terms_;
    std::int32_t sender_ = -1;
    std::size_t place_ = 0;
};

}  // namespace emulation
