// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run.hpp"

#include "engine/error.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <numeric>

namespace engine {

void Messages::reserve(std::size_t messages) {
    from_.reserve(messages);
    to_.reserve(messages);
    round_.reserve(messages);
    bytes_.reserve(messages);
    sendBegin_.reserve(messages);
    sendEnd_.reserve(messages);
    receiveBegin_.reserve(messages);
    receiveEnd_.reserve(messages);
    whatStart_.reserve(messages + 1);
}

void Messages::push(const MessageRecord& message, std::span<const Range> what) {
    from_.push_back(message.from);
    to_.push_back(message.to);
    round_.push_back(message.round);
    bytes_.push_back(message.bytes);
    sendBegin_.push_back(message.sendBegin);
    sendEnd_.push_back(message.sendEnd);
    receiveBegin_.push_back(message.receiveBegin);
    receiveEnd_.push_back(message.receiveEnd);
    what_.insert(what_.end(), what.begin(), what.end());
    whatStart_.push_back(what_.size());
}

double stillShare(const Run& run) {
    if (run.duration.count() == 0 || run.perRank.empty()) return 0;
    double still = 0;
    for (const RankTimes& times : run.perRank) still += static_cast<double>((times.wait + times.idle).count());
    return still / (static_cast<double>(run.duration.count()) * static_cast<double>(run.perRank.size()));
}

RunBuilder::RunBuilder(std::int32_t ranks, std::int64_t rounds, std::vector<Stage> stages, std::int64_t budget)
    : budget_{budget}, openSpan_(asSize(ranks)), busy_(asSize(ranks)) {
    run_.ranks = ranks;
    run_.rounds = rounds;
    run_.stages = std::move(stages);
    run_.perRound.resize(asSize(rounds));
}

void RunBuilder::turn(const TurnRecord& turn) {
    run_.duration = std::max(run_.duration, turn.end);
    const auto& stages = run_.stages;
    std::size_t& open = openSpan_[turn.rank.index()];
    const auto next = std::upper_bound(stages.begin(), stages.end(), turn.round,
                                       [](Round round, const Stage& stage) { return round < stage.first; });
    if (next == stages.begin()) return;
    const auto stage = static_cast<std::int32_t>(next - stages.begin() - 1);
    if (open != 0 && run_.spans[open - 1].stage == stage) {
        StageSpan& span = run_.spans[open - 1];
        span.begin = std::min(span.begin, turn.begin);
        span.end = std::max(span.end, turn.end);
        return;
    }
    run_.spans.push_back({turn.rank, stage, turn.begin, turn.end});
    open = run_.spans.size();
}

void RunBuilder::message(const MessageRecord& message, std::span<const Range> what) {
    ENSURE(message.round.value < run_.rounds, "a message outside the announced rounds");
    ++run_.messageCount;
    run_.byteCount += message.bytes;
    RoundTimes& round = run_.perRound[message.round.index()];
    const Picoseconds begin = std::min(message.sendBegin, message.receiveBegin);
    const Picoseconds end = std::max(message.sendEnd, message.receiveEnd);
    round.begin = round.messages == 0 ? begin : std::min(round.begin, begin);
    round.end = std::max(round.end, end);
    ++round.messages;
    round.bytes += message.bytes;
    round.largest = std::max(round.largest, message.bytes);
    run_.duration = std::max(run_.duration, end);
    note(message.from, message.sendBegin, message.sendEnd);
    note(message.to, message.receiveBegin, message.receiveEnd);
    if (static_cast<std::int64_t>(kept_.size()) >= budget_) {
        ++run_.droppedMessages;
        return;
    }
    kept_.push_back({message, static_cast<std::uint32_t>(what_.size()), static_cast<std::uint32_t>(what.size())});
    what_.insert(what_.end(), what.begin(), what.end());
}

/// Counts [begin, end) as busy. Mostly it is the rank's latest interval; but where strands do not join, or messages
/// are told late, it may lie among older ones.
void RunBuilder::note(Rank rank, Picoseconds begin, Picoseconds end) {
    std::vector<Interval>& busy = busy_[rank.index()];
    auto last = busy.end();
    while (last != busy.begin() && std::prev(last)->first > end) --last;
    auto first = last;
    while (first != busy.begin() && std::prev(first)->second >= begin) {
        --first;
        begin = std::min(begin, first->first);
        end = std::max(end, first->second);
    }
    if (first == last) {
        busy.insert(last, {begin, end});
        return;
    }
    *first = {begin, end};
    busy.erase(first + 1, last);
}

Run RunBuilder::finish() {
    run_.perRank.resize(busy_.size());
    for (std::size_t rank = 0; rank < busy_.size(); ++rank) {
        RankTimes& times = run_.perRank[rank];
        for (const auto& [begin, end] : busy_[rank]) times.busy += end - begin;
        const Picoseconds last = busy_[rank].empty() ? Picoseconds{} : busy_[rank].back().second;
        times.idle = run_.duration - last;
        times.wait = last - times.busy;
    }
    // Executors may tell messages in any order; readers find them by round, sender and place in the sender's turn.
    std::vector<std::size_t> order(kept_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t i) {
        const MessageRecord& m = kept_[i].message;
        return std::tuple{m.round, m.from};
    };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    run_.messages.reserve(kept_.size());
    for (const std::size_t i : order)
        run_.messages.push(kept_[i].message, std::span{what_}.subspan(kept_[i].firstWhat, kept_[i].whatCount));
    std::sort(run_.spans.begin(), run_.spans.end(), [](const StageSpan& a, const StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    return std::move(run_);
}

}  // namespace engine
