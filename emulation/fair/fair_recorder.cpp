// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/fair/fair_recorder.hpp"

#include "emulation/clocks/run_recorder.hpp"
#include "emulation/fair/fair_routes.hpp"
#include "engine/base/bounded.hpp"
#include "engine/base/error.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>
#include <tuple>

namespace emulation {

using engine::Picoseconds;
using engine::Round;

FairRecorder::FairRecorder(const engine::Plan& plan, const Network& network, std::int64_t budget,
                           const engine::Progress& progress)
    : plan_{plan}, budget_{budget}, spans_{plan.schedule->facts().stages, plan.schedule->facts().ranks} {
    const engine::Facts& facts = plan.schedule->facts();
    run_.ranks = facts.ranks;
    run_.rounds = facts.rounds;
    run_.stages = facts.stages;
    run_.perRound.resize(engine::asSize(facts.rounds));
    busy_.resize(engine::asSize(facts.ranks));
    walk(network, progress);
}

void FairRecorder::walk(const Network& network, const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan_.schedule;
    const std::int64_t rounds = schedule.facts().rounds;
    LinkTally links{network, rounds};
    FairRoutes routes{network};
    engine::Batch batch;
    std::int64_t messages = 0;
    for (Round round{0}; round.value < rounds; ++round) {
        if (messages < budget_) keptBefore_ = round + 1;
        else if (network.links() == 0) break;
        batch.reset(busy_.size());
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

void FairRecorder::portBegins(Rank rank, Picoseconds now) {
    Busy& busy = busy_[rank.index()];
    if (busy.ports++ == 0) busy.since = now;
}

void FairRecorder::portEnds(Rank rank, Picoseconds now) {
    Busy& busy = busy_[rank.index()];
    if (--busy.ports == 0) busy.time.add(busy.since, now);
}

void FairRecorder::moved(const Moved& message) {
    run_.perRound[message.record.round.index()].add(message.record);
    Busy& sender = busy_[message.record.from.index()];
    sender.left = std::max(sender.left, message.record.sendEnd);
    if (message.record.round < keptBefore_) kept_.push_back(message);
}

void FairRecorder::combined(const engine::LocalWork& combining, Round round) {
    if (round < keptBefore_) run_.combining.push_back(combining);
}

/// Replays the rounds that are kept, to learn what their messages carried.
void FairRecorder::putInOrder(engine::Run& run) {
    std::sort(kept_.begin(), kept_.end(), [](const Moved& a, const Moved& b) {
        return std::tuple{a.record.round, a.record.from, a.record.to, a.ordinal} <
               std::tuple{b.record.round, b.record.from, b.record.to, b.ordinal};
    });
    const engine::Schedule& schedule = *plan_.schedule;
    RunRecorder ledger{plan_, budget_, RunRecorder::Counting::byTurn};
    engine::Batch batch;
    const std::vector<Picoseconds> still(busy_.size());
    const std::vector<Moment> moments(busy_.size());
    auto next = kept_.begin();
    for (Round round{0}; round < keptBefore_ && ledger.keepsMore(); ++round) {
        batch.reset(busy_.size());
        schedule.batch(round, Rank{0}, Rank{schedule.facts().ranks}, batch);
        ledger.open(round, batch);
        std::size_t own = 0;  // first message of the sender
        for (std::size_t i = 0; i < batch.size() && ledger.keepsMore(); ++i) {
            if (batch.from()[i] != batch.from()[own]) own = i;
            const std::size_t ordinal = engine::ordinalOf(batch.to().subspan(own), i - own, std::identity{});
            const std::tuple key{round, Rank{batch.from()[i]}, Rank{batch.to()[i]}, static_cast<std::int32_t>(ordinal)};
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

engine::Run FairRecorder::finish(Picoseconds duration) {
    run_.spans = spans_.finish();
    for (const engine::RoundTimes& round : run_.perRound) {
        run_.messageCount += round.messages;
        engine::addBytes(run_.byteCount, round.bytes);
    }
    run_.duration = duration;
    run_.perRank.reserve(busy_.size());
    for (Busy& busy : busy_) {
        busy.time.add(busy.left, busy.left);
        run_.perRank.push_back(busy.time.in(duration));
    }
    if (budget_ > 0) putInOrder(run_);
    std::sort(run_.combining.begin(), run_.combining.end());
    run_.droppedMessages = run_.messageCount - static_cast<std::int64_t>(run_.messages.size());
    return std::move(run_);
}

}  // namespace emulation
