// SPDX-License-Identifier: BSD-3-Clause
#include "traces/reading/matching.hpp"

#include "engine/side_by_side.hpp"
#include "engine/text.hpp"
#include "traces/reading/storage.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <numeric>
#include <tuple>

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
    std::vector<std::int32_t> peers;
    constexpr std::size_t tidy = 4096;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (!counts(ends[i]) || (!peers.empty() && peers.back() == ends[i].peer.value)) continue;
        peers.push_back(ends[i].peer.value);
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
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (counts(ends[i])) ++next[placeOf(ends[i].peer.value) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    sorted.start = next;
    sorted.order = Values<std::uint32_t>{next.back(), storage};
    for (std::size_t i = 0; i < ends.size(); ++i)
        if (counts(ends[i])) sorted.order[next[placeOf(ends[i].peer.value)]++] = static_cast<std::uint32_t>(i);
    return sorted;
}

/// The ends that two ranks have for each other, from both sides.
struct Pair {
    Blocks<End>& sends;
    Blocks<End>& receives;
    Values<std::uint32_t>& partner;

    void join(std::uint32_t send, std::uint32_t receive) const {
        partner[send] = receive;
        sends[send].flags |= End::matched;
        receives[receive].flags |= End::matched;
    }
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
void joinPair(std::vector<RankEnds>& ranks, Values<std::uint32_t>& partner, const ByPeer& out, std::size_t k,
              std::int32_t sender, const ByPeer& in, Storage* storage) {
    const auto entry = std::lower_bound(in.peers.begin(), in.peers.end(), sender);
    if (entry == in.peers.end() || *entry != sender) return;
    const auto j = engine::asSize(entry - in.peers.begin());
    RankEnds& from = ranks[engine::asSize(sender)];
    RankEnds& to = ranks[engine::asSize(out.peers[k])];
    const Pair pair{from.sends, to.receives, partner};
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

/// Neither met another nor was taken back.
bool isHalf(const End& end) { return (end.flags & (End::cancelled | End::matched)) == 0; }

Half halfOf(Side side, Rank self, const End& end) {
    return {.side = side,
            .self = self,
            .peer = end.peer,
            .communicator = end.communicator,
            .tag = end.tag,
            .bytes = end.bytes,
            .begin = Picoseconds{end.begin},
            .end = Picoseconds{end.end},
            .nonBlocking = (end.flags & End::nonBlocking) != 0};
}

/// Whole numbers with any single characters between them: "0-10,30-40".
void addRanges(const std::string& words, Growing<engine::Range>& ranges) {
    std::vector<std::int64_t> ends;
    const char* at = words.data();
    for (const char* const end = at + words.size(); at < end; ++at) {
        const auto [next, failed] = std::from_chars(at, end, ends.emplace_back());
        if (failed != std::errc{}) return;
        at = next;
    }
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) ranges.push_back({ends[i], ends[i + 1]});
}

OwnColumns ownColumns(const std::vector<RankEnds>& ranks, const Partners& partners, const Definitions& definitions,
                      Storage* storage) {
    Growing<std::int64_t> round{storage};
    Growing<std::uint64_t> place{storage}, start{storage};
    Growing<engine::Range> what{storage};
    start.push_back(0);
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        for (std::size_t i = 0; i < partners[rank].size(); ++i) {
            if (partners[rank][i] == alone) continue;
            const OwnEnd& own = ranks[rank].ownSends[i];
            round.push_back(static_cast<std::int64_t>(own.round));
            place.push_back(own.place);
            if (own.hasRange) what.push_back({static_cast<Bytes>(own.begin), static_cast<Bytes>(own.end)});
            if (own.ranges != undefined) addRanges(definitions.words(own.ranges), what);
            start.push_back(what.size());
        }
    return {round.column(), place.column(), start.column(), what.column()};
}

}  // namespace

Values<std::uint32_t> nobodyFor(const Blocks<End>& sends, Storage* storage) {
    Values<std::uint32_t> nobody{sends.size(), storage};
    std::fill(nobody.begin(), nobody.end(), alone);
    return nobody;
}

Partners match(std::vector<RankEnds>& ranks, Storage* storage) {
    std::vector<ByPeer> received(ranks.size());
    engine::sideBySide(ranks.size(),
                       [&](std::size_t rank) { received[rank] = sortByPeer(ranks[rank].receives, storage); });
    Partners partners(ranks.size());
    engine::sideBySide(ranks.size(), [&](std::size_t rank) {
        const ByPeer sent = sortByPeer(ranks[rank].sends, storage);
        partners[rank] = nobodyFor(ranks[rank].sends, storage);
        for (std::size_t k = 0; k < sent.peers.size(); ++k)
            joinPair(ranks, partners[rank], sent, k, static_cast<std::int32_t>(rank),
                     received[engine::asSize(sent.peers[k])], storage);
        ranks[rank].sends.setAside();
    });
    for (const RankEnds& ends : ranks) ends.receives.setAside();
    return partners;
}

std::string Disputed::words() const {
    if (count == 0) return {};
    return engine::text(count, count == 1 ? " message has" : " messages have",
                        " another size at the receiver than at the sender: rank ", from, " sent ",
                        engine::showBytes(sent), " and rank ", to, " got ", engine::showBytes(received),
                        "; the sender is believed");
}

Matched columnsOf(std::vector<RankEnds>&& ranks, const Partners& partners, const Definitions& definitions, bool own,
                  Storage* storage) {
    Matched result;
    std::vector<std::size_t> first(ranks.size() + 1), firstHalf(ranks.size() + 1);
    std::vector<std::atomic<std::size_t>> awaited(ranks.size());  // receives of a rank that no column has yet
    engine::sideBySide(ranks.size(), [&](std::size_t rank) {
        std::size_t matched = 0;
        for (std::size_t i = 0; i < partners[rank].size(); ++i)
            if (partners[rank][i] != alone) ++matched;
            else if (isHalf(ranks[rank].sends[i])) ++firstHalf[rank + 1];
        first[rank + 1] = matched;
        matched = 0;
        for (std::size_t i = 0; i < ranks[rank].receives.size(); ++i) {
            const End& end = ranks[rank].receives[i];
            matched += (end.flags & End::matched) != 0 ? 1 : 0;
            firstHalf[rank + 1] += isHalf(end) ? 1 : 0;
        }
        awaited[rank] = matched;
    });
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::partial_sum(firstHalf.begin(), firstHalf.end(), firstHalf.begin());
    if (own) result.own = ownColumns(ranks, partners, definitions, storage);
    auto [halves, halfAt] = makeColumn<Half>(firstHalf.back(), storage);
    result.halves = std::move(halves);
    engine::sideBySide(ranks.size(), [&, halfAt = halfAt](std::size_t rank) {
        const Rank self{static_cast<std::int32_t>(rank)};
        std::size_t at = firstHalf[rank];
        for (std::size_t i = 0; at < firstHalf[rank + 1] && i < ranks[rank].sends.size(); ++i)
            if (isHalf(ranks[rank].sends[i])) halfAt[at++] = halfOf(Side::send, self, ranks[rank].sends[i]);
        for (std::size_t i = 0; at < firstHalf[rank + 1]; ++i)
            if (isHalf(ranks[rank].receives[i])) halfAt[at++] = halfOf(Side::receive, self, ranks[rank].receives[i]);
    });

    const std::size_t count = first.back();
    Messages& m = result.messages;
    const auto column = [count, storage]<class T>(Column<T>& to) {
        auto [made, values] = makeColumn<T>(count, storage);
        to = std::move(made);
        return values;
    };
    const auto from = column(m.from), to = column(m.to);
    const auto communicator = column(m.communicator);
    const auto tag = column(m.tag);
    const auto bytes = column(m.bytes);
    const auto sendBegin = column(m.sendBegin), sendEnd = column(m.sendEnd);
    const auto receiveBegin = column(m.receiveBegin), receiveEnd = column(m.receiveEnd);
    const auto flags = column(m.flags);
    std::vector<Disputed> disputed(ranks.size());
    engine::sideBySide(ranks.size(), [&](std::size_t rank) {
        std::size_t at = first[rank];
        // Whose receives are all in columns gives them back: where ranks send to few, both are hardly ever there.
        std::size_t peer = rank, taken = 0;
        const auto giveBack = [&] {
            if (taken > 0 && (awaited[peer] -= taken) == 0) ranks[peer].receives.clear();
            taken = 0;
        };
        for (std::size_t i = 0; i < partners[rank].size(); ++i) {
            ranks[rank].sends.forgetBefore(i);
            if (partners[rank][i] == alone) continue;
            const End& send = ranks[rank].sends[i];
            if (send.peer.index() != peer) giveBack(), peer = send.peer.index();
            ++taken;
            const End& receive = ranks[send.peer.index()].receives[partners[rank][i]];
            from[at] = Rank{static_cast<std::int32_t>(rank)};
            to[at] = send.peer;
            communicator[at] = send.communicator;
            tag[at] = send.tag;
            bytes[at] = send.bytes;
            sendBegin[at] = Picoseconds{send.begin};
            sendEnd[at] = Picoseconds{send.end};
            receiveBegin[at] = Picoseconds{receive.begin};
            receiveEnd[at] = Picoseconds{receive.end};
            unsigned said = 0;
            if ((send.flags & End::nonBlocking) != 0) said |= flag::sendNonBlocking;
            if ((send.flags & End::open) != 0) said |= flag::sendEndUnknown;
            if ((receive.flags & End::nonBlocking) != 0) said |= flag::receiveNonBlocking;
            if ((receive.flags & End::inferred) != 0) said |= flag::receiveInferred;
            if (send.bytes != receive.bytes) {
                said |= flag::bytesDiffer;
                Disputed& here = disputed[rank];
                if (here.count++ == 0) here = {1, from[at], to[at], send.bytes, receive.bytes};
            }
            flags[at] = static_cast<MessageFlags>(said);
            ++at;
        }
        giveBack();
        ranks[rank].sends.clear();
        if (storage == nullptr || !storage->spilt()) return;
        const auto setAsideOf = [&](auto values) {
            setAside(values.subspan(first[rank], first[rank + 1] - first[rank]));
        };
        setAsideOf(from), setAsideOf(to), setAsideOf(communicator), setAsideOf(tag), setAsideOf(bytes),
            setAsideOf(flags);
        setAsideOf(sendBegin), setAsideOf(sendEnd), setAsideOf(receiveBegin), setAsideOf(receiveEnd);
    });
    for (const Disputed& one : disputed) {
        const std::int64_t before = result.disputed.count;
        if (before == 0) result.disputed = one;
        result.disputed.count = before + one.count;
    }
    return result;
}

}  // namespace traces::reading
