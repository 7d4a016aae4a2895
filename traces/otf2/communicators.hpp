// SPDX-License-Identifier: BSD-3-Clause
// Who is who in a foreign archive: locations have sparse 64-bit ids, and peers are counted within communicators.
//
//   COMM_LOCATIONS  [17, 4, 9]   rank 0 is location 17, rank 1 location 4, rank 2 location 9
//   COMM_GROUP      [2, 0]       in a communicator of this group, peer 0 is rank 2 and peer 1 is rank 0
#pragma once

#include "traces/otf2/source.hpp"

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace traces::otf2 {

constexpr std::int32_t nobody = -1;

class Communicators {
public:
    explicit Communicators(const Definitions& definitions);

    /// The locations of the MPI ranks, in their order.
    [[nodiscard]] const std::vector<Location>& locations() const { return locations_; }

    /// The rank that `self` calls `peer` within a communicator; `nobody` when there is none.
    [[nodiscard]] std::int32_t rankOf(OTF2_CommRef communicator, std::uint32_t peer, std::int32_t self) const;

private:
    struct Peers {
        OTF2_GroupType type = OTF2_GROUP_TYPE_COMM_GROUP;
        const std::vector<std::uint64_t>* local = nullptr;
        const std::vector<std::uint64_t>* remote = nullptr;
        std::unordered_set<std::uint64_t> inLocal;  ///< filled where local and remote differ
    };
    [[nodiscard]] std::int32_t known(std::uint64_t rank) const {
        return rank < locations_.size() ? static_cast<std::int32_t>(rank) : nobody;
    }

    std::vector<Location> locations_;
    std::unordered_map<OTF2_CommRef, Peers> peers_;
};

}  // namespace traces::otf2
