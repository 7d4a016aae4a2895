// SPDX-License-Identifier: BSD-3-Clause
// Programs in virtual time. Integer picoseconds; the answer depends on nothing but its arguments.
//
// Under alpha and beta messages move by Hockney's rule (clocks/hockney.hpp) through ports (clocks/rank_ports.hpp): a
// send takes the out-port that is free first, in the order of posting; a message takes an in-port of its receiver when
// it has left and the receiver has posted, in the order in which sends begin. A message above the eager limit is a
// rendezvous: it takes both ports at once, when both ends are posted. Messages move by themselves, whatever their ranks
// do meanwhile.
//
// In a collective a rank does what its schedule says, round by round (engine/schedule/schedule.hpp), from when it
// enters: a run of its own that began like that would take as long, to the picosecond. One thing differs: messages of
// different collectives, or rounds, share no links. What messages of one round, or of one number in
// PointToPoint::together, load on links is shared as in virtual_clock.hpp.
//
// Under LogGP a rank has one processor, which computes, sends and receives (log_gp_transport.hpp). A send is done when
// its processor has worked for it; a rendezvous that was posted lets its rank go on, and is sent when its receive is
// posted and the processor is free. In a collective a rank's sends of a round come first, then what it receives, in the
// order in which that came; so it is in a run of its own, to the picosecond, unless messages arrive in no time (L = o =
// 0). Collectives beside what a rank does need its processor, too: they go on when it neither computes nor
// communicates.
//
// With InPorts::byByte bytes queue in front of a receiver's ports in the order in which they come, as behind a switch,
// whoever is waited for: while a message leaves its sender its bytes come at the speed of one port, and it is there
// when all bytes that came before its last one, or with it, have gone through the ports (in_queue.hpp). A rendezvous
// takes an out-port when both of its ends are posted, behind what is sent at that moment without.
#pragma once

#include "emulation/conditions.hpp"
#include "emulation/networks/network.hpp"
#include "emulation/replay/program.hpp"
#include "engine/run/executor.hpp"
#include "engine/run/run.hpp"

#include <vector>

namespace emulation {

/// How a rank spent the replay, summed over its chains. What it waited for a message until the other end was posted is
/// waiting, the rest of that is moving; time in collectives is not parted here: whoever knows what they are does. Under
/// LogGP it is what it waited until the message began to be sent, its own ones included; what it computes later, since
/// its processor is at a message, is moving.
struct TimeSpent {
    engine::Picoseconds computing{};
    engine::Picoseconds waiting{};
    engine::Picoseconds moving{};
    engine::Picoseconds inCollectives{};
    engine::Picoseconds waitingInCollectives{};  ///< of these; 0 where nobody said
    /// In calls of MPI whose dependencies are unknown; in a program these are among what it `computes`, and whoever
    /// knows parts the two.
    engine::Picoseconds inMpi{};
    engine::Picoseconds end{};  ///< when it had done all

    friend bool operator==(const TimeSpent&, const TimeSpent&) = default;
};

/// From when the first member enters to when the last one leaves: what does not block, the call that completes it.
struct Lasting {
    engine::Picoseconds begin{};
    engine::Picoseconds end{};

    friend bool operator==(const Lasting&, const Lasting&) = default;
};

/// A rank that waits forever.
struct Stuck {
    Rank rank;
    std::size_t at = 0;       ///< among what it does
    std::int64_t chain = -1;  ///< that does it; -1: none

    friend bool operator==(const Stuck&, const Stuck&) = default;
};

struct Replayed {
    engine::Picoseconds duration{};  ///< until the last rank has done all
    engine::ById<Rank, TimeSpent> ranks;
    std::vector<Lasting> collectives;  ///< by their number; of one that not all have left, until then
    std::int64_t messages = 0;         ///< those of collectives included
    engine::Bytes bytes = 0;
    std::vector<Stuck> stuck;  ///< by rank; empty: all came to their ends
};

/// Receives the events, as soon as they are known.
class ReplayObserver {
public:
    virtual ~ReplayObserver() = default;
    /// A message with both of its ends; `collective` is -1 outside of collectives.
    virtual void message(const engine::MessageRecord& message, std::int64_t collective) = 0;
    /// The rank did the `at`-th thing of its program from `begin` to `end`.
    virtual void did(Rank rank, std::size_t at, engine::Picoseconds begin, engine::Picoseconds end) = 0;
    /// The chain did the `at`-th thing of its program; computing begins when its processor is free.
    virtual void didInChain(std::size_t chain, std::size_t at, engine::Picoseconds begin, engine::Picoseconds end) {
        (void)chain, (void)at, (void)begin, (void)end;
    }
    /// The rank's part in a collective on one of its streams.
    virtual void ran(Rank rank, std::int64_t collective, engine::Picoseconds begin, engine::Picoseconds end) {
        (void)rank, (void)collective, (void)begin, (void)end;
    }
};

/// How messages that come to a rank at one time take its ports.
enum class InPorts : std::uint8_t {
    byMessage,  ///< one message after the other, each when it is waited for
    byByte,     ///< byte by byte as they come, waited for or not
};

/// Throws Error for conditions that this clock does not know, and when time runs out; Cancelled. `observer` may be
/// null.
Replayed replay(const Program& program, const Network& network, const Conditions& conditions,
                const engine::Progress& progress = {}, ReplayObserver* observer = nullptr,
                InPorts inPorts = InPorts::byMessage);

}  // namespace emulation
