// SPDX-License-Identifier: BSD-3-Clause
#include "engine/live/splitphase/route.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/proof/partials.hpp"
#include "engine/proof/send_receive_matching.hpp"

#include <algorithm>

namespace engine::splitphase {
namespace {

/// Receives of `rank` before `round`.
std::int32_t receivesBefore(const Schedule& schedule, Rank rank, Round round) {
    Turn turn;
    std::size_t count = 0;
    for (Round earlier{0}; earlier < round; ++earlier) {
        schedule.turn(rank, earlier, turn);
        count += turn.receives().size();
    }
    return static_cast<std::int32_t>(count);
}

/// The slot at the receiver of the `i`-th send of `rank`.
std::int32_t slotOf(const Schedule& schedule, Rank rank, const Step& step, std::size_t i) {
    const auto sends = step.turn.sends();
    const Rank to = sends[i].peer;
    Turn theirs;
    schedule.turn(to, step.round, theirs);
    if (const auto place = placeOf(theirs.receives(), rank, ordinalOf(sends, i)))
        return receivesBefore(schedule, to, step.round) + static_cast<std::int32_t>(*place);
    throw Defect{text("rank ", to, " expects no message from ", rank, " in round ", step.round)};
}

/// The first rank that can be done before it has heard from another, and that other.
std::optional<std::pair<Rank, Rank>> unheard(const Schedule& schedule) {
    const auto ranks = asSize(schedule.facts().ranks);
    std::vector<std::vector<bool>> heard(ranks, std::vector<bool>(ranks, false));
    for (std::size_t r = 0; r < ranks; ++r) heard[r][r] = true;
    Turn turn;
    for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
        const auto before = heard;
        for (std::size_t r = 0; r < ranks; ++r) {
            schedule.turn(Rank{static_cast<std::int32_t>(r)}, round, turn);
            for (const Message& receive : turn.receives())
                for (std::size_t other = 0; other < ranks; ++other)
                    if (before[receive.peer.index()][other]) heard[r][other] = true;
        }
    }
    for (std::size_t r = 0; r < ranks; ++r)
        for (std::size_t other = 0; other < ranks; ++other)
            if (!heard[r][other])
                return std::pair{Rank{static_cast<std::int32_t>(r)}, Rank{static_cast<std::int32_t>(other)}};
    return std::nullopt;
}

/// The first rank whose result is not 0 o 1 o ... o P-1.
std::optional<Rank> outOfOrder(const Plan& plan) {
    const Facts& facts = plan.schedule->facts();
    Partials partials{facts, plan.problem};
    std::vector<Turn> turns(asSize(facts.ranks));
    for (Round round{0}; round.value < facts.rounds; ++round) {
        for (std::size_t r = 0; r < turns.size(); ++r)
            plan.schedule->turn(Rank{static_cast<std::int32_t>(r)}, round, turns[r]);
        partials.apply(turns);
    }
    for (Rank rank{0}; rank.value < plan.problem.ranks(); ++rank) {
        const Partial::Stretch rising{0, plan.problem.ranks() - 1};
        for (const auto& [range, partial] : partials.result(rank).pieces())
            if (partial.stretches().size() != 1 || !(partial.stretches()[0] == rising)) return rank;
    }
    return std::nullopt;
}

}  // namespace

Route::Route(const Plan& plan, Rank rank) : slotBytes_{plan.problem.layout.largest()} {
    const Schedule& schedule = *plan.schedule;
    for (Round round{0}; round.value < schedule.facts().rounds; ++round) {
        Step step{.round = round, .firstSlot = static_cast<std::int32_t>(writers_.size())};
        schedule.turn(rank, round, step.turn);
        if (step.turn.empty()) continue;
        for (const Message& receive : step.turn.receives()) writers_.push_back(receive.peer);
        for (std::size_t i = 0; i < step.turn.sends().size(); ++i)
            step.remote.push_back(slotOf(schedule, rank, step, i));
        sends_ += static_cast<std::int64_t>(step.remote.size());
        steps_.push_back(std::move(step));
    }
}

void requireHalves(const Plan& plan) {
    if (plan.problem.collective != Collective::allreduce && plan.problem.collective != Collective::barrier)
        throw Error{text(plan.algorithm->id,
                         " is neither an allreduce nor a barrier; only these have a split-phase form here")};
}

void requireSplitPhase(const Plan& plan, Operands operands) {
    const std::string& id = plan.algorithm->id;
    requireHalves(plan);
    if (const auto pair = unheard(*plan.schedule))
        throw Error{text(id, ": rank ", pair->first, " can be done before it has heard from rank ", pair->second,
                         ", so that two sets of receive slots are not enough for repeated split-phase calls")};
    if (operands == Operands::mayChangePlaces) return;
    if (const auto rank = outOfOrder(plan))
        throw Error{text(id, " combines in another order than 0, 1, ..., ", plan.problem.ranks() - 1, " on rank ",
                         *rank,
                         "; an operation that does not commute needs one that keeps it, such as "
                         "allreduce/pairwise-exchange on a power of two of ranks")};
}

}  // namespace engine::splitphase
