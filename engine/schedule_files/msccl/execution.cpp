// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/execution.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/execution_results.hpp"
#include "engine/schedule_files/msccl/memory.hpp"
#include "engine/schedule_files/msccl/states.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace engine::schedules::msccl {
namespace {

class Follower final : Execution {
public:
    Follower(const File& msccl, std::string_view file) : Execution{msccl, file}, msccl_{msccl} {}

    Course follow() {
        attempt([this] {
            begin();
            run();
        });
        numberRounds();
        return std::move(course_);
    }

private:
    [[nodiscard]] std::int32_t gpus() const { return static_cast<std::int32_t>(msccl_.gpus.size()); }

    [[nodiscard]] std::string name(Doer doer) const override {
        const State& state = states_[asSize(doer.block)];
        return stepName(asSize(state.gpu), state.block->id, asSize(doer.step));
    }
    [[nodiscard]] std::string mention(Doer doer) const override {
        return text("step ", doer.step, " of thread block ", states_[asSize(doer.block)].block->id);
    }
    [[nodiscard]] Doer doer(const State& state) const {
        return {static_cast<std::int32_t>(&state - states_.data()), static_cast<std::int32_t>(state.next)};
    }
    [[nodiscard]] User user(const State& state) const { return {state.gpu, doer(state), state.clock}; }
    [[nodiscard]] std::string name(const State& state) const { return name(doer(state)); }
    [[nodiscard]] static engine::Place at(const State& state) { return {.rank = Rank{state.gpu}}; }
    /// A message, which is wrong for `doer`; unless said otherwise, its sender.
    [[nodiscard]] static engine::Place onTheWay(std::int32_t from, std::int32_t to,
                                                std::optional<std::int32_t> doer = {}) {
        return {.rank = Rank{doer.value_or(from)}, .from = Rank{from}, .to = Rank{to}};
    }

    void begin() {
        for (std::int32_t r = 0; r < gpus(); ++r) placeInputs(r);
        std::int64_t steps = 0;
        for (std::int32_t r = 0; r < gpus(); ++r) {
            firstBlock_.push_back(static_cast<std::int32_t>(states_.size()));
            for (const ThreadBlock& block : msccl_.gpus[asSize(r)].blocks) {
                states_.push_back({.gpu = r, .block = &block});
                states_.back().done.reserve(block.steps.size());
                steps += static_cast<std::int64_t>(block.steps.size());
            }
        }
        ordered_ = keepsClocks(static_cast<std::int64_t>(states_.size()), steps, "steps");
        for (State& state : states_) {
            if (ordered_) state.clock.resize(states_.size());
            const ThreadBlock& block = *state.block;
            const auto self = static_cast<std::int32_t>(&state - states_.data());
            if (does(block, sends)) {
                state.out = &queues_[{state.gpu, block.sendsTo, block.channel}];
                if (std::exchange(state.out->sender, self) >= 0) clash(state, "send to", block.sendsTo);
            }
            if (does(block, receives)) {
                state.in = &queues_[{block.receivesFrom, state.gpu, block.channel}];
                if (std::exchange(state.in->receiver, self) >= 0) clash(state, "receive from", block.receivesFrom);
            }
            for (const Step& step : block.steps)
                if (step.waitsFor >= 0)
                    targets_.emplace(
                        firstBlock_[asSize(state.gpu)] + step.waitsFor,
                        telling(msccl_.gpus[asSize(state.gpu)].blocks[asSize(step.waitsFor)], step.itsStep));
            ready_.emplace(0, self);
        }
    }

    static bool does(const ThreadBlock& block, bool (*it)(Kind)) {
        return std::any_of(block.steps.begin(), block.steps.end(), [&](const Step& step) { return it(step.kind); });
    }
    [[noreturn]] void clash(const State& state, const char* what, std::int32_t peer) const {
        stopAt({.rank = Rank{state.gpu}}, "gpu ", state.gpu, ", thread block ", state.block->id,
               " and another one both ", what, " gpu ", peer, " on channel ", state.block->channel,
               ", so that the order of their messages is undefined");
    }

    void run() {
        while (!ready_.empty()) {
            const auto next = ready_.top();
            ready_.pop();
            State& state = states_[asSize(next.second)];
            if (state.next < state.block->steps.size() && next.first >= state.time) advance(state);
        }
        for (const State& state : states_)
            if (state.next < state.block->steps.size()) throw Wrong{whyStanding(state, states_, firstBlock_)};
        for (const auto& [key, queue] : queues_)
            if (!queue.parcels.empty())
                stopAt(onTheWay(std::get<0>(key), std::get<1>(key)), name(queue.parcels.front().sender),
                       " sends what gpu ", std::get<1>(key), " never receives");
    }

    void wake(std::int32_t block) { ready_.emplace(states_[asSize(block)].time, block); }

    /// Does the next step of a thread block, or has it wait.
    void advance(State& state) {
        const Step& step = state.block->steps[state.next];
        const auto self = static_cast<std::int32_t>(&state - states_.data());
        if (!state.sendsOn) {
            if (step.waitsFor >= 0 && !waited(state, step)) return;
            if (receives(step.kind)) {
                if (state.in->parcels.empty()) {
                    state.in->waiting = self;
                    return;
                }
                const std::int64_t now = std::max(state.time, state.in->parcels.front().ready);
                if (now > state.time) {  // not before others have come as far
                    state.time = now;
                    return wake(self);
                }
                take(state, step);
                if (sends(step.kind)) {
                    state.sendsOn = true;
                    return wake(self);
                }
                return finish(state);
            }
            if (!sends(step.kind)) {
                if (step.kind != Kind::nothing) compute(state, step);
                return finish(state);
            }
        }
        if (const std::int64_t now = std::max(state.time, state.lastSend + 1); now > state.time) {
            state.time = now;
            return wake(self);
        }
        send(state, state.sendsOn ? std::exchange(state.passing, {}) : contentsAt(state, step.source, step));
        state.sendsOn = false;
        finish(state);
    }

    /// Whether the step that another one waits for is done; the thread block's time and clock go on to it.
    bool waited(State& state, const Step& step) {
        const std::int32_t other = firstBlock_[asSize(state.gpu)] + step.waitsFor;
        State& awaited = states_[asSize(other)];
        const std::int64_t end = telling(*awaited.block, step.itsStep);
        if (end < 0)
            stopAt(at(state), name(state), " waits for step ", step.itsStep, " of thread block ", awaited.block->id,
                   ", which tells nobody that it is done: no step of it from there on has hasdep=\"1\"");
        const auto self = static_cast<std::int32_t>(&state - states_.data());
        if (awaited.next <= asSize(end)) {
            awaited.waiting.emplace_back(asSize(end), self);
            return false;
        }
        if (awaited.done[asSize(end)] > state.time) {
            state.time = awaited.done[asSize(end)];
            wake(self);
            return false;
        }
        if (ordered_)
            if (const auto told = told_.find({other, end}); told != told_.end()) join(state.clock, told->second);
        return true;
    }

    void finish(State& state) {
        const auto self = static_cast<std::int32_t>(&state - states_.data());
        state.done.push_back(state.time);
        if (ordered_) {
            state.clock[asSize(self)] = static_cast<std::int32_t>(state.next) + 1;
            if (targets_.contains({self, static_cast<std::int64_t>(state.next)}))
                told_[{self, static_cast<std::int64_t>(state.next)}] = state.clock;
        }
        for (const auto& [step, block] : state.waiting)
            if (step == state.next) wake(block);
        std::erase_if(state.waiting, [&](const auto& one) { return one.first == state.next; });
        ++state.next;
        wake(self);
    }

    // --- what a step does

    std::vector<Carried> contentsAt(const State& state, Place place, const Step& step) {
        std::vector<Carried> all;
        for (std::int64_t c = 0; c < step.count; ++c) all.push_back(get(user(state), state.gpu, place, c));
        return all;
    }

    void compute(const State& state, const Step& step) {
        const std::vector<Carried> source = contentsAt(state, step.source, step);
        for (std::int64_t c = 0; c < step.count; ++c) {
            const Carried& other = source[asSize(c)];
            put(user(state), state.gpu, step.target, c,
                step.kind == Kind::copy ? other
                                        : combined(user(state), get(user(state), state.gpu, step.target, c), other));
        }
    }

    void take(State& state, const Step& step) {
        Parcel parcel = std::move(state.in->parcels.front());
        state.in->parcels.pop_front();
        if (static_cast<std::int64_t>(parcel.chunks.size()) != step.count)
            stopAt(onTheWay(states_[asSize(parcel.sender.block)].gpu, state.gpu, state.gpu), name(state), " receives ",
                   step.count, " chunks, but ", name(parcel.sender), " sends ", parcel.chunks.size());
        if (ordered_) join(state.clock, parcel.clock);
        Delivery delivery{.round = state.time,
                          .from = states_[asSize(parcel.sender.block)].gpu,
                          .to = state.gpu,
                          .sender = parcel.sender.block,
                          .firstArrival = arrivals_,
                          .chunks = std::move(parcel.chunks)};
        std::vector<Carried> made;
        for (std::int64_t c = 0; c < step.count; ++c) {
            Carried value = arrived(delivery.chunks[asSize(c)]);
            if (reduces(step.kind))
                value = combined(user(state), get(user(state), state.gpu, operand(state, step), c), value);
            if (writes(step.kind)) put(user(state), state.gpu, step.target, c, value);
            made.push_back(value);
        }
        course_.deliveries.push_back(std::move(delivery));
        if (sends(step.kind)) state.passing = std::move(made);
        ++state.time;  // what came can be used a round later
    }

    /// Where that lies with which a step combines what it receives.
    Place operand(const State& state, const Step& step) {
        if (!memory_.has(state.gpu, step.source, step.count) || memory_.isSame(state.gpu, step.source, step.target))
            return step.target;
        if (memory_.at(state.gpu, step.target, 0).content < 0) return step.source;
        if (!std::exchange(toldOfOperand_, true))
            course_.remarks.push_back(text(name(state),
                                           ": it is combined with its target, as msccl-tools means it; MSCCL "
                                           "takes its source, which is another place"));
        return step.target;
    }

    void send(State& state, std::vector<Carried> chunks) {
        state.lastSend = state.time;
        Clock clock = state.clock;
        if (ordered_) clock[asSize(doer(state).block)] = static_cast<std::int32_t>(state.next) + 1;
        state.out->parcels.push_back({state.time, std::move(chunks), std::move(clock), doer(state)});
        if (state.out->waiting >= 0) wake(std::exchange(state.out->waiting, -1));
    }

    const File& msccl_;
    std::vector<State> states_;
    std::vector<std::int32_t> firstBlock_;  ///< by GPU
    std::map<std::tuple<std::int32_t, std::int32_t, std::int32_t>, Queue> queues_;
    std::set<std::pair<std::int32_t, std::int64_t>> targets_;  ///< steps that others wait for
    std::map<std::pair<std::int32_t, std::int64_t>, Clock> told_;
    Ready ready_;
    bool ordered_ = true;
    bool toldOfOperand_ = false;
};

}  // namespace

Course courseOf(const File& msccl, std::string_view file) { return Follower{msccl, file}.follow(); }

}  // namespace engine::schedules::msccl
