// SPDX-License-Identifier: BSD-3-Clause
#include "engine/stages/intergroup_pieces.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <tuple>

namespace engine::stages {
namespace {

using Indices = std::vector<std::int32_t>;

std::vector<Cut> cutLine(const Layout& layout, std::int32_t first, std::int32_t senders, std::int32_t receivers) {
    std::vector<Cut> pieces;
    const Range line = layout.blocks(first, senders);
    std::int32_t receiver = 0;
    for (std::int32_t sender = 0; sender < senders; ++sender) {
        const Range block = layout.block(first + sender);
        for (Bytes at = block.begin; at < block.end;) {
            while (piece(line, receivers, receiver).end <= at) ++receiver;
            const Bytes end = std::min(block.end, piece(line, receivers, receiver).end);
            pieces.push_back({sender, receiver, {at, end}});
            at = end;
        }
    }
    return pieces;
}

/// An order of all pieces that agrees with the paper's order at every sender and receiver.
Indices paperOrder(const std::vector<Cut>& pieces) {
    const auto count = static_cast<std::int32_t>(pieces.size());
    const auto turn = [&](std::int32_t i) {
        const auto same = [&](std::int32_t other, auto member) {
            return other >= 0 && other < count && pieces[asSize(other)].*member == pieces[asSize(i)].*member;
        };
        const bool alone = !same(i - 1, &Cut::receiver) && !same(i + 1, &Cut::receiver);
        if (!alone && same(i + 1, &Cut::sender)) return 0;  // goes on to the next range
        if (!alone && same(i - 1, &Cut::sender)) return 2;  // began in an earlier one
        return 1;
    };
    Indices order(pieces.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return turn(a) < turn(b); });
    return order;
}

/// Pieces in the order in which they start when receivers take whoever is ready.
Indices greedyOrder(const std::vector<Cut>& pieces, std::int32_t receivers) {
    enum Kind : std::uint8_t { senderReady, receiverPicks };  // at one time, all get ready before anyone picks
    using Event = std::tuple<Bytes, Kind, std::int32_t>;      // when, what, and the sender's next piece or the receiver
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events;
    using Waiting = std::priority_queue<std::int32_t, Indices, std::greater<>>;
    std::vector<Waiting> waiting(asSize(receivers));
    std::vector<Bytes> freeAt(asSize(receivers));
    const auto count = static_cast<std::int32_t>(pieces.size());
    const auto at = [&](std::int32_t i) -> const Cut& { return pieces[asSize(i)]; };
    for (std::int32_t i = 0; i < count; ++i)
        if (i == 0 || at(i - 1).sender != at(i).sender) events.emplace(0, senderReady, i);
    Indices order;
    while (!events.empty()) {
        const auto [now, kind, which] = events.top();
        events.pop();
        if (kind == senderReady) {
            const auto receiver = asSize(at(which).receiver);
            waiting[receiver].push(which);
            events.emplace(std::max(now, freeAt[receiver]), receiverPicks, at(which).receiver);
            continue;
        }
        const auto receiver = asSize(which);
        if (waiting[receiver].empty() || freeAt[receiver] > now) continue;
        const std::int32_t i = waiting[receiver].top();
        waiting[receiver].pop();
        order.push_back(i);
        freeAt[receiver] = now + at(i).bytes.size();
        if (i + 1 < count && at(i + 1).sender == at(i).sender) events.emplace(freeAt[receiver], senderReady, i + 1);
        if (!waiting[receiver].empty()) events.emplace(freeAt[receiver], receiverPicks, which);
    }
    return order;
}

Indices orderOf(const std::vector<Cut>& pieces, std::int32_t receivers, CutOrder order) {
    if (order == CutOrder::paper) return paperOrder(pieces);
    if (order == CutOrder::greedy) return greedyOrder(pieces, receivers);
    Indices line(pieces.size());
    std::iota(line.begin(), line.end(), 0);
    return line;
}

Indices sortedBy(const std::vector<Cut>& pieces, std::int32_t Cut::*end) {
    Indices sorted(pieces.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    const auto key = [&](std::int32_t i) {
        const Cut& cut = pieces[asSize(i)];
        return std::pair{cut.*end, cut.round};
    };
    std::sort(sorted.begin(), sorted.end(), [&](auto a, auto b) { return key(a) < key(b); });
    return sorted;
}

const Cut* find(const std::vector<Cut>& pieces, const Indices& sorted, std::int32_t Cut::*end, std::int32_t rank,
                Round round) {
    const auto key = [&](std::int32_t i) {
        const Cut& cut = pieces[asSize(i)];
        return std::pair{cut.*end, Round{cut.round}};
    };
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair{rank, round},
                                        [&](std::int32_t i, const auto& wanted) { return key(i) < wanted; });
    if (found == sorted.end() || key(*found) != std::pair{rank, round}) return nullptr;
    return &pieces[asSize(*found)];
}

}  // namespace

IntergroupPieces::IntergroupPieces(const Layout& layout, std::int32_t first, std::int32_t senders,
                                   std::int32_t receivers, CutOrder order)
    : pieces_{cutLine(layout, first, senders, receivers)} {
    Indices nextOfSender(asSize(senders));
    Indices nextOfReceiver(asSize(receivers));
    for (const std::int32_t i : orderOf(pieces_, receivers, order)) {
        Cut& cut = pieces_[asSize(i)];
        std::int32_t& sends = nextOfSender[asSize(cut.sender)];
        std::int32_t& receives = nextOfReceiver[asSize(cut.receiver)];
        cut.round = std::max(sends, receives);
        sends = receives = cut.round + 1;
        rounds_ = std::max<std::int64_t>(rounds_, cut.round + 1);
    }
    bySender_ = sortedBy(pieces_, &Cut::sender);
    byReceiver_ = sortedBy(pieces_, &Cut::receiver);
}

const Cut* IntergroupPieces::sentBy(std::int32_t sender, Round round) const {
    return find(pieces_, bySender_, &Cut::sender, sender, round);
}

const Cut* IntergroupPieces::receivedBy(std::int32_t receiver, Round round) const {
    return find(pieces_, byReceiver_, &Cut::receiver, receiver, round);
}

}  // namespace engine::stages
