// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/books.hpp"

#include "emulation/clocks/ledger.hpp"
#include "emulation/fair/routes.hpp"
#include "engine/error.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace emulation {

using engine::Picoseconds;
using engine::Round;

FairBooks::FairBooks(const engine::Plan& plan, const Network& network, std::int64_t budget,
                     const engine::Progress& progress)
    : plan_{plan}, budget_{budget} {
    const engine::Facts& facts = plan.schedule->facts();
    run_.ranks = facts.ranks;
    run_.rounds = facts.rounds;
    run_.stages = facts.stages;
    run_.perRank.resize(engine::asSize(facts.ranks));
    run_.perRound.resize(engine::asSize(facts.rounds));
    for (engine::RoundTimes& round : run_.perRound) round.begin = Picoseconds{std::numeric_limits<std::int64_t>::max()};
    busy_.resize(run_.perRank.size());
    stays_.resize(run_.perRank.size());
    walk(network, progress);
}

void FairBooks::walk(const Network& network, const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan_.schedule;
    const std::int64_t rounds = schedule.facts().rounds;
    LinkTally links{network, rounds};
    FairRoutes routes{network};
    engine::Batch batch;
    std::int64_t messages = 0;
    for (Round round{0}; round.value < rounds; ++round) {
        if (messages < budget_) keptBefore_ = round + 1;
        else if (network.links() == 0) break;
        batch.reset(run_.perRank.size());
        schedule.batch(round, Rank{0}, Rank{schedule.facts().ranks}, batch);
        messages += static_cast<std::int64_t>(batch.size());
        if (network.links() > 0) {
            for (std::size_t i = 0; i < batch.size(); ++i)
                links.add(routes(Rank{batch.from()[i]}, Rank{batch.to()[i]}), batch.bytes()[i]);
            links.closeRound(round);
        }
        if ((round.value & 63) == 0) progress.at(0);
    }
    congestion_ = links.finish();
}

void FairBooks::portBegins(Rank rank, Picoseconds now) {
    Busy& busy = busy_[rank.index()];
    if (busy.ports++ == 0) busy.since = now;
}

void FairBooks::portEnds(Rank rank, Picoseconds now) {
    Busy& busy = busy_[rank.index()];
    busy.last = std::max(busy.last, now);
    if (--busy.ports == 0) run_.perRank[rank.index()].busy += now - busy.since;
}

void FairBooks::moved(const Moved& message) {
    const engine::MessageRecord& record = message.record;
    engine::RoundTimes& round = run_.perRound[record.round.index()];
    ++round.messages;
    round.bytes += record.bytes;
    round.largest = std::max(round.largest, record.bytes);
    round.begin = std::min(round.begin, record.sendBegin);
    round.end = std::max(round.end, record.receiveEnd);
    if (record.round < keptBefore_) kept_.push_back(message);
}

void FairBooks::turn(const engine::TurnRecord& turn) {
    if (run_.stages.empty()) return;
    Stay& stay = stays_[turn.rank.index()];
    const auto within = [&](std::int32_t stage) {
        const engine::Stage& s = run_.stages[engine::asSize(stage)];
        return s.first <= turn.round && turn.round < s.first + s.rounds;
    };
    if (stay.stage < 0 || !within(stay.stage)) {
        closeStay(turn.rank);
        stay = {plan_.schedule->stageOf(turn.round), turn.begin, turn.end};
    }
    stay.begin = std::min(stay.begin, turn.begin);
    stay.end = std::max(stay.end, turn.end);
}

void FairBooks::closeStay(Rank rank) {
    const Stay& stay = stays_[rank.index()];
    if (stay.stage >= 0) run_.spans.push_back({rank, stay.stage, stay.begin, stay.end});
}

/// Replays the rounds that are kept, to learn what their messages carried.
void FairBooks::putInOrder(engine::Run& run) {
    std::sort(kept_.begin(), kept_.end(), [](const Moved& a, const Moved& b) {
        return std::tuple{a.record.round, a.record.from, a.record.to, a.ordinal} <
               std::tuple{b.record.round, b.record.from, b.record.to, b.ordinal};
    });
    const engine::Schedule& schedule = *plan_.schedule;
    Ledger ledger{plan_, budget_, Ledger::Counting::byTurn};
    engine::Batch batch;
    const std::vector<Picoseconds> still(run_.perRank.size());
    const std::vector<Moment> moments(run_.perRank.size());
    auto next = kept_.begin();
    for (Round round{0}; round < keptBefore_ && ledger.keepsMore(); ++round) {
        batch.reset(run_.perRank.size());
        schedule.batch(round, Rank{0}, Rank{schedule.facts().ranks}, batch);
        ledger.open(round, batch);
        for (std::size_t i = 0; i < batch.size() && ledger.keepsMore(); ++i) {
            std::int32_t ordinal = 0;
            for (std::size_t k = i; k-- > 0 && batch.from()[k] == batch.from()[i];)
                if (batch.to()[k] == batch.to()[i]) ++ordinal;
            const std::tuple key{round, Rank{batch.from()[i]}, Rank{batch.to()[i]}, ordinal};
            const auto found = std::lower_bound(next, kept_.end(), key, [](const Moved& moved, const auto& wanted) {
                return std::tuple{moved.record.round, moved.record.from, moved.record.to, moved.ordinal} < wanted;
            });
            ENSURE(found != kept_.end(), "a message of the round never ended");
            ledger.message(found->record);
        }
        ledger.close(round, still, still, moments);
        while (next != kept_.end() && next->record.round == round) ++next;
    }
    run.messages = std::move(ledger.finish(Picoseconds{}).messages);
    kept_.clear();
}

engine::Run FairBooks::finish(Picoseconds duration) {
    for (std::int32_t r = 0; r < run_.ranks; ++r) closeStay(Rank{r});
    std::sort(run_.spans.begin(), run_.spans.end(), [](const engine::StageSpan& a, const engine::StageSpan& b) {
        return std::tuple{a.rank, a.stage} < std::tuple{b.rank, b.stage};
    });
    for (engine::RoundTimes& round : run_.perRound) {
        if (round.messages == 0) round.begin = Picoseconds{};
        run_.messageCount += round.messages;
        run_.byteCount += round.bytes;
    }
    run_.duration = duration;
    for (std::size_t r = 0; r < busy_.size(); ++r) {
        run_.perRank[r].wait = busy_[r].last - run_.perRank[r].busy;
        run_.perRank[r].idle = duration - busy_[r].last;
    }
    if (budget_ > 0) putInOrder(run_);
    run_.droppedMessages = run_.messageCount - static_cast<std::int64_t>(run_.messages.size());
    return std::move(run_);
}

}  // namespace emulation
