// SPDX-License-Identifier: BSD-3-Clause
// The judge of split-phase runs in virtual time: what emulation/splitphase/split_clock.hpp says in words, lived through
// tick by tick. It knows the per-rank view only.
#pragma once

#include "engine/algorithm/algorithm.hpp"
#include "engine/live/splitphase/overlapped_computation.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace support {

/// Times are ticks.
struct SlowHalves {
    std::int64_t begin = 0;
    std::int64_t started = 0;
    std::int64_t computed = 0;
    std::int64_t done = 0;
    std::int64_t end = 0;
    std::int64_t calls = 0;

    friend bool operator==(const SlowHalves&, const SlowHalves&) = default;
};

/// A machine whose times are whole numbers of ticks.
struct TickMachine {
    std::int64_t tick = 250;  ///< picoseconds
    std::int64_t alpha = 4;   ///< ticks, at least 1
    std::int64_t beta = 1;    ///< ticks per byte
    std::int64_t gamma = 1;   ///< ticks per byte
    int ports = 1;
    std::vector<std::int64_t> starts{};   ///< of each rank
    std::vector<std::int64_t> factors{};  ///< of each rank
};

class TickByTick {
public:
    TickByTick(const engine::Plan& plan, const TickMachine& machine, const engine::splitphase::Settings& settings)
        : plan_{plan}, machine_{machine}, settings_{settings}, ranks_(machine.starts.size()) {
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            ranks_[r].out.resize(static_cast<std::size_t>(machine.ports));
            ranks_[r].in.resize(static_cast<std::size_t>(machine.ports));
            ranks_[r].todo = todoOf(static_cast<std::int32_t>(r));
        }
    }

    std::vector<SlowHalves> run() {
        for (std::int64_t now = 0; !allDone(); ++now) {
            if (now > 1'000'000) throw std::logic_error{"a rank waits forever"};
            for (Person& person : ranks_) deliver(person, now);
            for (std::size_t r = 0; r < ranks_.size(); ++r) act(static_cast<std::int32_t>(r), now);
            for (Person& person : ranks_) sendOff(person, now);
            for (Person& person : ranks_) takeIn(person, now);
        }
        std::vector<SlowHalves> all;
        for (std::size_t r = 0; r < ranks_.size(); ++r) {
            SlowHalves told = ranks_[r].told;
            if (settings_.background) {
                told.started = told.begin;
                told.computed = told.begin + ticks(settings_.compute) * machine_.factors[r];
                told.end = std::max(told.done, told.computed);
                ++told.calls;
            }
            all.push_back(told);
        }
        return all;
    }

private:
    struct Post {
        std::int32_t from = 0;
        std::int32_t to = 0;
        std::int64_t round = 0;
        std::int64_t cost = 0;
    };
    struct Port {
        bool busy = false;
        std::int64_t until = 0;
        Post post{};
    };
    struct Task {
        enum class Kind { start, compute, look, wait } kind = Kind::start;
        std::int64_t time = 0;  ///< of the computation, or for which a look may wait
    };
    struct Person {
        std::deque<Task> todo;
        bool begun = false;  ///< the first of `todo`
        std::int64_t busyUntil = 0;
        std::int64_t deadline = 0;
        std::int64_t round = 0;
        bool posted = false;
        bool knows = false;
        std::map<std::int64_t, int> there;  ///< messages that have come, by round
        std::deque<Post> outgoing;
        std::deque<Post> incoming;
        std::vector<Port> out, in;
        SlowHalves told{};
    };

    static constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max() / 4;

    [[nodiscard]] std::int64_t ticks(engine::splitphase::Nanoseconds time) const {
        return time.count() * 1000 / machine_.tick;
    }

    std::deque<Task> todoOf(std::int32_t rank) const {
        std::deque<Task> todo{{Task::Kind::start, settings_.background ? forever : 0}};
        const std::int64_t factor = machine_.factors[static_cast<std::size_t>(rank)];
        if (settings_.compute.count() > 0 && !settings_.background) {
            std::vector<engine::splitphase::Nanoseconds> looks = settings_.at;
            if (looks.empty())
                for (int i = 1; i <= settings_.tests; ++i) looks.push_back(settings_.compute * i / settings_.tests);
            engine::splitphase::Nanoseconds done{};
            for (auto look : looks) {
                look = std::min(look, settings_.compute);
                todo.push_back({Task::Kind::compute, ticks(look - done) * factor});
                todo.push_back({Task::Kind::look, ticks(settings_.timeout)});
                done = look;
            }
            todo.push_back({Task::Kind::compute, ticks(settings_.compute - done) * factor});
        }
        todo.push_back({Task::Kind::wait, forever});
        return todo;
    }

    [[nodiscard]] bool allDone() const {
        return std::all_of(ranks_.begin(), ranks_.end(), [](const Person& person) { return person.todo.empty(); });
    }

    void deliver(Person& person, std::int64_t now) {
        for (Port& port : person.out)
            if (port.busy && port.until == now) port.busy = false;
        for (Port& port : person.in)
            if (port.busy && port.until == now) {
                port.busy = false;
                ++person.there[port.post.round];
            }
    }

    void act(std::int32_t rank, std::int64_t now) {
        Person& self = ranks_[static_cast<std::size_t>(rank)];
        if (now < machine_.starts[static_cast<std::size_t>(rank)]) return;
        while (!self.todo.empty() && now >= self.busyUntil) {
            const Task task = self.todo.front();
            if (!self.begun) {
                self.begun = true;
                if (!begin(rank, task, now)) {
                    over(rank, now);
                    continue;
                }
                if (now < self.busyUntil) return;
            }
            if (task.kind != Task::Kind::compute && !through(rank, now)) return;
            if (now >= self.busyUntil) over(rank, now);
        }
    }

    /// False: there is nothing to do.
    bool begin(std::int32_t rank, const Task& task, std::int64_t now) {
        Person& self = ranks_[static_cast<std::size_t>(rank)];
        if (task.kind == Task::Kind::compute) {
            self.busyUntil = now + task.time;
            return true;
        }
        if (task.kind == Task::Kind::start) self.told.begin = now;
        if (task.kind == Task::Kind::wait) self.told.computed = now;
        if (self.knows) return false;
        ++self.told.calls;
        self.deadline = now + task.time;
        if (task.kind != Task::Kind::start)
            self.busyUntil = now + ticks(settings_.looking) * machine_.factors[static_cast<std::size_t>(rank)];
        return true;
    }

    void over(std::int32_t rank, std::int64_t now) {
        Person& self = ranks_[static_cast<std::size_t>(rank)];
        if (self.todo.front().kind == Task::Kind::start) self.told.started = now;
        if (self.todo.front().kind == Task::Kind::wait) self.told.end = now;
        self.todo.pop_front();
        self.begun = false;
        if (settings_.background) self.todo.clear();
    }

    /// Looks after the messages; true when the look is over.
    bool through(std::int32_t rank, std::int64_t now) {
        Person& self = ranks_[static_cast<std::size_t>(rank)];
        for (;;) {
            if (now < self.busyUntil) return false;  // combining
            if (self.round == plan_.schedule->facts().rounds) {
                if (!self.knows) self.told.done = now;
                self.knows = true;
                return true;
            }
            engine::Turn turn;
            plan_.schedule->turn(engine::Rank{rank}, engine::Round{self.round}, turn);
            if (!self.posted)
                for (const engine::Message& send : turn.sends())
                    self.outgoing.push_back({rank, send.peer.value, self.round, costOf(rank, send)});
            self.posted = true;
            if (self.there[self.round] < static_cast<int>(turn.receives().size())) return now >= self.deadline;
            std::int64_t combined = 0;
            for (const engine::Message& receive : turn.receives())
                combined += combinedBytes(receive.slots, receive.action, receive.bytes);
            self.busyUntil = now + combined * machine_.gamma * machine_.factors[static_cast<std::size_t>(rank)];
            ++self.round;
            self.posted = false;
        }
    }

    [[nodiscard]] std::int64_t costOf(std::int32_t rank, const engine::Message& send) const {
        const std::int64_t factor =
            std::max(machine_.factors[static_cast<std::size_t>(rank)], machine_.factors[send.peer.index()]);
        return (machine_.alpha + machine_.beta * send.bytes) * factor;
    }

    void sendOff(Person& person, std::int64_t now) {
        for (Port& port : person.out) {
            if (port.busy || person.outgoing.empty()) continue;
            const Post post = person.outgoing.front();
            person.outgoing.pop_front();
            port = {true, now + post.cost, post};
            ranks_[static_cast<std::size_t>(post.to)].incoming.push_back(post);
        }
    }

    void takeIn(Person& person, std::int64_t now) {
        for (Port& port : person.in) {
            if (port.busy || person.incoming.empty()) continue;
            const Post post = person.incoming.front();
            person.incoming.pop_front();
            port = {true, now + post.cost, post};
        }
    }

    const engine::Plan& plan_;
    const TickMachine& machine_;
    const engine::splitphase::Settings& settings_;
    std::vector<Person> ranks_;
};

}  // namespace support
