// SPDX-License-Identifier: BSD-3-Clause
#include "engine/schedule_files/msccl/plan_execution.hpp"

#include "engine/base/error.hpp"
#include "engine/base/text.hpp"
#include "engine/schedule_files/msccl/execution_results.hpp"
#include "engine/schedule_files/msccl/memory.hpp"
#include "engine/schedule_files/msccl/states.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <utility>

namespace engine::schedules::msccl {
namespace {

/// What is known once a thread block was signalled: from which round on it may go on, and what is done by then.
struct Token {
    std::int64_t time = 0;
    std::shared_ptr<const Clock> clock{};  ///< null: nothing
};

struct Runner {
    std::int32_t gpu = 0;
    const PlanBlock* block = nullptr;
    std::size_t next = 0;
    std::int64_t time = 0;
    std::int64_t arrival = 0;  ///< from this round on all that it put can be used
    Clock clock{};
    bool here = false;  ///< it has come to the barrier that it waits at
};

/// Thread blocks of a GPU that wait for each other.
struct Meeting {
    std::vector<std::int32_t> runners{};
    Token all{};
};

class PlanFollower final : Execution {
public:
    PlanFollower(const Plan& plan, std::string_view file) : Execution{plan.file, file}, plan_{plan} {}

    Course follow() {
        attempt([this] {
            begin();
            run();
        });
        numberArrivals();
        numberRounds();
        course_.remarks.insert(course_.remarks.begin(), plan_.file.remarks.begin(), plan_.file.remarks.end());
        return std::move(course_);
    }

private:
    /// GPU, buffer and chunk.
    using CellKey = std::tuple<std::int32_t, Buffer, std::int64_t>;
    /// From, to, type and number of a channel.
    using Line = std::tuple<std::int32_t, std::int32_t, bool, std::int32_t>;
    enum class Happening : std::uint8_t { signal, release, meeting, packet };
    /// What thread blocks wait for: a signal of a line, a semaphore of a GPU, a meeting of a thread block, or a packet.
    using Event = std::tuple<Happening, std::int32_t, std::int32_t, bool, std::int64_t>;

    [[nodiscard]] std::string name(Doer doer) const override {
        const Runner& runner = runners_[asSize(doer.block)];
        return operationName(asSize(runner.gpu), runner.block->id, asSize(doer.step));
    }
    [[nodiscard]] std::string mention(Doer doer) const override { return name(doer); }
    [[nodiscard]] std::string nameOfChunk(std::int32_t gpu, Place place, std::int64_t chunk) const override {
        return text(Execution::nameOfChunk(gpu, place, chunk), " of gpu ", gpu);
    }
    [[nodiscard]] std::int32_t indexOf(const Runner& runner) const {
        return static_cast<std::int32_t>(&runner - runners_.data());
    }
    [[nodiscard]] Doer doer(const Runner& runner) const {
        return {indexOf(runner), static_cast<std::int32_t>(runner.next)};
    }
    [[nodiscard]] User user(const Runner& runner) const { return {runner.gpu, doer(runner), runner.clock}; }
    [[nodiscard]] std::string name(const Runner& runner) const { return name(doer(runner)); }
    [[nodiscard]] static engine::Place at(const Runner& runner) { return {.rank = Rank{runner.gpu}}; }
    [[nodiscard]] std::string chunkName(const Run& run, std::int64_t chunk) const {
        return nameOfChunk(run.gpu, run.place, chunk);
    }

    void begin() {
        const auto gpus = static_cast<std::int32_t>(plan_.gpus.size());
        std::int64_t operations = 0;
        for (std::int32_t g = 0; g < gpus; ++g) {
            placeInputs(g);
            for (const PlanBlock& block : plan_.gpus[asSize(g)].blocks) {
                runners_.push_back({.gpu = g, .block = &block});
                operations += static_cast<std::int64_t>(block.operations.size());
            }
            for (std::size_t s = 0; s < plan_.gpus[asSize(g)].semaphores.size(); ++s)
                semaphores_[{g, static_cast<std::int32_t>(s)}].resize(
                    asSize(std::min<std::int64_t>(plan_.gpus[asSize(g)].semaphores[s], 1 << 16)));
        }
        ordered_ = keepsClocks(static_cast<std::int64_t>(runners_.size()), operations, "operations");
        for (Runner& runner : runners_) {
            if (ordered_) runner.clock.resize(runners_.size());
            ready_.emplace(0, indexOf(runner));
        }
    }

    /// Those that come first go on first. Who cannot go on is asked again when the event that it waits for has come,
    /// and all others have gone on as far as they can.
    void run() {
        while (true) {
            if (ready_.empty()) {
                if (woken_.empty()) break;
                for (const std::int32_t one : std::exchange(woken_, {}))
                    ready_.emplace(runners_[asSize(one)].time, one);
            }
            const std::int32_t one = ready_.top().second;
            ready_.pop();
            Runner& runner = runners_[asSize(one)];
            if (runner.next == runner.block->operations.size()) continue;
            const std::int64_t before = runner.time;
            if (!goesOn(runner)) {
                if (runner.time > before) ready_.emplace(runner.time, one);
                else waiting_[event_].push_back(one);
                continue;
            }
            if (ordered_) runner.clock[asSize(one)] = static_cast<std::int32_t>(runner.next) + 1;
            ++runner.next;
            ready_.emplace(runner.time, one);
        }
        for (const Runner& runner : runners_)
            if (runner.next < runner.block->operations.size()) standing(runner);
    }

    [[noreturn]] void standing(const Runner& runner) const {
        const PlanOperation& operation = runner.block->operations[runner.next];
        switch (operation.effect) {
            case Effect::wait:
                for (const ChannelEnd& end : operation.channels)
                    if (const auto line = signals_.find({end.peer, runner.gpu, end.port, end.number});
                        line == signals_.end() || line->second.empty())
                        stopAt(at(runner), name(runner), " waits for a signal of gpu ", end.peer, " that never comes");
                break;
            case Effect::barrier:
                stopAt(at(runner), name(runner), " waits for ", operation.blocks,
                       " thread blocks at its barrier, which do not all come");
            case Effect::acquire: stopAt(at(runner), name(runner), " waits for a semaphore that no rank releases");
            default: break;
        }
        for (const Run& run : operation.sources)
            for (std::int64_t c = 0; run.packets && c < run.count; ++c)
                if (!packets_.contains(keyOf(run, c)))
                    stopAt(at(runner), name(runner), " waits for packets in ", chunkName(run, c), " that never come");
        stopAt(at(runner), name(runner), " never ends");
    }

    /// What the thread block knows once its present operation is done.
    [[nodiscard]] std::shared_ptr<const Clock> clockOf(const Runner& runner) const {
        if (!ordered_) return nullptr;
        auto clock = std::make_shared<Clock>(runner.clock);
        (*clock)[asSize(indexOf(runner))] = static_cast<std::int32_t>(runner.next) + 1;
        return clock;
    }
    [[nodiscard]] Token tokenOf(const Runner& runner) const {
        return {std::max(runner.time, runner.arrival), clockOf(runner)};
    }
    void take(Runner& runner, const Token& token) {
        runner.time = std::max(runner.time, token.time);
        if (token.clock) join(runner.clock, *token.clock);
    }

    /// What the thread block waits for, so that its operation is not done yet.
    bool waitFor(Event event) {
        event_ = event;
        return false;
    }
    void wake(const Event& event) {
        const auto found = waiting_.find(event);
        if (found == waiting_.end()) return;
        woken_.insert(woken_.end(), found->second.begin(), found->second.end());
        waiting_.erase(found);
    }
    static Event eventOf(const Line& line) { return std::tuple_cat(std::tuple{Happening::signal}, line); }
    static Event eventOf(const CellKey& cell) {
        const auto& [gpu, buffer, chunk] = cell;
        return {Happening::packet, gpu, static_cast<std::int32_t>(buffer), false, chunk};
    }
    static Event released(std::int32_t gpu, std::int32_t number) { return {Happening::release, gpu, 0, false, number}; }
    static Event met(std::int32_t runner) { return {Happening::meeting, runner, 0, false, 0}; }

    /// Does the next operation of a thread block; false: not yet, or not before another round.
    bool goesOn(Runner& runner) {
        const PlanOperation& operation = runner.block->operations[runner.next];
        switch (operation.effect) {
            case Effect::nothing: return true;
            case Effect::signal: signal(runner, operation); return true;
            case Effect::wait: {
                std::map<Line, std::size_t> needed;
                for (const ChannelEnd& end : operation.channels) ++needed[{end.peer, runner.gpu, end.port, end.number}];
                for (const auto& [line, count] : needed)
                    if (const auto found = signals_.find(line); found == signals_.end() || found->second.size() < count)
                        return waitFor(eventOf(line));
                for (const auto& [line, count] : needed)
                    for (std::size_t i = 0; i < count; ++i) takeFrom(signals_[line], runner);
                return true;
            }
            case Effect::acquire:
                for (const std::int32_t each : operation.numbers)
                    if (semaphores_[{runner.gpu, each}].empty()) return waitFor(released(runner.gpu, each));
                for (const std::int32_t each : operation.numbers) takeFrom(semaphores_[{runner.gpu, each}], runner);
                return true;
            case Effect::release:
                for (const std::int32_t each : operation.numbers) {
                    semaphores_[{runner.gpu, each}].push_back(tokenOf(runner));
                    wake(released(runner.gpu, each));
                }
                return true;
            case Effect::barrier: return meet(runner, operation);
            default: break;
        }
        return move(runner, operation);
    }

    void takeFrom(std::deque<Token>& tokens, Runner& runner) {
        take(runner, tokens.front());
        tokens.pop_front();
    }

    void signal(const Runner& runner, const PlanOperation& operation) {
        for (const ChannelEnd& end : operation.channels) {
            const Line line{runner.gpu, end.peer, end.port, end.number};
            signals_[line].push_back(tokenOf(runner));
            wake(eventOf(line));
        }
    }

    bool meet(Runner& runner, const PlanOperation& operation) {
        Meeting& meeting = meetings_[{runner.gpu, operation.numbers.front()}];
        if (!runner.here) {
            runner.here = true;
            meeting.runners.push_back(indexOf(runner));
            const Token token = tokenOf(runner);
            Clock joined = meeting.all.clock ? *meeting.all.clock : Clock(runner.clock.size());
            if (token.clock) join(joined, *token.clock);
            meeting.all = {std::max(meeting.all.time, token.time), std::make_shared<const Clock>(std::move(joined))};
            if (static_cast<std::int32_t>(meeting.runners.size()) < operation.blocks)
                return waitFor(met(indexOf(runner)));
            // All are there: the barrier is free for the next time.
            for (const std::int32_t one : meeting.runners) {
                passed_[one] = meeting.all;
                wake(met(one));
            }
            meeting = {};
        }
        const auto pass = passed_.find(indexOf(runner));
        if (pass == passed_.end()) return waitFor(met(indexOf(runner)));
        take(runner, pass->second);
        passed_.erase(pass);
        runner.here = false;
        return true;
    }

    // --- what is moved

    [[nodiscard]] CellKey keyOf(const Run& run, std::int64_t chunk) const {
        return {run.gpu, run.place.buffer, run.place.first + chunk};
    }

    void requireThere(const Runner& runner, const Run& run) const {
        if (!memory_.has(run.gpu, run.place, run.count))
            stopAt(at(runner), name(runner), " uses ", chunkName(run, run.count - 1),
                   ", which the buffer does not have");
    }

    /// Whether all packets that it reads are there; it goes on when they are.
    bool hasPackets(Runner& runner, const PlanOperation& operation) {
        std::vector<const Token*> found;
        for (const Run& run : operation.sources)
            for (std::int64_t c = 0; run.packets && c < run.count; ++c) {
                const auto packet = packets_.find(keyOf(run, c));
                if (packet == packets_.end()) return waitFor(eventOf(keyOf(run, c)));
                found.push_back(&packet->second);
            }
        std::int64_t time = runner.time;
        for (const Token* token : found) time = std::max(time, token->time);
        if (time > runner.time) {
            runner.time = time;  // not before others have come as far
            return false;
        }
        for (const Token* token : found)
            if (token->clock) join(runner.clock, *token->clock);
        return true;
    }

    bool move(Runner& runner, const PlanOperation& operation) {
        for (const std::vector<Run>* runs : {&operation.sources, &operation.targets})
            for (const Run& run : *runs) requireThere(runner, run);
        if (!hasPackets(runner, operation)) return false;
        std::vector<std::vector<Carried>> values;
        bool read = false;
        for (const Run& run : operation.sources) {
            values.push_back(contentsOf(runner, run));
            if (run.gpu == runner.gpu) continue;
            values.back() = deliver(runner, run.gpu, runner.gpu, std::move(values.back()));
            read = true;
        }
        if (read) ++runner.time;
        if (operation.effect == Effect::reduce) {
            for (std::size_t s = 1; s < values.size(); ++s)
                for (std::size_t c = 0; c < values.front().size(); ++c)
                    values.front()[c] = combined(user(runner), values.front()[c], values[s][c]);
            values.resize(1);
        }
        for (std::size_t t = 0; t < operation.targets.size(); ++t)
            store(runner, operation.targets[t], values[values.size() == 1 ? 0 : t]);
        signal(runner, operation);
        return true;
    }

    std::vector<Carried> contentsOf(const Runner& runner, const Run& run) {
        std::vector<Carried> all;
        for (std::int64_t c = 0; c < run.count; ++c) all.push_back(get(user(runner), run.gpu, run.place, c));
        return all;
    }

    void store(Runner& runner, const Run& run, std::vector<Carried> values) {
        const bool away = run.gpu != runner.gpu;
        if (away) {
            values = deliver(runner, runner.gpu, run.gpu, std::move(values));
            runner.arrival = std::max(runner.arrival, runner.time + 1);
        }
        const std::shared_ptr<const Clock> clock = run.packets ? clockOf(runner) : nullptr;
        for (std::int64_t c = 0; c < run.count; ++c) {
            put(user(runner), run.gpu, run.place, c, values[asSize(c)]);
            if (!run.packets) continue;
            packets_[keyOf(run, c)] = {runner.time + (away ? 1 : 0), clock};
            wake(eventOf(keyOf(run, c)));
        }
    }

    /// Records a message; what arrives.
    std::vector<Carried> deliver(const Runner& runner, std::int32_t from, std::int32_t to,
                                 std::vector<Carried> chunks) {
        std::vector<Carried> all;
        Delivery delivery{.round = runner.time,
                          .from = from,
                          .to = to,
                          .sender = indexOf(runner),
                          .firstArrival = arrivals_,
                          .chunks = std::move(chunks)};
        for (const Carried& each : delivery.chunks) all.push_back(arrived(each));
        course_.deliveries.push_back(std::move(delivery));
        return all;
    }

    // --- the end

    /// Thread blocks are followed one operation after the other; arrivals are numbered by their rounds.
    void numberArrivals() {
        std::stable_sort(course_.deliveries.begin(), course_.deliveries.end(),
                         [](const Delivery& a, const Delivery& b) { return a.round < b.round; });
        std::vector<std::int32_t> numbers(asSize(arrivals_));
        std::int32_t next = 0;
        for (Delivery& one : course_.deliveries) {
            for (std::size_t c = 0; c < one.chunks.size(); ++c)
                numbers[asSize(one.firstArrival) + c] = next + static_cast<std::int32_t>(c);
            one.firstArrival = next;
            next += static_cast<std::int32_t>(one.chunks.size());
        }
        for (Recipe& recipe : course_.recipes) {
            for (std::int32_t& arrival : recipe.arrivals) arrival = numbers[asSize(arrival)];
            std::sort(recipe.arrivals.begin(), recipe.arrivals.end());
        }
    }

    const Plan& plan_;
    std::vector<Runner> runners_;
    std::map<Line, std::deque<Token>> signals_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::deque<Token>> semaphores_;
    std::map<std::pair<std::int32_t, std::int32_t>, Meeting> meetings_;
    std::map<std::int32_t, Token> passed_;  ///< a barrier, by thread block
    std::map<CellKey, Token> packets_;
    Ready ready_;
    std::map<Event, std::vector<std::int32_t>> waiting_;
    std::vector<std::int32_t> woken_;  ///< what they waited for has come
    Event event_{};                    ///< what the last thread block that could not go on waits for
    bool ordered_ = true;
};

}  // namespace

Course courseOf(const Plan& plan, std::string_view file) { return PlanFollower{plan, file}.follow(); }

}  // namespace engine::schedules::msccl
