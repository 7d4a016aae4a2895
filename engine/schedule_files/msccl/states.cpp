// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/states.hpp"

#include <algorithm>
#include <set>

namespace engine::schedules::msccl {
namespace {

/// What a thread block waits for, and the one that would have to go on; null: there is none.
struct Waiting {
    std::string what;
    const State* other = nullptr;
};

Waiting waitingOf(const State& state, std::span<const State> states, std::span<const std::int32_t> firstBlock) {
    const Step& step = state.block->steps[state.next];
    if (!state.sendsOn && step.waitsFor >= 0) {
        const State& awaited = states[asSize(firstBlock[asSize(state.gpu)] + step.waitsFor)];
        if (static_cast<std::int64_t>(awaited.next) <= telling(*awaited.block, step.itsStep))
            return {text("step ", step.itsStep, " of thread block ", awaited.block->id), &awaited};
    }
    // A receive: what is sent waits for nobody.
    const State* sender = state.in->sender < 0 ? nullptr : &states[asSize(state.in->sender)];
    return {text("a message from gpu ", state.block->receivesFrom, " on channel ", state.block->channel),
            sender != nullptr && sender->next < sender->block->steps.size() ? sender : nullptr};
}

/// Of those in a circle, in the sentence.
constexpr std::size_t mostNamed = 2;

std::string nameOf(const State& state) { return stepName(asSize(state.gpu), state.block->id, state.next); }

}  // namespace

std::int64_t telling(const ThreadBlock& block, std::int64_t step) {
    for (auto s = asSize(step); s < block.steps.size(); ++s)
        if (block.steps[s].tells) return static_cast<std::int64_t>(s);
    return -1;
}

CounterExample whyStanding(const State& first, std::span<const State> states,
                           std::span<const std::int32_t> firstBlock) {
    // Along those who wait, until one comes a second time or waits for nobody.
    std::set<const State*> seen;
    const State* state = &first;
    Waiting waiting = waitingOf(*state, states, firstBlock);
    while (waiting.other != nullptr && seen.insert(state).second) {
        state = waiting.other;
        waiting = waitingOf(*state, states, firstBlock);
    }
    const Rank rank{state->gpu};
    if (waiting.other == nullptr)
        return {text(nameOf(*state), " waits for ", waiting.what, ", which no rank sends"),
                {.rank = rank, .from = Rank{state->block->receivesFrom}, .to = rank}};
    engine::Place place{.rank = rank};
    std::string sentence;
    const State* const begin = state;
    do {
        waiting = waitingOf(*state, states, firstBlock);
        const std::size_t named = place.circle.size();
        if (named < mostNamed)
            sentence +=
                text(named == 0 ? "" : ", and ", nameOf(*state), named == 0 ? " waits for " : " for ", waiting.what);
        place.circle.push_back({Rank{state->gpu}, Rank{waiting.other->gpu},
                                text("thread block ", state->block->id, ", step ", state->next), waiting.what});
        state = waiting.other;
    } while (state != begin);
    const std::size_t more = place.circle.size() - std::min(place.circle.size(), mostNamed);
    if (more > 0) sentence += text(", and so on round ", more, " more");
    return {sentence + ": a deadlock", std::move(place)};
}

}  // namespace engine::schedules::msccl
