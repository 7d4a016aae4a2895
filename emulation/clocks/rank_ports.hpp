// SPDX-License-Identifier: BSD-3-Clause
// The ports of all ranks, where messages come one by one: each takes the port that is free first.
#pragma once

#include "engine/run/run.hpp"

#include <span>
#include <vector>

namespace emulation {

class Ports {
public:
    /// `each`: ports of a rank, each way; 0: as many as it needs.
    Ports(std::int32_t ranks, int each);

    /// A message that is posted at `now`: sets when its send begins and ends.
    void send(engine::MessageRecord& message, engine::Picoseconds cost, engine::Picoseconds now);
    /// A message that has left and is waited for at `now`: sets when it is received.
    void receive(engine::MessageRecord& message, engine::Picoseconds cost, engine::Picoseconds now);
    /// A rendezvous of which both ends are there at `now`: takes a port of each at once.
    void meet(engine::MessageRecord& message, engine::Picoseconds cost, engine::Picoseconds now);

private:
    [[nodiscard]] engine::Picoseconds& freeFirst(std::vector<engine::Picoseconds>& side, engine::Rank rank);

    std::size_t each_;
    std::vector<engine::Picoseconds> out_;  // by rank and port: free from then on
    std::vector<engine::Picoseconds> in_;
    engine::Picoseconds any_{};  // of ranks with as many as they need
};

}  // namespace emulation
