// SPDX-License-Identifier: BSD-3-Clause
#include "traces/otf2/communicators.hpp"

#include <algorithm>

namespace traces::otf2 {

Communicators::Communicators(const Definitions& definitions) {
    const auto ranks = std::find_if(definitions.groups.begin(), definitions.groups.end(), [](const auto& group) {
        return group.second.type == OTF2_GROUP_TYPE_COMM_LOCATIONS && group.second.paradigm == OTF2_PARADIGM_MPI;
    });
    if (ranks == definitions.groups.end()) {
        for (const Location& location : definitions.locations)
            if (location.type == OTF2_LOCATION_TYPE_CPU_THREAD) locations_.push_back(location);
    } else {
        std::unordered_map<OTF2_LocationRef, Location> byId;
        for (const Location& location : definitions.locations) byId[location.id] = location;
        for (const std::uint64_t id : ranks->second.members)
            locations_.push_back(byId.contains(id) ? byId[id] : Location{.id = id});
    }
    for (const auto& [id, communicator] : definitions.communicators) {
        const auto local = definitions.groups.find(communicator.local);
        const auto remote = definitions.groups.find(communicator.remote);
        if (local == definitions.groups.end() || remote == definitions.groups.end()) continue;
        Peers& peers = peers_[id];
        peers.type = local->second.type;
        peers.local = &local->second.members;
        peers.remote = &remote->second.members;
        if (local != remote) peers.inLocal.insert(peers.local->begin(), peers.local->end());
    }
}

std::int32_t Communicators::rankOf(OTF2_CommRef communicator, std::uint32_t peer, std::int32_t self) const {
    const auto entry = peers_.find(communicator);
    if (entry == peers_.end()) return known(peer);
    const Peers& peers = entry->second;
    if (peers.type == OTF2_GROUP_TYPE_COMM_SELF) return self;
    const bool fromLocal = peers.inLocal.contains(static_cast<std::uint64_t>(self));
    const std::vector<std::uint64_t>& members = peers.local == peers.remote || fromLocal ? *peers.remote : *peers.local;
    return peer < members.size() ? known(members[peer]) : nobody;
}

}  // namespace traces::otf2
