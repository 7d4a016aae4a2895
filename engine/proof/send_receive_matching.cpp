// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/send_receive_matching.hpp"

#include "engine/base/error.hpp"

#include <algorithm>

namespace engine {
namespace {

Rank rankAt(std::size_t r) { return Rank{static_cast<std::int32_t>(r)}; }

/// Up to here searching is quicker than sorting.
constexpr std::size_t fewMessages = 16;

}  // namespace

const Matches::Sorted& Matches::sorted(Side side) {
    const auto [found, isNew] = sorted_.try_emplace(side.data());
    Sorted& its = found->second;
    if (!isNew) return its;
    for (std::size_t place = 0; place < side.size(); ++place) its.byPeer.emplace_back(side[place].peer, place);
    std::sort(its.byPeer.begin(), its.byPeer.end());
    its.ordinals.resize(side.size());
    for (std::size_t k = 1; k < side.size(); ++k)
        if (its.byPeer[k].first == its.byPeer[k - 1].first)
            its.ordinals[its.byPeer[k].second] = its.ordinals[its.byPeer[k - 1].second] + 1;
    return its;
}

/// The one of `mine` that matches message `i` of `theirs`, those of `rank`.
const Message* Matches::match(Side theirs, std::size_t i, Side mine, Rank rank) {
    const std::size_t ordinal = theirs.size() <= fewMessages ? ordinalOf(theirs, i) : sorted(theirs).ordinals[i];
    if (mine.size() <= fewMessages) {
        const auto place = placeOf(mine, rank, ordinal);
        return place ? &mine[*place] : nullptr;
    }
    const auto& byPeer = sorted(mine).byPeer;
    const auto first = std::lower_bound(byPeer.begin(), byPeer.end(), std::pair{rank, std::size_t{0}});
    if (ordinal >= static_cast<std::size_t>(byPeer.end() - first)) return nullptr;
    const auto [peer, place] = first[static_cast<std::ptrdiff_t>(ordinal)];
    return peer == rank ? &mine[place] : nullptr;
}

const Message* Matches::sendFor(Rank rank, std::size_t i) {
    const Side receives = turns_[rank.index()].receives();
    return match(receives, i, turns_[receives[i].peer.index()].sends(), rank);
}

const Message* Matches::receiveFor(Rank rank, std::size_t i) {
    const Side sends = turns_[rank.index()].sends();
    return match(sends, i, turns_[sends[i].peer.index()].receives(), rank);
}

Pairing::Pairing(const Schedule& schedule)
    : schedule_{schedule}, facts_{schedule.facts()}, turns_(asSize(facts_.ranks)), matched_(turns_.size()) {}

const Turn& Pairing::ask(Rank rank, Round round) {
    Turn& turn = turns_[rank.index()];
    schedule_.turn(rank, round, turn);
    return turn;
}

void Pairing::checkBothEnds(Round round) {
    std::fill(matched_.begin(), matched_.end(), std::size_t{0});
    Matches matches{turns_};
    for (std::size_t r = 0; r < ranks(); ++r) checkReceives(round, rankAt(r), matches);
    for (std::size_t r = 0; r < ranks(); ++r)
        if (matched_[r] != turns_[r].sends().size()) refuteUnreceived(round, rankAt(r));
}

/// "rank 3 sends to ranks 4 and 5 then", of a sender whose message somebody waits for in vain.
std::string Pairing::instead(Rank sender) const {
    const auto sends = turnOf(sender).sends();
    if (sends.empty()) return text("rank ", sender, " sends nothing then");
    std::string peers;
    for (std::size_t i = 0; i < sends.size(); ++i)
        peers += text(i == 0 ? "" : i + 1 == sends.size() ? " and " : ", ", sends[i].peer);
    return text("rank ", sender, " sends to rank", sends.size() == 1 ? " " : "s ", peers, " then");
}

/// Each receive of `rank` must have its own matching send: the i-th from a peer is that peer's i-th to it.
void Pairing::checkReceives(Round round, Rank rank, Matches& matches) {
    const auto receives = turnOf(rank).receives();
    for (std::size_t i = 0; i < receives.size(); ++i) {
        const Message& receive = receives[i];
        if (!exists(receive.peer))
            refute({.round = round, .rank = rank, .from = receive.peer, .to = rank}, "rank ", rank,
                   " receives from rank ", receive.peer, ", which does not exist");
        const Message* send = matches.sendFor(rank, i);
        if (send == nullptr)
            refute({.round = round, .rank = rank, .from = receive.peer, .to = rank}, "rank ", rank,
                   " expects a message from rank ", receive.peer, " that is not sent; ", instead(receive.peer));
        const auto sent = turnOf(receive.peer).ranges(*send);
        const auto expected = turnOf(rank).ranges(receive);
        if (send->bytes != receive.bytes || !std::equal(sent.begin(), sent.end(), expected.begin(), expected.end()))
            refute({.round = round, .rank = receive.peer, .from = receive.peer, .to = rank}, "rank ", receive.peer,
                   " sends ", send->bytes, " bytes to rank ", rank, ", which expects ",
                   receive.bytes == send->bytes ? "others" : text(receive.bytes));
        ++matched_[receive.peer.index()];
    }
}

void Pairing::refuteUnreceived(Round round, Rank rank) const {
    for (const Message& send : turnOf(rank).sends()) {
        const Place place{.round = round, .rank = rank, .from = rank, .to = send.peer};
        if (!exists(send.peer)) refute(place, "rank ", rank, " sends to rank ", send.peer, ", which does not exist");
        const auto count = [&](std::span<const Message> side, Rank peer) {
            return std::count_if(side.begin(), side.end(), [&](const Message& m) { return m.peer == peer; });
        };
        if (count(turnOf(rank).sends(), send.peer) > count(turnOf(send.peer).receives(), rank))
            refute(place, "rank ", rank, " sends to rank ", send.peer, ", which does not receive it");
    }
    throw Defect{"a send without a receive was counted but not found"};
}

std::optional<CounterExample> Pairing::firstUnpaired(const Progress& progress) {
    try {
        for (Round round{0}; round.value < facts_.rounds; ++round) {
            for (std::size_t r = 0; r < ranks(); ++r) ask(rankAt(r), round);
            checkBothEnds(round);
            progress.at(static_cast<double>(round.value + 1) / static_cast<double>(facts_.rounds));
        }
    } catch (const CounterExample& found) {
        return found;
    }
    return std::nullopt;
}

}  // namespace engine
