// SPDX-License-Identifier: BSD-3-Clause
#include "engine/proof/sent_too_early.hpp"

#include "engine/base/text.hpp"
#include "engine/problem/contract.hpp"

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

std::optional<TooEarly> tooEarly(const Schedule& schedule, const Problem& problem, const Verdict& verdict,
                                 const Progress& progress) {
    const Place& place = verdict.place;
    const bool sends = place.round && place.rank && place.to && place.byte && place.rank == place.from;
    if (!sends || Contract{problem}.demand() != Demand::bytes || schedule.facts().uncoupled.count > 0)
        return std::nullopt;
    std::optional<Block> block;
    if (problem.layout.count() > 1) block = Block{problem.layout.blockAt(*place.byte)};
    return TooEarly{*place.rank, *place.to, *place.round, block,
                    arrivalOf(schedule, *place.rank, *place.byte, *place.round, progress)};
}

std::string inWords(const TooEarly& fault) {
    const std::string when = !fault.arrives ? "never gets it"
                             : *fault.arrives == fault.round
                                 ? "gets it only in that round"
                                 : text("gets it in round ", fault.arrives->value + 1, " at the earliest");
    return text("Rank ", fault.rank, " sends ", fault.block ? text("block ", *fault.block) : "the message", " to rank ",
                fault.peer, " in round ", fault.round.value + 1, ", but ", when, '.');
}

}  // namespace engine
