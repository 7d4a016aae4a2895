// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/splitphase/letters.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/route_costs.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <span>

namespace emulation {

using engine::Picoseconds;
using engine::Round;

namespace {

constexpr std::size_t mostLetters = 20'000'000;

/// The step of `rank` in `round`, which is its latest one.
SplitStep& stepIn(std::vector<SplitStep>& steps, Round round) {
    if (steps.empty() || steps.back().round != round) steps.push_back({.round = round});
    return steps.back();
}

}  // namespace

Letters lettersOf(const engine::Plan& plan, const Network& network, const Conditions& conditions,
                  const engine::Progress& progress) {
    const engine::Schedule& schedule = *plan.schedule;
    const engine::Facts& facts = schedule.facts();
    const auto factors = slowness(conditions.perturbation.slowRanks, facts.ranks);
    const auto factorOf = [&](Rank rank) { return factors.empty() ? Factor{} : factors[rank]; };
    LinkTally links{network, facts.rounds};
    RouteCosts routes{network, conditions, links};
    Letters letters{.all = {}, .steps = engine::ById<Rank, std::vector<SplitStep>>(facts.ranks), .congestion = {}};
    engine::Batch batch;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        progress.at(0);
        batch.reset(engine::asSize(facts.ranks));
        schedule.batch(round, Rank{0}, Rank{facts.ranks}, batch);
        if (letters.all.size() + batch.size() > mostLetters)
            throw engine::Error{engine::text("more than ", mostLetters,
                                             " messages: too many for a split-phase run; choose fewer ranks")};
        for (std::size_t i = 0; i < batch.size(); ++i)
            links.add(Rank{batch.from()[i]}, Rank{batch.to()[i]}, batch.bytes()[i]);
        links.settle();
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const Rank from{batch.from()[i]};
            const Rank to{batch.to()[i]};
            SplitStep& sending = stepIn(letters.steps[from], round);
            if (sending.sends++ == 0) sending.first = letters.all.size();
            ++stepIn(letters.steps[to], round).missing;
            const RouteCosts::Cost route = routes.of(from, to, batch.bytes()[i]);
            letters.all.push_back(
                {.record = {from, to, round, batch.bytes()[i], {}, {}, {}, {}},
                 .cost = lasting(std::max(factorOf(from), factorOf(to)), later(route.startup, route.moving)),
                 .step = letters.steps[to].size() - 1});
        }
        for (const auto& [rank, bytes] : batch.combining()) stepIn(letters.steps[rank], round).combined += bytes;
        links.closeRound(round);
    }
    letters.congestion = links.finish();
    return letters;
}

SplitPorts::SplitPorts(std::int32_t ranks, int ports)
    : ports_{engine::asSize(ports)}, out_(engine::asSize(ranks) * ports_), in_(out_.size()) {}

Picoseconds& SplitPorts::freeFirst(std::vector<Picoseconds>& side, Rank rank) const {
    return *std::ranges::min_element(std::span{side}.subspan(rank.index() * ports_, ports_));
}

void SplitPorts::send(Letter& letter, Picoseconds now) {
    engine::MessageRecord& record = letter.record;
    Picoseconds& port = freeFirst(out_, record.from);
    record.sendBegin = std::max(now, port);
    port = record.sendEnd = later(record.sendBegin, letter.cost);
}

void SplitPorts::receive(Letter& letter) {
    engine::MessageRecord& record = letter.record;
    Picoseconds& port = freeFirst(in_, record.to);
    record.receiveBegin = std::max(record.sendBegin, port);
    port = record.receiveEnd = later(record.receiveBegin, letter.cost);
}

}  // namespace emulation
