// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/splitphase/split_clock.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/clocks/rank_ports.hpp"
#include "emulation/splitphase/split_messages.hpp"
#include "emulation/splitphase/split_recorder.hpp"
#include "engine/base/text.hpp"

#include <algorithm>
#include <queue>
#include <tuple>

namespace emulation {
namespace {

using engine::Picoseconds;
using engine::splitphase::Nanoseconds;
using engine::splitphase::Settings;

/// What happens at one moment, in this order: ranks act on all that has come, then ports take what they have posted.
enum class Kind : std::uint8_t { arrives, wakes, moves };

struct Event {
    Picoseconds time{};
    Kind kind = Kind::wakes;
    std::int32_t rank = 0;   ///< whose event it is: the sender of one that moves, else the receiver or the rank itself
    std::int64_t index = 0;  ///< the message, or which of the rank's wake-ups it is

    friend bool operator>(const Event& a, const Event& b) {
        return std::tie(a.time, a.kind, a.rank, a.index) > std::tie(b.time, b.kind, b.rank, b.index);
    }
};

/// One rank. Its processor computes, or looks; within a look it waits, or combines.
struct Process {
    enum class Doing : std::uint8_t { nothing, computing, glancing, waiting, combining, finished };
    enum class Phase : std::uint8_t { starting, beside, ending };

    Doing doing = Doing::nothing;
    Phase phase = Phase::starting;
    std::size_t at = 0;   ///< its step
    bool posted = false;  ///< the messages of the step
    bool found = false;   ///< the result is there, and the rank knows
    std::size_t stretch = 0;
    std::int64_t wakeUps = 0;  ///< of which the latest one alone still holds
    Picoseconds deadline{};    ///< of the look
};

class SplitClock {
    using Doing = Process::Doing;
    using Phase = Process::Phase;

public:
    SplitClock(const engine::Plan& plan, const Network& network, const Conditions& conditions, const Settings& settings,
               const engine::Progress& progress)
        : conditions_{conditions},
          settings_{settings},
          progress_{progress},
          messages_{splitMessagesOf(plan, network, conditions, progress)},
          ports_{network.ranks(), conditions.ports > 0 ? conditions.ports : plan.schedule->facts().ports},
          factors_{slowness(conditions.perturbation.slowRanks, network.ranks())},
          processes_(network.ranks()),
          times_(network.ranks()) {
        if (settings.compute.count() > 0 && !settings.background) stretches_ = stretchesOf(settings);
    }

    void run() {
        const auto starts = startTimes(conditions_.perturbation.arrival, static_cast<std::int32_t>(processes_.size()));
        for (const Rank rank : processes_.ids()) {
            times_[rank].begin = starts[rank.index()];
            wakeAt(rank, starts[rank.index()]);
        }
        for (std::int64_t count = 0; !events_.empty(); ++count) {
            const Event event = events_.top();
            events_.pop();
            happens(event);
            if ((count & 0xFFFF) == 0) progress_.at(0.5);
        }
        for (const Rank rank : processes_.ids()) {
            ENSURE(processes_[rank].doing == Doing::finished, "a rank waits forever");
            if (settings_.background) computeBeside(rank);
        }
    }

    [[nodiscard]] const SplitMessages& messages() const { return messages_; }
    [[nodiscard]] engine::ById<Rank, SplitPhaseTimes>& times() { return times_; }

private:
    void happens(const Event& event) {
        const Rank rank{event.rank};
        switch (event.kind) {
            case Kind::moves: {
                SplitMessage& message = messages_.all[engine::asSize(event.index)];
                ports_.receive(message.record, message.cost, event.time);
                events_.push({message.record.receiveEnd, Kind::arrives, message.record.to.value, event.index});
                break;
            }
            case Kind::arrives:
                --messages_.steps[rank][messages_.all[engine::asSize(event.index)].step].missing;
                if (processes_[rank].doing == Doing::waiting) goOn(rank, event.time);
                break;
            case Kind::wakes: wakes(rank, event.time, event.index); break;
        }
    }

    void wakes(Rank rank, Picoseconds now, std::int64_t wakeUp) {
        Process& self = processes_[rank];
        if (wakeUp != self.wakeUps) return;
        switch (self.doing) {
            case Doing::nothing:
                times_[rank].calls = 1;
                self.deadline = settings_.background ? endOfTime : now;
                goOn(rank, now);
                break;
            case Doing::computing: behindStretch(rank, now); break;
            case Doing::glancing:
            case Doing::combining: goOn(rank, now); break;
            case Doing::waiting: leave(rank, now); break;
            case Doing::finished: break;
        }
    }

    /// Through every round that is ready; then the look waits, or is over.
    void goOn(Rank rank, Picoseconds now) {
        Process& self = processes_[rank];
        std::vector<SplitStep>& steps = messages_.steps[rank];
        while (self.at < steps.size()) {
            SplitStep& step = steps[self.at];
            if (!self.posted) post(step, now);
            self.posted = true;
            if (step.missing > 0) {
                if (now >= self.deadline) return leave(rank, now);
                self.doing = Doing::waiting;
                if (self.deadline < endOfTime) wakeAt(rank, self.deadline);
                return;
            }
            self.posted = false;
            ++self.at;
            const Picoseconds combining = lasting(factorOf(rank), conditions_.model.gamma * step.combined);
            step.complete = now;
            step.ended = later(now, combining);
            if (combining.count() > 0) {
                self.doing = Doing::combining;
                return wakeAt(rank, step.ended);
            }
        }
        leave(rank, now);
    }

    void post(SplitStep& step, Picoseconds now) {
        step.began = now;
        for (std::size_t i = step.first; i < step.first + step.sends; ++i) {
            SplitMessage& message = messages_.all[i];
            ports_.send(message.record, message.cost, now);
            events_.push(
                {message.record.sendBegin, Kind::moves, message.record.from.value, static_cast<std::int64_t>(i)});
        }
    }

    /// The call returns.
    void leave(Rank rank, Picoseconds now) {
        Process& self = processes_[rank];
        SplitPhaseTimes& times = times_[rank];
        if (!self.found && self.at == messages_.steps[rank].size()) {
            self.found = true;
            times.done = now;
        }
        if (self.phase == Phase::ending) return finish(rank, now);
        if (self.phase == Phase::starting) times.started = now;
        if (settings_.background) {
            ++times.calls;
            return finish(rank, now);
        }
        self.phase = Phase::beside;
        compute(rank, now);
    }

    /// The next stretch of the computation; behind the last one it waits.
    void compute(Rank rank, Picoseconds now) {
        Process& self = processes_[rank];
        if (self.stretch < stretches_.size()) {
            self.doing = Doing::computing;
            return wakeAt(rank, later(now, lasting(factorOf(rank), of(stretches_[self.stretch]))));
        }
        times_[rank].computed = now;
        if (self.found) return finish(rank, now);
        self.phase = Phase::ending;
        look(rank, now, endOfTime);
    }

    /// A stretch is over: the rank looks, unless it was the last one or the result is there.
    void behindStretch(Rank rank, Picoseconds now) {
        Process& self = processes_[rank];
        ++self.stretch;
        if (self.found || self.stretch == stretches_.size()) return compute(rank, now);
        look(rank, now, later(now, of(settings_.timeout)));
    }

    void look(Rank rank, Picoseconds now, Picoseconds deadline) {
        Process& self = processes_[rank];
        ++times_[rank].calls;
        self.deadline = deadline;
        const Picoseconds cost = lasting(factorOf(rank), of(settings_.looking));
        if (cost.count() == 0) return goOn(rank, now);
        self.doing = Doing::glancing;
        wakeAt(rank, later(now, cost));
    }

    void finish(Rank rank, Picoseconds now) {
        processes_[rank].doing = Doing::finished;
        times_[rank].end = now;
    }

    /// The messages have moved by themselves.
    void computeBeside(Rank rank) {
        SplitPhaseTimes& times = times_[rank];
        times.started = times.begin;
        times.computed = later(times.begin, lasting(factorOf(rank), of(settings_.compute)));
        times.end = std::max(times.done, times.computed);
    }

    /// In place of whatever it was to wake for.
    void wakeAt(Rank rank, Picoseconds time) {
        events_.push({time, Kind::wakes, rank.value, ++processes_[rank].wakeUps});
    }

    [[nodiscard]] Factor factorOf(Rank rank) const { return factors_.empty() ? Factor{} : factors_[rank]; }
    static Picoseconds of(Nanoseconds time) { return lasting(time.count(), Picoseconds{1000}); }

    const Conditions& conditions_;
    const Settings& settings_;
    const engine::Progress& progress_;
    SplitMessages messages_;
    Ports ports_;
    engine::ById<Rank, Factor> factors_;  // empty: all 1
    engine::ById<Rank, Process> processes_;
    engine::ById<Rank, SplitPhaseTimes> times_;
    std::vector<Nanoseconds> stretches_;  // of the computation
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
};

/// What this clock does not know.
void requireKnown(const engine::Plan& plan, const Network& network, const Conditions& conditions) {
    const auto refuse = [](bool given, const auto&... what) {
        if (given)
            throw engine::Error{engine::text(engine::field::splitPhase, " in virtual time does not support ", what...)};
    };
    refuse(conditions.model.logGP.has_value(), "LogGP; it has alpha and beta");
    refuse(conditions.model.eagerLimit.has_value(), "eager limit: messages have their place in the receiver's memory");
    refuse(conditions.stepping == Stepping::lockstep, "lockstep: ranks go on when they look");
    refuse(isFair(conditions.sharing), "fair shares; choose ", engine::field::sharing, " bottleneck or none");
    refuse(plan.schedule->facts().uncoupled.count > 0, "schedules whose sends run ahead of their receives");
    if (network.ranks() != plan.schedule->facts().ranks)
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(), " has ", network.ranks(),
                                         " places, but ", plan.algorithm->id, " runs on ", plan.schedule->facts().ranks,
                                         " ranks")};
}

}  // namespace

SplitEmulated emulateSplit(const engine::Plan& plan, const Network& network, const Conditions& asked,
                           const Settings& settings, const engine::Progress& progress) {
    Conditions conditions = asked;
    conditions.model = asked.model.combiningBy(plan.problem.operation);
    requireKnown(plan, network, conditions);
    SplitClock clock{plan, network, conditions, settings, progress};
    clock.run();
    SplitEmulated result;
    result.run = recordOf(plan, clock.messages(), clock.times(), conditions.budget);
    result.run.setting.on = "virtual";
    result.run.setting.topology = network.name();
    result.run.setting.model = engine::toText(asked.model);
    result.run.setting.perturbation = toText(conditions.perturbation);
    result.congestion = clock.messages().congestion;
    result.ranks = std::move(clock.times());
    progress.at(1);
    return result;
}

}  // namespace emulation
