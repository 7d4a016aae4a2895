// SPDX-License-Identifier: BSD-3-Clause
#include "app/analysis/messages/schedule_totals.hpp"

#include "engine/base/by_id.hpp"
#include "engine/schedule/ring_shift.hpp"

#include <algorithm>
#include <vector>

namespace app::analysis {

using engine::Bytes;
using engine::Range;
using engine::Rank;
using engine::Round;

namespace {

/// Whether these are the bytes of one contribution, all of them and no others.
bool isWhole(const engine::Layout& layout, std::span<const Range> ranges) {
    if (ranges.empty()) return true;
    return ranges.size() == 1 && ranges[0].begin >= 0 && ranges[0].end <= layout.total() &&
           layout.block(layout.blockAt(ranges[0].begin)) == ranges[0];
}

Bytes largestOf(const engine::ById<Rank, Bytes>& sent, const engine::ById<Rank, Bytes>& received) {
    Bytes most = 0;
    for (const auto* side : {&sent, &received})
        for (const Bytes bytes : side->vector()) most = std::max(most, bytes);
    return most;
}

/// What follows each other where messages take the ports in turn.
struct Queue {
    std::int64_t messages = 0;
    Bytes bytes = 0;
};
Queue queueOf(std::span<const engine::Message> messages, int ports) {
    std::vector<Bytes> through(engine::asSize(ports));
    for (std::size_t i = 0; i < messages.size(); ++i) through[i % through.size()] += messages[i].bytes;
    const auto count = static_cast<std::int64_t>(messages.size());
    return {(count + ports - 1) / ports, *std::max_element(through.begin(), through.end())};
}

/// Of blocks 0..i-1 of a ring shift.
struct BlocksBefore {
    std::int64_t messages = 0;  ///< that they are, each sent once
    Bytes bytes = 0;
    std::int64_t parts = 0;  ///< blocks that are not one contribution

    friend BlocksBefore operator-(BlocksBefore a, const BlocksBefore& b) {
        return {a.messages - b.messages, a.bytes - b.bytes, a.parts - b.parts};
    }
    friend BlocksBefore operator+(BlocksBefore a, const BlocksBefore& b) {
        return {a.messages + b.messages, a.bytes + b.bytes, a.parts + b.parts};
    }
};

/// Adds up what the places of a ring shift send without a look at every turn: each sends consecutive blocks.
void addRingShift(const engine::RingShift& ringShift, const engine::Layout& layout, Totals& totals) {
    std::vector<BlocksBefore> before(1);
    for (const Range& block : ringShift.blocks)
        before.push_back(before.back() + BlocksBefore{!block.empty() || ringShift.sendsEmpty ? 1 : 0, block.size(),
                                                      block.empty() || isWhole(layout, {&block, 1}) ? 0 : 1});
    const auto all = static_cast<std::int64_t>(ringShift.blocks.size());
    const std::int32_t places = ringShift.places();
    const auto rankAt = [&](std::int32_t place) {
        return Rank{ringShift.rankAt.empty() ? place : ringShift.rankAt[engine::asSize(place)]};
    };
    ConnectionCount connections{places};
    for (std::int32_t place = 0; place < places; ++place) {
        // The first block is sent first, then the one before it, round the belt and perhaps round it again.
        const std::int64_t count = ringShift.rounds[engine::asSize(place)];
        const std::int64_t end = ringShift.first[engine::asSize(place)] + 1;
        BlocksBefore sent;
        for (std::int64_t round = 0; round < count / all; ++round) sent = sent + before.back();
        const std::int64_t left = count % all;
        sent = sent + before[engine::asSize(end)] - before[engine::asSize(std::max<std::int64_t>(end - left, 0))];
        if (left > end) sent = sent + before.back() - before[engine::asSize(all - (left - end))];
        totals.messages += sent.messages;
        totals.bytes += sent.bytes;
        totals.busiest = std::max(totals.busiest, sent.bytes);  // and its neighbour receives as much
        totals.wholeContributions = totals.wholeContributions && sent.parts == 0;
        if (sent.messages > 0) connections.add(rankAt(place), rankAt(place + 1 == places ? 0 : place + 1));
    }
    totals.connections = connections.finish();
}

}  // namespace

std::optional<Totals> totalsOf(const engine::Plan& plan, const engine::Progress& progress) {
    const engine::Facts& facts = plan.schedule->facts();
    if (facts.ranks * facts.rounds > countedTurns) return std::nullopt;
    const engine::Layout& layout = plan.problem.layout;
    Totals totals{.wholeContributions = layout.largest() > 0 && !isReduction(plan.problem.collective)};
    const int ports = plan.problem.ports;
    totals.queued = facts.ports > ports;
    if (const auto* ring = dynamic_cast<const engine::RingShiftSchedule*>(plan.schedule.get());
        ring && !totals.queued) {
        addRingShift(ring->ringShift(), layout, totals);
        return totals;
    }
    engine::ById<Rank, Bytes> sent(facts.ranks);
    engine::ById<Rank, Bytes> received(facts.ranks);
    ConnectionCount connections{facts.ranks};
    engine::Turn turn;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        Queue longest;
        progress.at(static_cast<double>(round.value) / static_cast<double>(facts.rounds));
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            plan.schedule->turn(rank, round, turn);
            for (const auto messages : {turn.sends(), turn.receives()}) {
                if (!totals.queued || messages.empty()) continue;
                const Queue queue = queueOf(messages, ports);
                longest.messages = std::max(longest.messages, queue.messages);
                longest.bytes = std::max(longest.bytes, queue.bytes);
            }
            for (const engine::Message& send : turn.sends()) {
                ++totals.messages;
                totals.bytes += send.bytes;
                sent[rank] += send.bytes;
                received[send.peer] += send.bytes;
                connections.add(rank, send.peer);
                totals.wholeContributions = totals.wholeContributions && isWhole(layout, turn.ranges(send));
            }
        }
        totals.startups += longest.messages;
        totals.serializedBytes += longest.bytes;
    }
    totals.busiest = largestOf(sent, received);
    totals.connections = connections.finish();
    return totals;
}

Bytes busiestRankOf(const engine::Run& run) {
    engine::ById<Rank, Bytes> sent(run.ranks);
    engine::ById<Rank, Bytes> received(run.ranks);
    for (std::size_t m = 0; m < run.messages.size(); ++m) {
        sent[run.messages.from()[m]] += run.messages.bytes()[m];
        received[run.messages.to()[m]] += run.messages.bytes()[m];
    }
    return largestOf(sent, received);
}

}  // namespace app::analysis
