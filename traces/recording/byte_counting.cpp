// SPDX-License-Identifier: BSD-3-Clause
#include "traces/recording/byte_counting.hpp"

#include "traces/recording/training.hpp"
#include "traces/recording/vocabulary.hpp"

#include <algorithm>

namespace traces {

Counting countingOf(const Recording& recording) {
    if (isTraining(recording)) return Counting::tensors;
    if (recording.creator.starts_with("Score-P")) return Counting::totals;
    if (recording.creator.starts_with(own::creator)) return Counting::arguments;
    for (const Collective& collective : recording.collectives.instances) {
        if (collective.operation != Operation::bcast || collective.count < 2) continue;
        for (const Participant& part : recording.collectives.of(collective)) {
            if (part.rank == collective.root || part.received == 0) continue;
            return part.sent == 0 ? Counting::totals : Counting::arguments;
        }
    }
    return Counting::unknown;
}

MovedBytes movedBy(const Participant& part, const Collective& collective, const Recording& recording,
                   Counting counting) {
    MovedBytes moved{part.sent, part.received};
    if (collective.operation != Operation::alltoall || counting != Counting::arguments) return moved;
    auto others = static_cast<Bytes>(collective.count);
    if (collective.communicator != noIndex) {
        const Communicator& its = recording.communicators[engine::asSize(collective.communicator)];
        const bool inMembers = std::ranges::find(its.members, part.rank) != its.members.end();
        const std::vector<Rank>& ranks = its.remote.empty() || !inMembers ? its.members : its.remote;
        if (!ranks.empty()) others = static_cast<Bytes>(ranks.size());
    }
    return {moved.sent * others, moved.received * others};
}

}  // namespace traces
