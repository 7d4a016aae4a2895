// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/run.hpp"

#include "engine/base/bounded.hpp"
#include "engine/base/error.hpp"
#include "engine/base/text.hpp"

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

std::vector<LocalWork> computingOf(const Run& run) {
    std::vector<LocalWork> found;
    for (const StageSpan& span : run.spans)
        if (run.stages[asSize(span.stage)].name == computingStage) found.push_back({span.rank, span.begin, span.end});
    return found;
}

std::vector<LocalWork> workOf(const Run& run) {
    std::vector<LocalWork> work = computingOf(run);
    work.insert(work.end(), run.combining.begin(), run.combining.end());
    std::sort(work.begin(), work.end());
    return work;
}

double idleShare(const Run& run) {
    if (run.duration.count() == 0 || run.perRank.empty()) return 0;
    double still = 0;
    for (const RankTimes& times : run.perRank)
        still += static_cast<double>((times.noCommunication + times.finishedEarly).count());
    return still / (static_cast<double>(run.duration.count()) * static_cast<double>(run.perRank.size()));
}

Bytes volumeOf(const Run& run) {
    Bytes volume = 0;
    for (const RoundTimes& round : run.perRound) volume += round.largest;
    return volume;
}

RunBuilder::RunBuilder(std::int32_t ranks, std::int64_t rounds, std::vector<Stage> stages, std::int64_t budget)
    : budget_{budget}, spans_{stages, ranks}, ports_(asSize(ranks)) {
    run_.ranks = ranks;
    run_.rounds = rounds;
    run_.stages = std::move(stages);
    run_.perRound.resize(asSize(rounds));
}

void RunBuilder::turn(const TurnRecord& turn) {
    run_.duration = std::max(run_.duration, turn.end);
    spans_.turn(turn.rank, turn.round, turn.begin, turn.end);
}

void RunBuilder::message(const MessageRecord& message, std::span<const Range> what) {
    ENSURE(message.round.value < run_.rounds, "a message outside the announced rounds");
    ++run_.messageCount;
    addBytes(run_.byteCount, message.bytes);
    run_.perRound[message.round.index()].add(message);
    run_.duration = std::max({run_.duration, message.sendEnd, message.receiveEnd});
    note(message.from, message.sendBegin, message.sendEnd);
    note(message.to, message.receiveBegin, message.receiveEnd);
    if (static_cast<std::int64_t>(kept_.size()) >= budget_) {
        ++run_.droppedMessages;
        return;
    }
    kept_.push_back({message, static_cast<std::uint32_t>(what_.size()), static_cast<std::uint32_t>(what.size())});
    what_.insert(what_.end(), what.begin(), what.end());
}

void RunBuilder::combined(const LocalWork& combining) {
    run_.duration = std::max(run_.duration, combining.end);
    note(combining.rank, combining.begin, combining.end);
    if (static_cast<std::int64_t>(kept_.size()) < budget_) run_.combining.push_back(combining);
}

void RunBuilder::computed(const LocalWork& computing) {
    run_.duration = std::max(run_.duration, computing.end);
    note(computing.rank, computing.begin, computing.end);
}

void RunBuilder::note(Rank rank, Picoseconds begin, Picoseconds end) {
    Ports& ports = ports_[rank.index()];
    ports.busy.add({begin, end});
    ports.last = std::max(ports.last, end);
}

Run RunBuilder::finish() {
    run_.perRank.reserve(ports_.size());
    for (const Ports& ports : ports_) {
        BusyTime time;
        for (const auto& [begin, end] : ports.busy.intervals()) time.add(begin, end);
        time.add(ports.last, ports.last);  // a message may end without having taken time
        run_.perRank.push_back(time.in(run_.duration));
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
    run_.spans = spans_.finish();
    std::sort(run_.combining.begin(), run_.combining.end());
    return std::move(run_);
}

}  // namespace engine
