// SPDX-License-Identifier: BSD-3-Clause
#include "emulation/replay/replay.hpp"

#include "emulation/clocks/bounded_time.hpp"
#include "emulation/replay/replay_clock.hpp"
#include "engine/base/option_placeholders.hpp"
#include "engine/base/text.hpp"

#include <algorithm>

namespace emulation {

using engine::MessageRecord;
using engine::Picoseconds;

ReplayClock::ReplayClock(const Program& program, const Network& network, const Conditions& conditions,
                         const engine::Progress& progress, ReplayObserver* observer, InPorts inPorts)
    : program_{program},
      conditions_{conditions},
      progress_{progress},
      observer_{observer},
      byByte_{inPorts == InPorts::byByte},
      costs_{network, conditions, 1},
      roundsCache_{costs_, network, conditions},
      factors_{slowness(conditions.perturbation.slowRanks, network.ranks())},
      transport_{network, conditions, byByte_, factors_},
      messages_{inFlightMessagesOf(program.messages, costs_)},
      executions_(program.collectives.size()),
      places_{program.ranks.size()},
      underWay_(network.ranks()),
      milestones_(engine::asSize(program.milestones)),
      freeFrom_(engine::asSize(program.processors)) {
    result_.ranks.resize(network.ranks());
    result_.collectives.resize(program.collectives.size());
    for (const Rank rank : program.ranks.ids()) all_ += program.ranks[rank].size();
    for (const Chain& chain : program.chains) all_ += chain.does.size();
    if (program.streams.empty() || program.messages.size() > 0) return;
    for (const Rank rank : program.ranks.ids()) oneStream_.push_back(hasOneStream(rank));
}

bool ReplayClock::hasOneStream(Rank rank) const {
    const std::vector<OnStream>& streams = program_.streams[rank];
    const Operations& doings = program_.ranks[rank];
    std::int64_t last = OnStream::none;
    std::size_t next = 0;
    for (std::size_t i = 0; i < doings.size(); ++i) {
        if (doings.what(i) == Does::enters) return false;
        if (doings.what(i) != Does::starts) continue;
        if (next >= streams.size() || streams[next++].after != last) return false;
        last = doings.number(i);
    }
    return true;
}

Replayed ReplayClock::run() {
    const auto starts = startTimes(conditions_.perturbation.arrival, static_cast<std::int32_t>(program_.ranks.size()));
    for (const Rank rank : program_.ranks.ids()) {
        processes_.push_back({.rank = rank, .now = starts[rank.index()]});
        result_.ranks[rank].computing = starts[rank.index()];  // what made it come late
        wake(rank.value);
    }
    for (const Chain& chain : program_.chains) {
        const auto number = static_cast<std::int32_t>(processes_.size());
        processes_.push_back({.rank = chain.rank, .now = starts[chain.rank.index()], .chain = &chain});
        wake(number);
    }
    do {
        transport_.processEvents(*this);
    } while (openHeld());
    for (const Rank rank : program_.ranks.ids()) {
        const SequentialProcess& process = processes_[rank.index()];
        if (!process.done) result_.stuck.push_back({rank, process.at});
        result_.ranks[rank].end = process.now;
        result_.duration = std::max(result_.duration, process.now);
    }
    for (std::size_t i = 0; i < program_.chains.size(); ++i) {
        const SequentialProcess& process = processes_[program_.ranks.size() + i];
        if (!process.done) result_.stuck.push_back({process.rank, process.at, static_cast<std::int64_t>(i)});
        Picoseconds& end = result_.ranks[process.rank].end;
        end = std::max(end, process.now);
        result_.duration = std::max(result_.duration, end);
    }
    progress_.at(1);
    return std::move(result_);
}

void ReplayClock::worked(const ProcessorTask& task) {
    if (task.what == ProcessorTask::What::computes) {
        resume(task.process, task.end);
    } else if (task.what == ProcessorTask::What::receives) {
        arrived(*task.message);
    } else {
        const std::int32_t sender = std::exchange(task.message->awaitsSend, InFlightMessage::nobody);
        if (sender != InFlightMessage::nobody) resume(sender, task.end);
    }
}

void ReplayClock::resume(std::int32_t process, Picoseconds now) {
    Picoseconds& its = processes_[engine::asSize(process)].now;
    its = std::max(its, now);
    proceed(process);
}

void ReplayClock::arrived(InFlightMessage& message) {
    ++result_.messages;
    result_.bytes += message.record.bytes;
    if (message.collective == InFlightMessage::nobody) --underWay_[message.record.to];
    if (observer_ != nullptr) observer_->message(message.record, message.collective);
    // Who goes on may close the round: the message may be gone then.
    const MessageRecord record = message.record;
    const std::int32_t sender = std::exchange(message.awaitsSend, InFlightMessage::nobody);
    const std::int32_t receiver = std::exchange(message.awaitsReceive, InFlightMessage::nobody);
    if (sender != InFlightMessage::nobody) resume(sender, record.sendEnd);
    if (receiver != InFlightMessage::nobody) resume(receiver, record.receiveEnd);
}

void ReplayClock::proceed(std::int32_t number) {
    SequentialProcess& self = processes_[engine::asSize(number)];
    if (self.parent != InFlightMessage::nobody) {
        if (self.pending != SequentialProcess::none) {
            if (!mayPost(number, self)) return;
            self.begin = self.now;
            enter(self, std::exchange(self.pending, SequentialProcess::none));
        }
        if (within(number, self)) finish(number, self);
        return;
    }
    const Operations& doings = self.chain != nullptr ? self.chain->does : program_.ranks[self.rank];
    while (self.at < doings.size()) {
        if (!self.begun) self.begin = self.now;
        self.begun = true;
        if (!act(number, self, doings.what(self.at), doings.number(self.at))) return;
        if (observer_ != nullptr && self.chain == nullptr) observer_->did(self.rank, self.at, self.begin, self.now);
        if (observer_ != nullptr && self.chain != nullptr)
            observer_->didInChain(static_cast<std::size_t>(self.chain - program_.chains.data()), self.at, self.begin,
                                  self.now);
        self.begun = false;
        ++self.at;
        ++did_;
    }
    self.done = true;
}

bool ReplayClock::act(std::int32_t number, SequentialProcess& self, Does what, std::int64_t of) {
    TimeSpent& spent = result_.ranks[self.rank];
    switch (what) {
        case Does::computes: {
            const Picoseconds setUp = self.at > 0 || program_.setUp.empty()
                                          ? Picoseconds{}
                                          : std::min(program_.setUp[self.rank], Picoseconds{of});
            const Picoseconds time = setUp + lasting(factorOf(self.rank), Picoseconds{of} - setUp);
            if (!(self.chain != nullptr ? computeInTurn(number, self, time) : work(number, self, time))) return false;
            spent.computing += time;
            spent.moving += self.now - self.begin - time;
            return true;
        }
        case Does::lingers:
            if (isScheduled(self)) return true;
            self.now = later(self.now, Picoseconds{of});
            spent.inCollectives += Picoseconds{of};
            return true;
        case Does::sends: {
            InFlightMessage& message = messages_[engine::asSize(of)];
            if (!message.sendPosted) {
                if (!mayPost(number, self)) return false;
                transport_.postSend(message, self.now);
            }
            // A processor sends it now, unless it must wait for its receiver.
            return transport_.processors() == nullptr || transport_.meets(message) ||
                   await(number, self, message, Does::awaitsSend);
        }
        case Does::receives:
            if (!mayPost(number, self)) return false;
            ++underWay_[self.rank];
            transport_.postReceive(messages_[engine::asSize(of)], self.now);
            return true;
        case Does::awaitsSend:
        case Does::awaitsReceive: return await(number, self, messages_[engine::asSize(of)], what);
        case Does::enters:
            if (self.collective == SequentialProcess::none) {
                if (!mayPost(number, self)) return false;
                enter(self, of);
            }
            if (!within(number, self)) return false;
            leave(self);
            spent.inCollectives += self.now - self.begin;
            return true;
        case Does::starts:
            if (!mayPost(number, self)) return false;
            start(number, self, of);
            return true;
        case Does::ends:
            if (!end(self, of)) return false;
            spent.inCollectives += self.now - self.begin;
            return true;
        case Does::reaches: reach(self, of); return true;
        case Does::passes: return pass(number, self, of);
    }
    return true;
}

bool ReplayClock::computeInTurn(std::int32_t number, SequentialProcess& self, Picoseconds time) {
    if (transport_.processors() != nullptr) return work(number, self, time);
    if (!mayPost(number, self)) return false;
    Picoseconds& freeFrom = freeFrom_[engine::asSize(self.chain->processor)];
    self.begin = std::max(self.now, freeFrom);
    self.now = freeFrom = later(self.begin, time);
    return true;
}

void ReplayClock::reach(const SequentialProcess& self, std::int64_t milestone) {
    Milestone& its = milestones_[engine::asSize(milestone)];
    its.reached = true;
    its.time = self.now;
    for (const std::int32_t other : its.awaitedBy) {
        Picoseconds& now = processes_[engine::asSize(other)].now;
        now = std::max(now, self.now);
        wake(other);
    }
    its.awaitedBy.clear();
}

bool ReplayClock::pass(std::int32_t number, SequentialProcess& self, std::int64_t milestone) {
    Milestone& its = milestones_[engine::asSize(milestone)];
    if (its.reached) self.now = std::max(self.now, its.time);
    else its.awaitedBy.push_back(number);
    return its.reached;
}

void ReplayClock::start(std::int32_t number, SequentialProcess& self, std::int64_t collective) {
    const Rank rank = self.rank;
    const OnStream* stream = nullptr;
    if (!program_.streams.empty() && self.started < program_.streams[rank].size())
        stream = &program_.streams[rank][self.started++];
    const std::int32_t beside = spawn({.rank = rank, .now = self.now, .parent = number, .stream = stream});
    SequentialProcess& its = processes_[engine::asSize(beside)];
    beside_[{rank.value, collective}] = beside;
    ++underWay_[rank];
    if (stream == nullptr) {
        enter(its, collective);
        return wake(beside);
    }
    its.pending = collective;
    its.now = later(its.now, stream->delay);
    const auto before = beside_.find({rank.value, stream->after});
    if (before == beside_.end()) return wake(beside);
    SequentialProcess& last = processes_[engine::asSize(before->second)];
    if (!last.done) {
        last.successor = beside;
        return;
    }
    its.now = std::max(its.now, last.now);
    wake(beside);
}

bool ReplayClock::end(SequentialProcess& self, std::int64_t collective) {
    const auto beside = beside_.find({self.rank.value, collective});
    ENSURE(beside != beside_.end(), "a collective is ended that was not started");
    const SequentialProcess& its = processes_[engine::asSize(beside->second)];
    self.awaitsProcess = beside->second;
    if (!its.done) return false;
    self.awaitsProcess = InFlightMessage::nobody;
    self.now = std::max(self.now, its.now);
    Lasting& lasts = result_.collectives[engine::asSize(collective)];
    lasts.end = std::max(lasts.end, its.stream != nullptr ? its.now : self.now);
    idle_.push_back(beside->second);
    beside_.erase(beside);
    --underWay_[self.rank];
    return true;
}

bool ReplayClock::isScheduled(const SequentialProcess& self) const {
    const std::int64_t collective = program_.ranks[self.rank].number(self.at - 1);
    return program_.collectives[engine::asSize(collective)].schedule != nullptr;
}

bool ReplayClock::work(std::int32_t number, SequentialProcess& self, Picoseconds time) {
    if (transport_.processors() == nullptr || time == Picoseconds{}) {
        self.now = later(self.now, time);
        return true;
    }
    self.works = !self.works;
    if (self.works) transport_.processors()->occupy(number, self.rank, self.collective, time, self.now);
    return !self.works;
}

bool ReplayClock::mayPost(std::int32_t number, const SequentialProcess& self) {
    if (self.now <= transport_.now()) return true;
    wake(number);
    return false;
}

bool ReplayClock::await(std::int32_t number, SequentialProcess& self, InFlightMessage& message, Does what) {
    const bool sending = what == Does::awaitsSend;
    if (!(sending ? message.left : message.there)) {
        (sending ? message.awaitsSend : message.awaitsReceive) = number;
        return false;
    }
    const Picoseconds end = std::max(self.begin, sending ? message.record.sendEnd : message.record.receiveEnd);
    const bool waits = !sending || transport_.processors() != nullptr || transport_.meets(message);
    const Picoseconds moves =
        transport_.processors() != nullptr ? message.record.sendBegin : message.record.receiveBegin;
    const Picoseconds came = waits ? std::clamp(moves, self.begin, end) : self.begin;
    TimeSpent& spent = result_.ranks[self.rank];
    spent.waiting += came - self.begin;
    spent.moving += end - came;
    self.now = end;
    return true;
}

std::int32_t ReplayClock::spawn(SequentialProcess process) {
    if (idle_.empty()) {
        processes_.push_back(process);
        return static_cast<std::int32_t>(processes_.size() - 1);
    }
    const std::int32_t number = idle_.back();
    idle_.pop_back();
    processes_[engine::asSize(number)] = process;
    return number;
}

void ReplayClock::finish(std::int32_t number, SequentialProcess& self) {
    self.done = true;
    SequentialProcess& parent = processes_[engine::asSize(self.parent)];
    if (self.ends != Ends::both) {
        parent.now = std::max(parent.now, self.now);
        idle_.push_back(number);
        if (--parent.children == 0) wake(self.parent);
        return;
    }
    if (self.stream != nullptr) {
        const auto collective = engine::asSize(self.collective);
        if (program_.collectives[collective].schedule == nullptr) self.now = later(self.now, self.stream->lingers);
        if (observer_ != nullptr) observer_->ran(self.rank, self.collective, self.begin, self.now);
    }
    leave(self);
    if (const std::int32_t next = std::exchange(self.successor, InFlightMessage::nobody);
        next != InFlightMessage::nobody) {
        SequentialProcess& its = processes_[engine::asSize(next)];
        its.now = std::max(its.now, self.now);
        wake(next);
    }
    if (parent.awaitsProcess != number) return;
    parent.now = std::max(parent.now, self.now);
    wake(self.parent);
}

namespace {

void requireReplayable(const Program& program, const Network& network, const Conditions& conditions, InPorts inPorts) {
    const auto refuse = [](bool given, const auto&... what) {
        if (given) throw engine::Error{engine::text("replay does not support ", what...)};
    };
    if (isFair(conditions.sharing)) requireFair(network, conditions);
    refuse(inPorts == InPorts::byByte && isFair(conditions.sharing),
           "fair shares of links together with ports that take messages byte by byte");
    refuse(inPorts == InPorts::byByte && conditions.model.logGP.has_value(),
           "LogGP at ports that take messages byte by byte; leave out ", engine::field::logGP);
    if (engine::asSize(network.ranks()) != program.ranks.size())
        throw engine::Error{engine::text(engine::field::topology, " ", network.name(), " has ", network.ranks(),
                                         " places, but the program runs on ", program.ranks.size(), " ranks")};
}

}  // namespace

Replayed replay(const Program& program, const Network& network, const Conditions& conditions,
                const engine::Progress& progress, ReplayObserver* observer, InPorts inPorts) {
    requireReplayable(program, network, conditions, inPorts);
    return ReplayClock{program, network, conditions, progress, observer, inPorts}.run();
}

}  // namespace emulation
