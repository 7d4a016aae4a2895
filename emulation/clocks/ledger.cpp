// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/clocks/ledger.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace emulation {

using engine::Bytes;
using engine::Picoseconds;
using engine::Rank;
using engine::Round;

namespace {

/// The contributions of a partial result as ranges of their numbers, in order; falling stretches one by one.
void asRanges(const engine::Partial& partial, std::vector<engine::Range>& out) {
    out.clear();
    for (const auto& [first, last] : partial.stretches()) {
        if (first <= last) out.push_back({first, Bytes{last} + 1});
        else
            for (Bytes term = first; term >= last; --term) out.push_back({term, term + 1});
    }
}

}  // namespace

Ledger::Ledger(const engine::Plan& plan, std::int64_t budget, Counting counting)
    : schedule_{*plan.schedule},
      left_{budget},
      byMessage_{counting == Counting::byMessage || schedule_.facts().ports > 1 ||
                 schedule_.facts().uncoupled.count > 0},
      last_(engine::asSize(schedule_.facts().ranks)),
      stays_(last_.size()) {
    const engine::Facts& facts = schedule_.facts();
    run_.ranks = facts.ranks;
    run_.rounds = facts.rounds;
    run_.stages = facts.stages;
    run_.perRank.resize(last_.size());
    run_.perRound.resize(engine::asSize(facts.rounds));
    if (budget > 0) turns_.resize(last_.size());
    if (budget > 0 && engine::isReduction(plan.problem.collective)) partials_.emplace(facts, plan.problem.ranks());
}

void Ledger::open(Round round, const engine::Batch& batch) {
    inRound_ = &run_.perRound[round.index()];
    inRound_->begin = Picoseconds{std::numeric_limits<std::int64_t>::max()};
    batch_ = &batch;
    sender_ = -1;
    if (left_ > 0)
        for (std::size_t r = 0; r < turns_.size(); ++r)
            schedule_.turn(Rank{static_cast<std::int32_t>(r)}, round, turns_[r]);
}

void Ledger::keep(const engine::MessageRecord& record) {
    if (record.from.value != sender_) place_ = 0;
    sender_ = record.from.value;
    const engine::Turn& turn = turns_[engine::asSize(sender_)];
    const engine::Message& send = turn.sends()[place_++];
    if (partials_) asRanges(partials_->carried(record.from, send), terms_);
    run_.messages.push(record, partials_ ? std::span<const engine::Range>{terms_} : turn.ranges(send));
    --left_;
}

void Ledger::noteBusy(const engine::MessageRecord& record) {
    inRound_->end = std::max(inRound_->end, record.sendEnd);  // of a slow sender
    busyNow_.push_back({record.from, record.sendBegin, record.sendEnd});
    busyNow_.push_back({record.to, record.receiveBegin, record.receiveEnd});
}

void Ledger::close(Round round, std::span<const Picoseconds> begin, std::span<const Picoseconds> end,
                   std::span<const Moment> moments) {
    if (inRound_->messages == 0) inRound_->begin = Picoseconds{};
    run_.messageCount += inRound_->messages;
    run_.byteCount += inRound_->bytes;
    // Until strands join, messages of different rounds overlap.
    if (!byMessage_) countBusyByTurn(begin, moments);
    else if (schedule_.facts().joins(round)) countBusyByMessage();
    markStage(round, *batch_, begin, end);
    if (partials_ && left_ > 0) partials_->apply(turns_);
}

/// A moment that ended by the begin of the turn is of an older round: nothing was sent, or received, in this one.
void Ledger::countBusyByTurn(std::span<const Picoseconds> begin, std::span<const Moment> moments) {
    for (std::size_t r = 0; r < last_.size(); ++r) {
        const Moment& moment = moments[r];
        const Picoseconds sending = std::max(moment.sendEnd - begin[r], Picoseconds{});
        const bool receives = moment.receiveEnd > begin[r];
        const Picoseconds receiving = receives ? moment.receiveEnd - moment.receiveBegin : Picoseconds{};
        const Picoseconds both =
            receives ? std::max(std::min(moment.sendEnd, moment.receiveEnd) - moment.receiveBegin, Picoseconds{})
                     : Picoseconds{};
        run_.perRank[r].busy += sending + receiving - both;
        last_[r] = std::max({last_[r], moment.sendEnd, moment.receiveEnd});
    }
}

void Ledger::countBusyByMessage() {
    std::sort(busyNow_.begin(), busyNow_.end(), [](const Busy& a, const Busy& b) {
        return std::tuple{a.rank, a.begin, a.end} < std::tuple{b.rank, b.begin, b.end};
    });
    Rank rank{-1};
    Picoseconds until{};
    for (const Busy& busy : busyNow_) {
        if (busy.rank != rank) until = busy.begin;
        rank = busy.rank;
        const auto r = rank.index();
        run_.perRank[r].busy += std::max(busy.end - std::max(busy.begin, until), Picoseconds{});
        until = std::max(until, busy.end);
        last_[r] = std::max(last_[r], busy.end);
    }
    busyNow_.clear();
}

void Ledger::markStage(Round round, const engine::Batch& batch, std::span<const Picoseconds> begin,
                       std::span<const Picoseconds> end) {
    const auto& stages = run_.stages;
    if (stages.empty()) return;
    const auto within = [&](int stage) {
        const auto& s = stages[engine::asSize(stage)];
        return stage >= 0 && s.first <= round && round < s.first + s.rounds;
    };
    if (stage_ < 0 || !within(stage_)) {
        closeStage();
        stage_ = schedule_.stageOf(round);
    }
    if (stage_ < 0) return;
    const auto mark = [&](std::int32_t rank) {
        const auto r = engine::asSize(rank);
        if (stays_[r].begin.count() < 0) stays_[r].begin = begin[r];
        stays_[r].end = end[r];
    };
    for (std::size_t i = 0; i < batch.size(); ++i) {
        mark(batch.from()[i]);
        mark(batch.to()[i]);
    }
}

void Ledger::closeStage() {
    if (stage_ < 0) return;
    for (std::size_t r = 0; r < stays_.size(); ++r) {
        if (stays_[r].begin.count() < 0) continue;
        run_.spans.push_back({Rank{static_cast<std::int32_t>(r)}, stage_, stays_[r].begin, stays_[r].end});
        stays_[r] = {};
    }
}

engine::Run Ledger::finish(const engine::Conveyor& conveyor, ConveyorTimes times) {
    const Picoseconds duration = *std::max_element(times.last.begin(), times.last.end());
    run_.messageCount = run_.byteCount = 0;
    run_.perRound = std::move(times.perRound);
    for (const engine::RoundTimes& round : run_.perRound) {
        run_.messageCount += round.messages;
        run_.byteCount += round.bytes;
    }
    stage_ = run_.stages.empty() ? -1 : 0;
    for (std::size_t place = 0; place < times.last.size(); ++place) {
        const auto r = conveyor.rankAt.empty() ? place : engine::asSize(conveyor.rankAt[place]);
        last_[r] = times.last[place];
        run_.perRank[r].busy = times.busy[place];
        stays_[r] = {times.first[place], times.done[place]};
    }
    return finish(duration);
}

engine::Run Ledger::finish(Picoseconds duration) {
    closeStage();
    std::sort(run_.spans.begin(), run_.spans.end(), [](const engine::StageSpan& a, const engine::StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    run_.duration = duration;
    run_.droppedMessages = run_.messageCount - static_cast<std::int64_t>(run_.messages.size());
    for (std::size_t r = 0; r < last_.size(); ++r) {
        engine::RankTimes& times = run_.perRank[r];
        times.wait = last_[r] - times.busy;
        times.idle = duration - last_[r];
    }
    return std::move(run_);
}

}  // namespace emulation
