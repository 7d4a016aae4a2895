// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/messages_in_flight.hpp"

#include <algorithm>
#include <vector>

namespace app::analysis {

std::int64_t mostUnderWay(const engine::Messages& messages) {
    using engine::Picoseconds;
    std::vector<Picoseconds> begins(messages.sendBegin().begin(), messages.sendBegin().end());
    std::vector<Picoseconds> ends(messages.receiveEnd().begin(), messages.receiveEnd().end());
    // What takes no time is there for a moment all the same.
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = std::max(ends[i], begins[i] + Picoseconds{1});
    std::sort(begins.begin(), begins.end());
    std::sort(ends.begin(), ends.end());
    std::int64_t most = 0;
    std::size_t over = 0;
    for (std::size_t begun = 0; begun < begins.size(); ++begun) {
        while (ends[over] <= begins[begun]) ++over;
        most = std::max(most, static_cast<std::int64_t>(begun + 1 - over));
    }
    return most;
}

}  // namespace app::analysis
