// SPDX-License-Identifier: BSD-3-Clause
// How ranks spend a run: the one place where busy times, waits and stays in stages are added up, whatever produced the
// messages.
#pragma once

#include "engine/schedule/schedule.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace engine {

/// How a rank spent the run: busy + wait + idle = duration of the run.
struct RankTimes {
    Picoseconds busy{};             ///< at least one port moves a message, or the rank works by itself (LocalWork)
    Picoseconds noCommunication{};  ///< neither, before it had done its part: someone or something is late
    Picoseconds finishedEarly{};    ///< after its last message and work ended, while others go on

    friend bool operator==(const RankTimes&, const RankTimes&) = default;
};

/// What a rank does by itself in [begin, end), neither moving nor waiting: it combines what it received, or computes
/// between the halves of a split-phase call.
struct LocalWork {
    Rank rank;
    Picoseconds begin{};
    Picoseconds end{};

    friend auto operator<=>(const LocalWork&, const LocalWork&) = default;
};

/// Adds up when one rank is busy, in the order in which that begins.
class BusyTime {
public:
    BusyTime() = default;
    /// Busy for so long until now; what it did last ended at `last`.
    BusyTime(Picoseconds busy, Picoseconds last) : busy_{busy}, last_{last} {}

    /// Busy in [begin, end). What is behind that already, and nothing, change nothing.
    void add(Picoseconds begin, Picoseconds end) {
        busy_ += std::max(Picoseconds{}, end - std::max(begin, last_));
        last_ = std::max(last_, end);
    }
    /// Of a run that lasts for `duration`, as it is or longer.
    [[nodiscard]] RankTimes in(Picoseconds duration) const { return {busy_, last_ - busy_, duration - last_}; }

private:
    Picoseconds busy_{};
    Picoseconds last_{};  // end of what it did last
};

/// The time a rank spent in one stage, from the start of its first turn there to the end of its last.
struct StageSpan {
    Rank rank;
    std::int32_t stage = 0;  ///< index into Run::stages
    Picoseconds begin{};
    Picoseconds end{};

    friend bool operator==(const StageSpan&, const StageSpan&) = default;
};

/// Collects them; a rank's turns in the order of its rounds.
class StageSpans {
public:
    StageSpans() = default;
    StageSpans(std::vector<Stage> stages, std::int32_t ranks)
        : stages_{std::move(stages)}, open_(stages_.empty() ? 0 : static_cast<std::size_t>(ranks)) {}

    /// A turn in `round`.
    void turn(Rank rank, Round round, Picoseconds begin, Picoseconds end) {
        stay(rank, stageOf(stages_, round), begin, end);
    }
    /// A turn in a round of `stage`; -1: of none.
    void stay(Rank rank, std::int32_t stage, Picoseconds begin, Picoseconds end) {
        if (stage < 0) return;
        Stay& open = open_[rank.index()];
        if (open.stage != stage) {
            close(rank);
            open = {stage, begin, end};
            return;
        }
        open.begin = std::min(open.begin, begin);
        open.end = std::max(open.end, end);
    }
    /// By rank, then stage; nothing is left.
    [[nodiscard]] std::vector<StageSpan> finish();

private:
    struct Stay {
        std::int32_t stage = -1;
        Picoseconds begin{};
        Picoseconds end{};
    };

    void close(Rank rank);

    std::vector<Stage> stages_;
    std::vector<Stay> open_;  // per rank: its latest
    std::vector<StageSpan> spans_;
};

}  // namespace engine
