// SPDX-License-Identifier: BSD-3-Clause
#include "engine/pairing.hpp"

#include "engine/error.hpp"

#include <algorithm>

namespace engine {
namespace {

Rank rankAt(std::size_t r) { return Rank{static_cast<std::int32_t>(r)}; }

/// The one of `mine`, the messages of `rank`, that matches message `i` of its peer's.
const Message* match(std::span<const Message> theirs, std::size_t i, std::span<const Message> mine, Rank rank) {
    const auto place = placeOf(mine, rank, ordinalOf(theirs, i));
    return place ? &mine[*place] : nullptr;
}

}  // namespace

const Message* sendFor(std::span<const Turn> turns, Rank rank, std::size_t i) {
    const auto receives = turns[rank.index()].receives();
    return match(receives, i, turns[receives[i].peer.index()].sends(), rank);
}

const Message* receiveFor(std::span<const Turn> turns, Rank rank, std::size_t i) {
    const auto sends = turns[rank.index()].sends();
    return match(sends, i, turns[sends[i].peer.index()].receives(), rank);
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
    for (std::size_t r = 0; r < ranks(); ++r) checkReceives(round, rankAt(r));
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
void Pairing::checkReceives(Round round, Rank rank) {
    const auto receives = turnOf(rank).receives();
    for (std::size_t i = 0; i < receives.size(); ++i) {
        const Message& receive = receives[i];
        if (!exists(receive.peer))
            refute({.round = round, .rank = rank, .from = receive.peer, .to = rank}, "rank ", rank,
                   " receives from rank ", receive.peer, ", which does not exist");
        const Message* send = sendFor(turns_, rank, i);
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
