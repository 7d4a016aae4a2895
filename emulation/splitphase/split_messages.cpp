// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/splitphase/split_messages.hpp"

#include "emulation/clocks/round_costs.hpp"
#include "engine/base/text.hpp"

namespace emulation {

using engine::Round;

namespace {

constexpr std::size_t mostMessages = 20'000'000;

/// The step of `rank` in `round`, which is its latest one.
SplitStep& stepIn(std::vector<SplitStep>& steps, Round round) {
    if (steps.empty() || steps.back().round != round) steps.push_back({.round = round});
    return steps.back();
}

}  // namespace

SplitMessages splitMessagesOf(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                              const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan.schedule;
    const engine::Facts& facts = schedule.facts();
    RoundCosts costs{network, conditions, facts.rounds};
    SplitMessages messages{
        .all = {}, .steps = engine::ById<Rank, std::vector<SplitStep>>(facts.ranks), .congestion = {}};
    engine::Batch batch;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        progress.at(0);
        batch.reset(engine::asSize(facts.ranks));
        schedule.batch(round, Rank{0}, Rank{facts.ranks}, batch);
        if (messages.all.size() + batch.size() > mostMessages)
            throw engine::Error{engine::text("more than ", mostMessages,
                                             " messages: too many for a split-phase run; choose fewer ranks")};
        const auto ofRound = costs.of(batch, round);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Rank from{batch.from()[i]};
            const Rank to{batch.to()[i]};
            SplitStep& sending = stepIn(messages.steps[from], round);
            if (sending.sends++ == 0) sending.first = messages.all.size();
            ++stepIn(messages.steps[to], round).missing;
            messages.all.push_back({.record = {from, to, round, batch.bytes()[i], {}, {}, {}, {}},
                                    .cost = ofRound[i],
                                    .step = messages.steps[to].size() - 1});
        }
        for (const auto& [rank, bytes] : batch.combining()) stepIn(messages.steps[rank], round).combined += bytes;
    }
    messages.congestion = costs.finish();
    return messages;
}

}  // namespace emulation
