// SPDX-License-Identifier: BSD-3-Clause
// Ends of messages find each other: MPI's rule that messages of one (communicator, sender, receiver, tag) do not
// overtake each other.
#pragma once

#include "traces/reading/locations/location_events.hpp"
#include "traces/recording/recording.hpp"

#include <cstdint>
#include <vector>

namespace traces::reading {

/// All ends of one rank, in the order they were posted.
struct RankEnds {
    Blocks<End> sends;
    Blocks<End> receives;
    Blocks<OwnEnd> ownSends;     ///< empty, or beside `sends`
    Blocks<OwnEnd> ownReceives;  ///< empty, or beside `receives`
};

constexpr std::uint32_t alone = 0xffffffff;

/// Which ends met, by rank. Said beside the ends, which may lie in files by then and would be written there again.
struct Partners {
    std::vector<Values<std::uint32_t>> ofSend;     ///< the receive of its peer; `alone` where there is none
    std::vector<Values<std::uint8_t>> hasReceive;  ///< by receive: 1 where a send met it

    void join(std::size_t sender, std::uint32_t send, std::size_t receiver, std::uint32_t receive) {
        ofSend[sender][send] = receive;
        hasReceive[receiver][receive] = 1;
    }
};

/// All of them alone.
Partners nobodyFor(const std::vector<RankEnds>& ranks, Storage* storage);

/// Ends with places (OwnEnd) are taken in the order of their places within a tag. `storage` is where what is
/// made meanwhile lies, and the answer, when memory cannot hold it; null for memory alone.
Partners match(const std::vector<RankEnds>& ranks, Storage* storage = nullptr);

}  // namespace traces::reading
