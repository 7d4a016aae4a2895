// SPDX-License-Identifier: BSD-3-Clause
// The record of a run with fair sharing. Messages end in the order of time, not of rounds, and those of one rank may
// overlap; so they are added up as they come, and the first ones, as far as the budget goes, are put in order at the
// end.
#pragma once

#include "emulation/networks/congestion.hpp"
#include "engine/algorithm/algorithm.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <vector>

namespace emulation {

/// A message that has ended.
struct Moved {
    engine::MessageRecord record;
    std::int32_t ordinal = 0;  ///< among the messages from its sender to its receiver in this round
};

class FairRecorder {
public:
    /// Walks all rounds once: loads of links, and how many rounds the budget reaches.
    FairRecorder(const engine::Plan& plan, const Network& network, std::int64_t budget,
                 const engine::Progress& progress);

    /// A port of `rank` begins, or ends, to move a message; or its processor to combine.
    void portBegins(Rank rank, engine::Picoseconds now);
    void portEnds(Rank rank, engine::Picoseconds now);
    void moved(const Moved& message);
    /// What a rank did when its messages of `round` were in; its processor counts apart.
    void combined(const engine::LocalWork& combining, engine::Round round);
    /// A turn in which `rank` sent or received.
    void turn(const engine::TurnRecord& turn) { spans_.turn(turn.rank, turn.round, turn.begin, turn.end); }

    [[nodiscard]] Congestion congestion() { return std::move(congestion_); }
    [[nodiscard]] engine::Run finish(engine::Picoseconds duration);

private:
    struct Busy {
        engine::Picoseconds since{};
        std::int32_t ports = 0;  ///< at work
        engine::BusyTime time{};
        engine::Picoseconds left{};  ///< when its latest message left it; a detached one keeps no port busy
    };

    void walk(const Network& network, const engine::Progress& progress);
    void putInOrder(engine::Run& run);

    const engine::Plan& plan_;
    std::int64_t budget_;
    engine::Round keptBefore_{0};  ///< messages of earlier rounds may be kept
    Congestion congestion_;
    engine::Run run_;
    std::vector<Busy> busy_;
    engine::StageSpans spans_;
    std::vector<Moved> kept_;
};

}  // namespace emulation
