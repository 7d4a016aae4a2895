// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/connection_counts.hpp"

#include <algorithm>

namespace app::analysis {

using engine::Rank;

namespace {
constexpr std::int64_t mostPairs = 4'000'000;
}

void ConnectionCount::add(Rank from, Rank to) {
    Peers& peers = above_[std::min(from, to)];
    const std::int32_t peer = std::max(from, to).value;
    // On a ring nearly all are like the one before.
    if (tooMany_ || from == to || peers.latest == peer) return;
    peers.latest = peer;
    peers.all.push_back(peer);
    ++kept_;
    if (peers.all.size() >= peers.compactAt) compact(peers);
}

void ConnectionCount::compact(Peers& peers) {
    kept_ -= static_cast<std::int64_t>(peers.all.size());
    std::ranges::sort(peers.all);
    const auto [first, last] = std::ranges::unique(peers.all);
    peers.all.erase(first, last);
    kept_ += static_cast<std::int64_t>(peers.all.size());
    peers.compactAt = std::max<std::size_t>(16, 2 * peers.all.size());
    tooMany_ = kept_ > 2 * mostPairs;
}

std::optional<Connections> ConnectionCount::finish() {
    Connections connections;
    engine::ById<Rank, std::int64_t> of(above_.size());
    for (const Rank rank : above_.ids()) {
        compact(above_[rank]);
        for (const std::int32_t peer : above_[rank].all) {
            ++of[Rank{peer}];
            ++of[rank];
            ++connections.pairs;
        }
    }
    if (tooMany_) return std::nullopt;
    for (const Rank rank : of.ids()) connections.most = std::max(connections.most, of[rank]);
    return connections;
}

}  // namespace app::analysis
