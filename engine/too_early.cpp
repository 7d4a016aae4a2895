// SPDX-License-Identifier: BSD-3-Clause
#include "engine/too_early.hpp"

#include "engine/contract.hpp"
#include "engine/interval_set.hpp"
#include "engine/text.hpp"

#include <algorithm>
#include <vector>

namespace engine {
namespace {

/// The first round from `from` on in which `rank` is to receive byte `at`.
std::optional<Round> arrivalOf(const Schedule& schedule, Rank rank, Bytes at, Round from, const Progress& progress) {
    Turn turn;
    for (Round round = from; round.value < schedule.facts().rounds; ++round) {
        progress.at(1);
        schedule.turn(rank, round, turn);
        for (const Message& message : turn.receives())
            for (const Range range : turn.ranges(message))
                if (range.begin <= at && at < range.end) return round;
    }
    return std::nullopt;
}

}  // namespace

std::optional<TooEarly> firstTooEarly(const Schedule& schedule, const Problem& problem, const Progress& progress) {
    const Contract contract{problem};
    const Facts& facts = schedule.facts();
    if (contract.demand() != Demand::bytes || facts.uncoupled.count > 0) return std::nullopt;
    std::vector<ByteSet> held(asSize(facts.ranks));
    for (Rank rank{0}; rank.value < facts.ranks; ++rank) held[rank.index()].add(contract.before(rank));
    Turn turn;
    std::vector<std::pair<std::size_t, Range>> arrived;
    for (Round round{0}; round.value < facts.rounds; ++round) {
        progress.at(static_cast<double>(round.value) / static_cast<double>(facts.rounds));
        arrived.clear();
        for (Rank rank{0}; rank.value < facts.ranks; ++rank) {
            schedule.turn(rank, round, turn);
            for (const Message& message : turn.sends())
                for (const Range range : turn.ranges(message))
                    if (const auto at = held[rank.index()].missing(range);
                        at && *at >= 0 && *at < problem.layout.total())
                        return TooEarly{rank, message.peer, round, Block{problem.layout.blockAt(*at)},
                                        arrivalOf(schedule, rank, *at, round, progress)};
            for (const Message& message : turn.receives())
                for (const Range range : turn.ranges(message)) arrived.emplace_back(rank.index(), range);
        }
        for (const auto& [rank, range] : arrived) held[rank].add(range);
    }
    return std::nullopt;
}

std::string inWords(const TooEarly& fault) {
    const std::string when = !fault.arrives ? "never gets it"
                             : *fault.arrives == fault.round
                                 ? "gets it only in that round"
                                 : text("gets it in round ", fault.arrives->value + 1, " at the earliest");
    return text("Rank ", fault.rank, " sends block ", fault.block, " to rank ", fault.peer, " in round ",
                fault.round.value + 1, ", but ", when, '.');
}

}  // namespace engine
