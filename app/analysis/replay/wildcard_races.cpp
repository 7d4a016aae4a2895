// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/replay/wildcard_races.hpp"

#include <unordered_map>
#include <utility>

namespace app::analysis {

using emulation::Does;
using emulation::Operations;
using engine::Picoseconds;
using engine::Rank;

namespace {

/// When messages are sent in the replay.
std::vector<Picoseconds> sendsIn(const emulation::Program& program, const ReplayTimes& times) {
    std::vector<Picoseconds> sent(program.messages.size());
    for (const Rank rank : program.ranks.ids()) {
        const Operations& doings = program.ranks[rank];
        for (std::size_t at = 0; at < doings.size(); ++at)
            if (doings.what(at) == Does::sends) sent[engine::asSize(doings.number(at))] = times.begin(rank, at);
    }
    return sent;
}

}  // namespace

std::int64_t otherChoices(const traces::Recording& recording, const emulation::Program& recorded,
                          const emulation::Program& replayed, const ReplayTimes& times) {
    const traces::Messages& m = recording.messages;
    const std::vector<Picoseconds> sent = sendsIn(replayed, times);
    std::int64_t others = 0;
    for (const Rank rank : recorded.ranks.ids()) {
        std::unordered_map<std::uint64_t, std::size_t> before;  // by communicator and tag: the message received last
        const Operations& doings = recorded.ranks[rank];
        for (std::size_t at = 0; at < doings.size(); ++at) {
            if (doings.what(at) != Does::receives) continue;
            const std::size_t next = engine::asSize(doings.number(at));
            const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(m.communicator[next])) << 32U;
            const auto [last, isFirst] = before.try_emplace(key | m.tag[next], next);
            if (isFirst) continue;
            const std::size_t one = std::exchange(last->second, next);
            if (m.from[one] != m.from[next] && m.sendBegin[one] <= m.sendBegin[next] && sent[next] < sent[one])
                ++others;
        }
    }
    return others;
}

}  // namespace app::analysis
