// SPDX-License-Identifier: BSD-3-Clause
// Messages of a trace that has requests to receive and not one of their completions (EZTrace): what a request received
// follows from what is left over.
//
// Collectives that nobody leaves before all have entered cut the time of all ranks into stretches. Where up to the end
// of one as many messages were sent to a rank as it asked for, they are the same; each such part is looked at alone.
// What its blocking receives say they got is theirs. Its requests got the rest of it: from one sender in the order of
// sending, from several where that is the same again and again: requests that are posted together before the rank waits
// are as many each time, and each sender has as many for every time. Else nothing is said of the requests, nor of
// receives that they may have been served before.
#pragma once

#include "traces/reading/matching/message_matching.hpp"

#include <vector>

namespace traces::reading {

/// By rank, calls in the order of their begins.
using CallsOfRanks = std::vector<Growing<Interval>>;

/// The collectives of all ranks that nobody leaves before all have entered: the k-th of each rank are one. `parts` are
/// by rank.
CallsOfRanks meetingsOf(const PartsOfRanks& parts, const World& world, Storage* storage = nullptr);
/// Calls that wait for requests.
CallsOfRanks waitsOf(const Recording& recording, std::size_t ranks, Storage* storage = nullptr);

/// What match() is for other traces. Receives that are inferred are marked and end with a wait that fits, an upper
/// limit.
Partners matchInferring(std::vector<RankEnds>& ranks, const CallsOfRanks& meetings, const CallsOfRanks& waits,
                        Storage* storage = nullptr);

}  // namespace traces::reading
