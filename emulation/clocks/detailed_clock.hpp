// SPDX-License-Identifier: BSD-3-Clause
// A round of virtual time in every detail: the slow, general rule behind the fast ones.
//
// Hockney. A message from s to r takes c = (startup + time of its bytes) x the larger factor of the two ranks. It keeps
// s's out-port busy for c from s's start of the round, and r's in-port for c from the later of the two starts. A
// message above the eager limit is a rendezvous: both ports are busy for c from the later of the two starts.
// With Conditions::ports a rank has so many ports each way. A message takes the one that is free first, and begins when
// it is: at the sender in the order of its turn, at the receiver in the order in which the sends begin. Rendezvous take
// both ports at once, the first ones of all turns before the second ones.
//
// LogGP. Each rank has one processor and one port each way, whatever the schedule's ports. In a round
//   a send     works o + O m' from when the processor and the out-port are free (a rendezvous: and the receiver has
//              begun the round); it keeps the out-port for g + G m' from then on. Sends follow each other in their
//              order.
//   a message  arrives o + L after its send began; then it keeps the in-port for g + G m', and is there after G m' of
//              it. Messages of a round take the in-port in the order of their arrival, after those of earlier rounds.
//   a receive  works o + O m' once the message is there and the processor is free; a rank's sends come first.
// A slow rank's o, O, g take its factor; G takes the larger of the two; L takes none.
// A start is that of s's sends and of r's receives, where a rank's strands have not joined; LogGP's one processor keeps
// to the order of the rounds.
// Ports may still be busy when a rank goes on to its next round: then the next message waits for them.
#pragma once

#include "emulation/clocks/route_costs.hpp"
#include "engine/base/by_id.hpp"
#include "engine/run/run.hpp"

#include <span>

namespace emulation {

/// Something of every rank's two strands, by rank; the same for both where they have joined.
template <class Value>
struct Strands {
    std::span<Value> sends;
    std::span<Value> receives;
};

class DetailedClock {
public:
    /// Throws Error for slow ranks and links that are not there. All three outlive the object.
    DetailedClock(const Network& network, const Conditions& conditions, LinkTally& links);

    /// The messages of a round, in the order of the batch; `begin`: when each rank's strands began it, under LogGP both
    /// at once. Valid until the next call. Throws Error when time runs out.
    std::span<const engine::MessageRecord> move(const engine::Batch& batch, engine::Round round,
                                                Strands<const engine::Picoseconds> begin);

    /// How long `rank` combines `bytes`.
    [[nodiscard]] engine::Picoseconds combining(Rank rank, engine::Bytes bytes) const;

private:
    struct Port {
        engine::Picoseconds out{};  ///< free from then on
        engine::Picoseconds in{};
    };

    void open(const engine::Batch& batch, engine::Round round);
    void moveByHockney(Strands<const engine::Picoseconds> begin);
    void queueAtPorts(Strands<const engine::Picoseconds> begin);
    void send(std::span<const engine::Picoseconds> clock);
    void receive();
    [[nodiscard]] Factor factorOf(Rank rank) const;
    [[nodiscard]] bool meets(engine::Bytes bytes) const;

    const engine::Model& model_;
    RouteCosts routes_;
    engine::ById<Rank, Factor> factors_;  // empty: all 1
    std::vector<engine::MessageRecord> records_;
    // Hockney with a number of ports only:
    int portsOfRank_ = 0;
    std::vector<engine::Picoseconds> out_;  // by rank and port: free from then on
    std::vector<engine::Picoseconds> in_;
    std::vector<engine::Picoseconds> costs_;  // by message of the round
    std::vector<bool> receives_;              // by rank: in the round; only for ports
    // LogGP only:
    engine::ById<Rank, Port> ports_;
    engine::ById<Rank, engine::Picoseconds> next_;  // when its processor is free
    std::vector<RouteCosts::Cost> taken_;           // by message of the round
    std::vector<engine::Picoseconds> arrivals_;     // by message of the round
    std::vector<std::size_t> order_;                // also for ports
};

}  // namespace emulation
