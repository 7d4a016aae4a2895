// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/run_recorder.hpp"

#include "engine/base/bounded.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace emulation {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using engine::Round;

void asRanges(const engine::Partial& partial, std::vector<engine::Range>& out) {
    out.clear();
    for (const auto& [first, last] : partial.stretches()) {
        if (first <= last) out.push_back({first, Bytes{last} + 1});
        else
            for (Bytes term = first; term >= last; --term) out.push_back({term, term + 1});
    }
}

RunRecorder::RunRecorder(const engine::Plan& plan, std::int64_t budget, Counting counting)
    : schedule_{*plan.schedule},
      left_{budget},
      byMessage_{counting == Counting::byMessage || schedule_.facts().ports > 1 ||
                 schedule_.facts().uncoupled.count > 0},
      busy_(engine::asSize(schedule_.facts().ranks)),
      spans_{schedule_.facts().stages, schedule_.facts().ranks} {
    const engine::Facts& facts = schedule_.facts();
    run_.ranks = facts.ranks;
    run_.rounds = facts.rounds;
    run_.stages = facts.stages;
    run_.perRound.resize(engine::asSize(facts.rounds));
    if (budget > 0) turns_.resize(busy_.size());
    if (budget > 0 && engine::isReduction(plan.problem.collective) && !facts.pieces)
        partials_.emplace(facts, plan.problem);
}

void RunRecorder::open(Round round, const engine::Batch& batch) {
    inRound_ = &run_.perRound[round.index()];
    batch_ = &batch;
    sender_ = -1;
    keepsRound_ = left_ > 0;
    if (keepsRound_)
        for (std::size_t r = 0; r < turns_.size(); ++r)
            schedule_.turn(Rank{static_cast<std::int32_t>(r)}, round, turns_[r]);
}

void RunRecorder::keep(const engine::MessageRecord& record) {
    if (record.from.value != sender_) place_ = 0;
    sender_ = record.from.value;
    const engine::Turn& turn = turns_[engine::asSize(sender_)];
    const engine::Message& send = turn.sends()[place_++];
    if (partials_) asRanges(partials_->read(record.from, send).whole(), terms_);
    run_.messages.push(record, partials_ ? std::span<const engine::Range>{terms_} : turn.ranges(send));
    --left_;
}

void RunRecorder::noteBusy(const engine::MessageRecord& record) {
    busyNow_.push_back({record.from, record.sendBegin, record.sendEnd});
    busyNow_.push_back({record.to, record.receiveBegin, record.receiveEnd});
}

void RunRecorder::close(Round round, std::span<const Picoseconds> begin, std::span<const Picoseconds> end,
                        std::span<const Moment> moments) {
    run_.messageCount += inRound_->messages;
    engine::addBytes(run_.byteCount, inRound_->bytes);
    // Until strands join, messages of different rounds overlap.
    if (!byMessage_) countBusyByTurn(begin, moments);
    countCombined();
    if (byMessage_ && schedule_.facts().joins(round)) countBusyByMessage();
    markStage(round, *batch_, begin, end);
    if (partials_ && left_ > 0) partials_->apply(turns_);
}

/// What stands there of older rounds was counted then.
void RunRecorder::countBusyByTurn(std::span<const Picoseconds> begin, std::span<const Moment> moments) {
    for (std::size_t r = 0; r < busy_.size(); ++r) {
        busy_[r].add(begin[r], moments[r].sendEnd);
        busy_[r].add(moments[r].receiveBegin, moments[r].receiveEnd);
    }
}

/// Behind the messages of the round.
void RunRecorder::countCombined() {
    for (const engine::LocalWork& combining : combinedNow_) {
        if (byMessage_) busyNow_.push_back({combining.rank, combining.begin, combining.end});
        else busy_[combining.rank.index()].add(combining.begin, combining.end);
    }
    if (keepsRound_) run_.combining.insert(run_.combining.end(), combinedNow_.begin(), combinedNow_.end());
    combinedNow_.clear();
}

void RunRecorder::countBusyByMessage() {
    const auto sorted = [](std::span<Busy> part) {
        std::sort(part.begin(), part.end(), [](const Busy& a, const Busy& b) {
            return std::tuple{a.rank, a.begin, a.end} < std::tuple{b.rank, b.begin, b.end};
        });
    };
    if (busyNow_.size() < busy_.size()) sorted(busyNow_);
    else {
        // Where most ranks are busy, putting each rank's together first leaves next to nothing to sort.
        std::vector<std::size_t> ends(busy_.size() + 1);
        for (const Busy& busy : busyNow_) ++ends[busy.rank.index() + 1];
        std::partial_sum(ends.begin(), ends.end(), ends.begin());
        byRank_.resize(busyNow_.size());
        for (const Busy& busy : busyNow_) byRank_[ends[busy.rank.index()]++] = busy;
        std::size_t begin = 0;
        for (std::size_t rank = 0; rank < busy_.size(); begin = ends[rank++])
            sorted(std::span{byRank_}.subspan(begin, ends[rank] - begin));
        busyNow_.swap(byRank_);
    }
    for (const Busy& busy : busyNow_) busy_[busy.rank.index()].add(busy.begin, busy.end);
    busyNow_.clear();
}

void RunRecorder::markStage(Round round, const engine::Batch& batch, std::span<const Picoseconds> begin,
                            std::span<const Picoseconds> end) {
    const std::int32_t stage = schedule_.stageOf(round);
    const auto mark = [&](std::int32_t rank) {
        spans_.stay(Rank{rank}, stage, begin[engine::asSize(rank)], end[engine::asSize(rank)]);
    };
    for (std::size_t i = 0; stage >= 0 && i < batch.size(); ++i) {
        mark(batch.from()[i]);
        mark(batch.to()[i]);
    }
}

engine::Run RunRecorder::finish(const engine::RingShift& ringShift, RingShiftTimes times) {
    const Picoseconds duration = *std::max_element(times.last.begin(), times.last.end());
    run_.messageCount = run_.byteCount = 0;
    run_.perRound = std::move(times.perRound);
    for (const engine::RoundTimes& round : run_.perRound) {
        run_.messageCount += round.messages;
        engine::addBytes(run_.byteCount, round.bytes);
    }
    const std::int32_t stage = run_.stages.empty() ? -1 : 0;
    spans_ = {run_.stages, run_.ranks};
    for (std::size_t place = 0; place < times.last.size(); ++place) {
        const auto r = ringShift.rankAt.empty() ? place : engine::asSize(ringShift.rankAt[place]);
        busy_[r] = {times.busy[place], times.last[place]};
        spans_.stay(Rank{static_cast<std::int32_t>(r)}, stage, times.first[place], times.done[place]);
    }
    return finish(duration);
}

engine::Run RunRecorder::finish(Picoseconds duration) {
    run_.spans = spans_.finish();
    std::sort(run_.combining.begin(), run_.combining.end());
    run_.duration = duration;
    run_.droppedMessages = run_.messageCount - static_cast<std::int64_t>(run_.messages.size());
    run_.perRank.reserve(busy_.size());
    for (const engine::BusyTime& busy : busy_) run_.perRank.push_back(busy.in(duration));
    return std::move(run_);
}

}  // namespace emulation
