// SPDX-License-Identifier: BSD-3-Clause
#include "app/session/proofs/listing.hpp"

#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>

namespace app {
namespace {

using engine::Message;
using engine::Partials;
using engine::Rank;
using engine::Round;
using engine::Turn;

using Listener = std::function<void(const Telling&)>;

void tellSends(Round round, Rank from, const Turn& turn, std::optional<Rank> to, const Listener& listener) {
    for (const Message& send : turn.sends())
        if (!to || send.peer == *to)
            listener({.round = round, .from = from, .to = send.peer, .bytes = send.bytes, .ranges = turn.ranges(send)});
}

/// The ranks whose sends concern `rank` in this round: itself and those it receives from, each once, rising.
std::vector<Rank> sendersFor(Rank rank, const Turn& turn) {
    std::vector<Rank> senders{rank};
    for (const Message& receive : turn.receives()) senders.push_back(receive.peer);
    std::sort(senders.begin(), senders.end());
    senders.erase(std::unique(senders.begin(), senders.end()), senders.end());
    return senders;
}

void tellGather(const engine::Schedule& schedule, const Cut& cut, const Listener& listener,
                const engine::Progress& progress) {
    Turn turn;
    for (Round round = cut.first; round < cut.last; ++round) {
        progress.at(static_cast<double>(round - cut.first) / static_cast<double>(cut.last - cut.first));
        if (!cut.rank) {
            for (Rank rank{0}; rank.value < schedule.facts().ranks; ++rank) {
                schedule.turn(rank, round, turn);
                tellSends(round, rank, turn, std::nullopt, listener);
            }
            continue;
        }
        schedule.turn(*cut.rank, round, turn);
        for (const Rank sender : sendersFor(*cut.rank, turn)) {
            schedule.turn(sender, round, turn);
            tellSends(round, sender, turn, sender == *cut.rank ? std::nullopt : cut.rank, listener);
        }
    }
}

std::size_t asPlace(const Message* receive, const Turn& turn) {
    return static_cast<std::size_t>(receive - turn.receives().data());
}

Partials tellReduction(const engine::Plan& plan, const Cut& cut, const Listener& listener,
                       const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan.schedule;
    Partials partials{schedule.facts(), plan.problem};
    std::vector<Turn> turns(static_cast<std::size_t>(schedule.facts().ranks));
    const std::int64_t rounds = schedule.facts().rounds;
    for (Round round{0}; round.value < rounds; ++round) {
        progress.at(static_cast<double>(round.value) / static_cast<double>(rounds));
        for (std::size_t r = 0; r < turns.size(); ++r)
            schedule.turn(Rank{static_cast<std::int32_t>(r)}, round, turns[r]);
        engine::Matches matches{turns};
        const bool told = cut.first <= round && round < cut.last;
        for (std::size_t r = 0; r < turns.size() && told; ++r) {
            const Rank from{static_cast<std::int32_t>(r)};
            for (std::size_t i = 0; i < turns[r].sends().size(); ++i) {
                const Message& send = turns[r].sends()[i];
                if (cut.rank && from != *cut.rank && send.peer != *cut.rank) continue;
                const Message* receive = matches.receiveFor(from, i);
                const engine::PartialVector carried = partials.carried(from, turns[r], send);
                listener({.round = round,
                          .from = from,
                          .to = send.peer,
                          .bytes = send.bytes,
                          .ranges = {},
                          .terms = &carried,
                          .whole = !schedule.facts().pieces,
                          .action = receive == nullptr ? engine::Action::keep : receive->action,
                          .slot = send.slots,
                          .into = receive == nullptr ? engine::Slots{1} : receive->slots,
                          .place = receive == nullptr ? 0 : asPlace(receive, turns[send.peer.index()])});
            }
        }
        partials.apply(turns);
    }
    return partials;
}

}  // namespace

Cut wholeOf(const engine::Schedule& schedule) { return {Round{0}, Round{schedule.facts().rounds}, std::nullopt}; }

std::optional<Partials> tell(const engine::Plan& plan, const Cut& cut, const Listener& listener,
                             const engine::Progress& progress) {
    if (isReduction(plan.problem.collective)) return tellReduction(plan, cut, listener, progress);
    tellGather(*plan.schedule, cut, listener, progress);
    return std::nullopt;
}

}  // namespace app
