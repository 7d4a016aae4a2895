// SPDX-License-Identifier: BSD-3-Clause
// What the books of a run mean, said as plainly as possible: moment by moment. For runs that keep all their messages.
#pragma once

#include "engine/run/run.hpp"

#include <algorithm>
#include <vector>

namespace support {

/// Looks at every picosecond of every rank.
inline std::vector<engine::RankTimes> slowRankTimes(const engine::Run& run) {
    std::vector<engine::RankTimes> all;
    for (engine::Rank rank{0}; rank.value < run.ranks; ++rank) {
        std::vector<bool> moves(static_cast<std::size_t>(run.duration.count()));
        std::int64_t last = 0;
        const auto note = [&](engine::Picoseconds begin, engine::Picoseconds end) {
            for (auto now = begin; now < end; ++now) moves[static_cast<std::size_t>(now.count())] = true;
            last = std::max<std::int64_t>(last, end.count());
        };
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const engine::MessageRecord m = run.messages[i];
            if (m.from == rank) note(m.sendBegin, m.sendEnd);
            if (m.to == rank) note(m.receiveBegin, m.receiveEnd);
        }
        for (const engine::LocalWork& its : run.combining)
            if (its.rank == rank) note(its.begin, its.end);
        engine::RankTimes times;
        for (std::int64_t now = 0; now < run.duration.count(); ++now)
            ++(moves[static_cast<std::size_t>(now)] ? times.busy
               : now < last                         ? times.noCommunication
                                                    : times.finishedEarly);
        all.push_back(times);
    }
    return all;
}

/// Looks at all messages for every round.
inline std::vector<engine::RoundTimes> slowRoundTimes(const engine::Run& run) {
    std::vector<engine::RoundTimes> all;
    for (engine::Round round{0}; round.value < run.rounds; ++round) {
        std::vector<engine::Picoseconds> begins;
        std::vector<engine::Picoseconds> ends;
        std::vector<engine::Bytes> sizes;
        for (std::size_t i = 0; i < run.messages.size(); ++i) {
            const engine::MessageRecord m = run.messages[i];
            if (m.round != round) continue;
            begins.insert(begins.end(), {m.sendBegin, m.receiveBegin});
            ends.insert(ends.end(), {m.sendEnd, m.receiveEnd});
            sizes.push_back(m.bytes);
        }
        engine::RoundTimes times;
        if (!sizes.empty()) {
            times.begin = *std::min_element(begins.begin(), begins.end());
            times.end = *std::max_element(ends.begin(), ends.end());
            times.largest = *std::max_element(sizes.begin(), sizes.end());
        }
        times.messages = static_cast<std::int64_t>(sizes.size());
        for (const engine::Bytes bytes : sizes) times.bytes += bytes;
        all.push_back(times);
    }
    return all;
}

}  // namespace support
