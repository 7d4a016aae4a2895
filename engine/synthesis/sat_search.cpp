// SPDX-License-Identifier: BSD-3-Clause
#include "engine/synthesis/sat_search.hpp"

#include "engine/synthesis/counting_bounds.hpp"
#include "engine/synthesis/symmetry.hpp"

#include <algorithm>
#include <map>

namespace engine::synthesis {

Search::Search(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps, std::int32_t mostRounds,
               const std::string& proof, const std::vector<Symmetry>& kept, const Poll& poll)
    : fabric_{fabric}, chunks_{chunks}, steps_{steps}, most_{mostRounds}, once_{!proof.empty()}, formula_{proof, poll} {
    // Counted before anything is built: each crossing has clauses with its ends and with the other ways into its
    // target.
    const auto crossings = static_cast<std::int64_t>(fabric.channels.size() * chunks.size()) * steps;
    const auto ways = static_cast<std::int64_t>(fabric.channels.size()) / std::max(fabric.ranks, 1);
    if (crossings > Formula::mostLiterals / (8 + ways)) Formula::refuse();
    spread();
    limitLinks();
    limitPorts();
    if (kept.empty()) orderChunks();
    if (kept.empty() && !once_) orderRanks(poll);  // a proof is of the question itself
    keep(kept);
    limitRounds();
}

/// Block ownership before each step, and what each step moves.
void Search::spread() {
    const std::vector<std::vector<std::int32_t>> far = distances(fabric_);
    const Literal always = formula_.fresh();
    formula_.add({always});
    const auto ranks = asSize(fabric_.ranks);
    holds_.assign(asSize(steps_ + 1) * chunks_.size() * ranks, 0);
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
        const Chunk& chunk = chunks_[c];
        for (std::int32_t rank = 0; rank < fabric_.ranks; ++rank) {
            const std::int32_t soonest = fewestStepsTo(far, chunk, rank);
            std::int32_t onward = -1;  // to the nearest rank that needs the chunk
            for (std::size_t to = 0; to < ranks; ++to)
                if (const std::int32_t way = far[asSize(rank)][to];
                    chunk.needed[to] && way >= 0 && (onward < 0 || way < onward))
                    onward = way;
            for (std::int32_t step = 0; step <= steps_; ++step)
                if (chunk.isHeld(rank)) at(step, c, rank) = always;
                else if (soonest >= 0 && soonest <= step && onward >= 0 && onward <= steps_ - step)
                    at(step, c, rank) = formula_.fresh();
        }
    }
    std::vector<std::vector<Literal>> brings(chunks_.size() * ranks);
    for (std::int32_t step = 0; step < steps_; ++step) {
        for (std::vector<Literal>& all : brings) all.clear();
        for (const Channel& channel : fabric_.channels)
            for (std::size_t c = 0; c < chunks_.size(); ++c) {
                const Literal from = at(step, c, channel.from);
                const Literal before = at(step, c, channel.to);
                const Literal after = at(step + 1, c, channel.to);
                if (from == 0 || after == 0 || chunks_[c].isHeld(channel.to)) continue;
                const Literal sent = formula_.fresh();
                crossings_.push_back({{step, channel.from, channel.to, static_cast<std::int32_t>(c)}, &channel, sent});
                formula_.add({-sent, from});
                formula_.add({-sent, after});
                if (before != 0) formula_.add({-sent, -before});
                std::vector<Literal>& others = brings[c * ranks + asSize(channel.to)];
                for (const Literal other : others) formula_.add({-sent, -other});  // nothing comes twice
                others.push_back(sent);
            }
        for (std::size_t c = 0; c < chunks_.size(); ++c)
            for (std::int32_t rank = 0; rank < fabric_.ranks; ++rank) {
                const Literal before = at(step, c, rank);
                const Literal after = at(step + 1, c, rank);
                if (after == 0 || chunks_[c].isHeld(rank)) continue;
                std::vector<Literal> reasons = brings[c * ranks + asSize(rank)];
                if (before != 0) formula_.add({-before, after});
                if (before != 0) reasons.push_back(before);
                reasons.push_back(-after);
                formula_.add(reasons);
            }
    }
    for (std::size_t c = 0; c < chunks_.size(); ++c)
        for (std::int32_t rank = 0; rank < fabric_.ranks; ++rank) {
            if (!chunks_[c].needed[asSize(rank)]) continue;
            if (const Literal end = at(steps_, c, rank); end != 0) formula_.add({end});
            else formula_.add({-always});
        }
}

/// What crosses a link in a step fits into the step's rounds.
void Search::limitLinks() {
    const std::int32_t longest = most_ - steps_ + 1;
    more_.assign(asSize(steps_), {});
    for (std::vector<Literal>& step : more_) {
        for (std::int32_t k = 1; k < longest; ++k) step.push_back(formula_.fresh());
        for (std::size_t k = 1; k < step.size(); ++k) formula_.add({-step[k], step[k - 1]});
    }
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Literal>> loads;  // by step and link
    for (const Crossing& crossing : crossings_)
        for (const std::int32_t link : crossing.channel->links)
            loads[{crossing.send.step, link}].push_back(crossing.literal);
    for (const auto& [where, load] : loads) {
        const auto lanes = asSize(fabric_.lanes[asSize(where.second)]);
        if (load.size() <= lanes) continue;
        const std::vector<Literal> counts = formula_.counts(load, lanes * asSize(longest) + 1);
        const std::vector<Literal>& more = more_[asSize(where.first)];
        for (std::size_t k = 1; k * lanes < counts.size(); ++k)
            if (k <= more.size()) formula_.add({-counts[k * lanes], more[k - 1]});
            else formula_.add({-counts[k * lanes]});
    }
}

/// A rank sends, and receives, through at most so many channels in a step.
void Search::limitPorts() {
    if (fabric_.ports == 0) return;
    const auto ports = asSize(fabric_.ports);
    std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::vector<Literal>>
        ends;  // by step, rank, whether it sends
    std::map<std::pair<std::int32_t, const Channel*>, Literal> messages;
    for (const Crossing& crossing : crossings_) {
        Literal& message = messages[{crossing.send.step, crossing.channel}];
        if (message == 0) {
            message = formula_.fresh();
            ends[{crossing.send.step, crossing.send.from, true}].push_back(message);
            ends[{crossing.send.step, crossing.send.to, false}].push_back(message);
        }
        formula_.add({-crossing.literal, message});
    }
    for (const auto& [where, all] : ends)
        if (all.size() > ports) formula_.add({-formula_.counts(all, ports + 1)[ports]});
}

/// Interchangeable chunks arrive in their order at one rank.
void Search::orderChunks() {
    for (std::size_t c = 1; c < chunks_.size(); ++c) {
        const Chunk& one = chunks_[c - 1];
        const Chunk& next = chunks_[c];
        if (one.block != next.block) continue;
        for (std::int32_t rank = fabric_.ranks - 1; rank >= 0; --rank) {
            if (one.isHeld(rank) || !one.needed[asSize(rank)]) continue;
            for (std::int32_t step = 1; step < steps_; ++step)
                if (at(step, c, rank) != 0) formula_.add({-at(step, c, rank), at(step, c - 1, rank)});
            break;
        }
    }
}

/// Of schedules that differ by a symmetry, only one whose first messages are not later in the order of crossings than
/// those of its image: the first one of all is so for every symmetry.
void Search::orderRanks(const Poll& poll) {
    constexpr std::size_t mostCompared = 160;
    std::map<Send, std::size_t> places;
    for (std::size_t i = 0; i < crossings_.size(); ++i) places[crossings_[i].send] = i;
    for (const Symmetry& symmetry : symmetriesOf(fabric_, chunks_, poll)) {
        Literal same = 0;  // all before are; 0: nothing is before
        std::size_t compared = 0;
        for (const Crossing& one : crossings_) {
            const Send image{one.send.step, symmetry.rank[asSize(one.send.from)], symmetry.rank[asSize(one.send.to)],
                             symmetry.chunk[asSize(one.send.chunk)]};
            if (image == one.send) continue;
            const auto place = places.find(image);
            if (place == places.end() || ++compared > mostCompared) break;
            const Literal here = one.literal;
            const Literal there = crossings_[place->second].literal;
            // here >= there, as long as all before are the same.
            const Literal next = formula_.fresh();
            if (same == 0) {
                formula_.add({here, -there});
                formula_.add({next, -here, -there});
                formula_.add({next, here, there});
            } else {
                formula_.add({-same, here, -there});
                formula_.add({next, -same, -here, -there});
                formula_.add({next, -same, here, there});
            }
            same = next;
        }
    }
}

void Search::keep(const std::vector<Symmetry>& symmetries) {
    if (symmetries.empty()) return;
    std::map<Send, Literal> literals;
    for (const Crossing& one : crossings_) literals[one.send] = one.literal;
    for (const Symmetry& symmetry : symmetries)
        for (const Crossing& one : crossings_) {
            const auto image =
                literals.find({one.send.step, symmetry.rank[asSize(one.send.from)], symmetry.rank[asSize(one.send.to)],
                               symmetry.chunk[asSize(one.send.chunk)]});
            if (image == literals.end()) formula_.add({-one.literal});
            // Repeated along the cycle of the symmetry, this makes all images equal.
            else formula_.add({-one.literal, image->second});
        }
}

void Search::limitRounds() {
    std::vector<Literal> all;
    for (const std::vector<Literal>& step : more_) all.insert(all.end(), step.begin(), step.end());
    if (!all.empty()) extra_ = formula_.counts(all, asSize(most_ - steps_) + 1);
    if (once_ && asSize(most_ - steps_) < extra_.size()) formula_.add({-extra_[asSize(most_ - steps_)]});
}

Decision Search::decide(std::int32_t rounds, const Patience& patience) {
    std::vector<Literal> assumptions;
    if (!once_ && asSize(rounds - steps_) < extra_.size()) assumptions.push_back(-extra_[asSize(rounds - steps_)]);
    Decision decision{.truth = formula_.decide(assumptions, patience)};
    if (decision.truth == Truth::satisfiable) decision.found = read();
    return decision;
}

Found Search::read() const {
    Found found;
    for (const Crossing& crossing : crossings_)
        if (formula_.isTrue(crossing.literal)) found.sends.push_back(crossing.send);
    // Backwards: a chunk is worth sending to whoever needs it or sends it on.
    std::vector<std::vector<bool>> wanted;
    for (const Chunk& chunk : chunks_) wanted.push_back(chunk.needed);
    std::sort(found.sends.begin(), found.sends.end(), std::greater<>{});
    std::erase_if(found.sends, [&](const Send& send) {
        if (!wanted[asSize(send.chunk)][asSize(send.to)]) return true;
        wanted[asSize(send.chunk)][asSize(send.from)] = true;
        return false;
    });
    std::sort(found.sends.begin(), found.sends.end());
    found.inStep = roundsOf(fabric_, found.sends, steps_);
    for (const std::int32_t rounds : found.inStep) found.rounds += rounds;
    return found;
}

std::optional<Found> tidied(const Fabric& fabric, const std::vector<Chunk>& chunks, std::int32_t steps,
                            std::int32_t rounds, const Patience& patience) {
    constexpr std::size_t mostTried = 16;
    const Poll poll = [&] {
        if (patience.stop && patience.stop()) throw OutOfTime{};
    };
    std::optional<Found> found;
    std::vector<Symmetry> kept;
    try {
        const std::vector<Symmetry> all = symmetriesOfBlocks(fabric, chunks, poll);
        for (std::size_t i = 0; i < std::min(all.size(), mostTried); ++i) {
            poll();
            kept.push_back(all[i]);
            Patience each = patience;
            each.time = patience.time / 4;
            Search search{fabric, chunks, steps, rounds, {}, kept, poll};
            Decision decision = search.decide(rounds, each);
            if (decision.truth == Truth::satisfiable) found = std::move(decision.found);
            else kept.pop_back();
        }
    } catch (const OutOfTime&) {  // what was found so far is kept
    }
    return found;
}

std::vector<std::int32_t> roundsOf(const Fabric& fabric, const std::vector<Send>& sends, std::int32_t steps) {
    std::map<std::pair<std::int32_t, std::int32_t>, const Channel*> channels;
    for (const Channel& channel : fabric.channels) channels[{channel.from, channel.to}] = &channel;
    std::vector<std::vector<std::int32_t>> loads(asSize(steps), std::vector<std::int32_t>(fabric.lanes.size()));
    std::vector<std::int32_t> rounds(asSize(steps), 1);
    for (const Send& send : sends)
        for (const std::int32_t link : channels.at({send.from, send.to})->links) {
            const std::int32_t load = ++loads[asSize(send.step)][asSize(link)];
            const std::int32_t lanes = fabric.lanes[asSize(link)];
            rounds[asSize(send.step)] = std::max(rounds[asSize(send.step)], (load + lanes - 1) / lanes);
        }
    return rounds;
}

}  // namespace engine::synthesis
