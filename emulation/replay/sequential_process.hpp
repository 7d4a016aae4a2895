// SPDX-License-Identifier: BSD-3-Clause
// Somebody who does one thing after the other in a replay.
#pragma once

#include "emulation/replay/in_flight_message.hpp"
#include "emulation/replay/program.hpp"

namespace emulation {

/// Which ends of messages a process looks at in a collective.
enum class Ends : std::uint8_t { both, sends, receives };

/// Something that a rank does one after the other: its program; a collective beside it; or, where the sends and the
/// receives of a collective go apart, one of both.
struct SequentialProcess {
    static constexpr std::int64_t none = -1;

    engine::Rank rank;
    engine::Picoseconds now{};
    std::int32_t parent = InFlightMessage::nobody;         ///< of all but programs
    std::int32_t children = 0;                             ///< that it waits for
    std::int32_t awaitsProcess = InFlightMessage::nobody;  ///< a collective beside it
    std::size_t at = 0;                                    ///< of a program
    engine::Picoseconds begin{};                           ///< when that began
    bool begun = false;                                    ///< what stands there
    bool done = false;
    std::size_t started = 0;       ///< collectives, of a program
    const Chain* chain = nullptr;  ///< what it goes through, unless that is the program of its rank
    // on a stream
    const OnStream* stream = nullptr;
    std::int64_t pending = none;                       ///< the collective that it has not entered
    std::int32_t successor = InFlightMessage::nobody;  ///< the process that waits for its end
    // in a collective
    std::int64_t collective = none;
    std::int32_t place = 0;
    engine::Round round{};
    engine::Round behind{};  ///< its last one
    Ends ends = Ends::both;
    bool works = false;       ///< keeps its processor, under LogGP
    bool posted = false;      ///< the messages of the round
    std::size_t awaited = 0;  ///< messages of the round, sends first
    bool met = false;         ///< without a schedule: all have entered; in lockstep: to the round
    bool waits = false;       ///< in lockstep: for others to come to the round
};

}  // namespace emulation
