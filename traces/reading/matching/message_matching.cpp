// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching/message_matching.hpp"

#include "engine/base/parallel.hpp"
#include "traces/storage/storage.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace traces::reading {
namespace {

/// Ends of one rank by their peers, in their order: those of peers[k] are at(start[k]) .. at(start[k + 1] - 1).
struct ByPeer {
    std::vector<std::int32_t> peers;  ///< rising
    std::vector<std::uint32_t> start;
    Values<std::uint32_t> order;  ///< empty when one peer has all

    [[nodiscard]] std::uint32_t at(std::uint32_t place) const { return order.empty() ? place : order[place]; }
};

/// Ends without a peer (requests that never completed) and cancelled ones are nobody's.
bool counts(const End& end) { return end.peer != noRank && (end.flags & End::cancelled) == 0; }

ByPeer sortByPeer(const Blocks<End>& ends, Storage* storage) {
    ByPeer sorted;
    bool one = true;
    for (std::size_t i = 0; i < ends.size() && one; ++i) one = counts(ends[i]) && ends[i].peer == ends[0].peer;
    if (one && !ends.empty()) {
        sorted.peers = {ends[0].peer.value};
        sorted.start = {0, static_cast<std::uint32_t>(ends.size())};
        return sorted;
    }
    // Apart from the ends, a tenth of what they are: these are looked at once.
    Values<std::int32_t> peerOf{ends.size(), storage};
    std::vector<std::int32_t> peers;
    constexpr std::size_t tidy = 4096;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        peerOf[i] = counts(ends[i]) ? ends[i].peer.value : noRank.value;
        if (peerOf[i] == noRank.value || (!peers.empty() && peers.back() == peerOf[i])) continue;
        peers.push_back(peerOf[i]);
        if (peers.size() < std::max(tidy, 2 * sorted.peers.size())) continue;
        peers.insert(peers.end(), sorted.peers.begin(), sorted.peers.end());
        std::sort(peers.begin(), peers.end());
        peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
        sorted.peers = std::exchange(peers, {});
    }
    peers.insert(peers.end(), sorted.peers.begin(), sorted.peers.end());
    std::sort(peers.begin(), peers.end());
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
    sorted.peers = std::move(peers);

    const auto placeOf = [&](std::int32_t peer) {
        return engine::asSize(std::lower_bound(sorted.peers.begin(), sorted.peers.end(), peer) - sorted.peers.begin());
    };
    std::vector<std::uint32_t> next(sorted.peers.size() + 1);
    for (const std::int32_t peer : peerOf)
        if (peer != noRank.value) ++next[placeOf(peer) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    sorted.start = next;
    sorted.order = Values<std::uint32_t>{next.back(), storage};
    for (std::uint32_t i = 0; i < peerOf.size(); ++i)
        if (peerOf[i] != noRank.value) sorted.order[next[placeOf(peerOf[i])]++] = i;
    return sorted;
}

/// The ends that two ranks have for each other, from both sides.
struct Pair {
    std::size_t sender;
    std::size_t receiver;
    const Blocks<End>& sends;
    const Blocks<End>& receives;
    Partners& partners;

    void join(std::uint32_t send, std::uint32_t receive) const { partners.join(sender, send, receiver, receive); }
};

/// In the order of (communicator, tag, place, posting): what is equal up to there meets in this order.
template <class SendKey, class ReceiveKey>
void joinSorted(const Pair& pair, Values<std::uint32_t> sent, Values<std::uint32_t> received, SendKey sendKey,
                ReceiveKey receiveKey) {
    const auto inOrder = [](auto key) {
        return [key](std::uint32_t a, std::uint32_t b) { return std::tuple{key(a), a} < std::tuple{key(b), b}; };
    };
    std::sort(sent.begin(), sent.end(), inOrder(sendKey));
    std::sort(received.begin(), received.end(), inOrder(receiveKey));
    const auto envelope = [](const auto& key) { return std::tuple{std::get<0>(key), std::get<1>(key)}; };
    for (std::size_t s = 0, r = 0; s < sent.size() && r < received.size();) {
        const auto out = envelope(sendKey(sent[s]));
        const auto in = envelope(receiveKey(received[r]));
        if (out == in) pair.join(sent[s++], received[r++]);
        else if (out < in) ++s;
        else ++r;
    }
}

/// All sends of rank `sender` to one of its peers.
void joinPair(const std::vector<RankEnds>& ranks, Partners& partners, const ByPeer& out, std::size_t k,
              std::int32_t sender, const ByPeer& in, Storage* storage) {
    const auto entry = std::lower_bound(in.peers.begin(), in.peers.end(), sender);
    if (entry == in.peers.end() || *entry != sender) return;
    const auto j = engine::asSize(entry - in.peers.begin());
    const RankEnds& from = ranks[engine::asSize(sender)];
    const RankEnds& to = ranks[engine::asSize(out.peers[k])];
    const Pair pair{engine::asSize(sender), engine::asSize(out.peers[k]), from.sends, to.receives, partners};
    std::uint32_t s = out.start[k], r = in.start[j];
    const bool places = !from.ownSends.empty();
    // Mostly both sides name the same messages in the same order.
    for (; !places && s < out.start[k + 1] && r < in.start[j + 1]; ++s, ++r) {
        const End& send = pair.sends[out.at(s)];
        const End& receive = pair.receives[in.at(r)];
        if (send.communicator != receive.communicator || send.tag != receive.tag) break;
        pair.join(out.at(s), in.at(r));
    }
    if (s == out.start[k + 1] || r == in.start[j + 1]) return;
    Values<std::uint32_t> sent{out.start[k + 1] - s, storage}, received{in.start[j + 1] - r, storage};
    for (std::uint32_t& one : sent) one = out.at(s++);
    for (std::uint32_t& one : received) one = in.at(r++);
    if (places)
        joinSorted(
            pair, std::move(sent), std::move(received),
            [&](std::uint32_t i) {
                return std::tuple{0, from.ownSends[i].round, from.ownSends[i].place};
            },
            [&](std::uint32_t i) {
                return std::tuple{0, to.ownReceives[i].round, to.ownReceives[i].place};
            });
    else
        joinSorted(
            pair, std::move(sent), std::move(received),
            [&](std::uint32_t i) {
                return std::tuple{pair.sends[i].communicator, pair.sends[i].tag};
            },
            [&](std::uint32_t i) {
                return std::tuple{pair.receives[i].communicator, pair.receives[i].tag};
            });
}

}  // namespace

Partners nobodyFor(const std::vector<RankEnds>& ranks, Storage* storage) {
    Partners nobody;
    for (const RankEnds& ends : ranks) {
        nobody.ofSend.emplace_back(ends.sends.size(), storage);
        nobody.hasReceive.emplace_back(ends.receives.size(), storage);
    }
    engine::parallelFor(ranks.size(), [&](std::size_t rank) {
        std::fill(nobody.ofSend[rank].begin(), nobody.ofSend[rank].end(), alone);
        std::fill(nobody.hasReceive[rank].begin(), nobody.hasReceive[rank].end(), std::uint8_t{0});
    });
    return nobody;
}

Partners match(const std::vector<RankEnds>& ranks, Storage* storage) {
    std::vector<ByPeer> received(ranks.size());
    engine::parallelFor(ranks.size(),
                        [&](std::size_t rank) { received[rank] = sortByPeer(ranks[rank].receives, storage); });
    Partners partners = nobodyFor(ranks, storage);
    engine::parallelFor(ranks.size(), [&](std::size_t rank) {
        const ByPeer sent = sortByPeer(ranks[rank].sends, storage);
        for (std::size_t k = 0; k < sent.peers.size(); ++k)
            joinPair(ranks, partners, sent, k, static_cast<std::int32_t>(rank), received[engine::asSize(sent.peers[k])],
                     storage);
        ranks[rank].sends.setAside();
    });
    for (const RankEnds& ends : ranks) ends.receives.setAside();
    return partners;
}

}  // namespace traces::reading
