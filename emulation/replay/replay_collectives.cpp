// SPDX-License-Identifier: BSD-3-Clause
// Strands in collectives: round by round, or all members at once where nothing keeps them apart.
#include "emulation/clocks/bounded_time.hpp"
#include "emulation/replay/collective_at_once.hpp"
#include "emulation/replay/replay_clock.hpp"

#include <algorithm>
#include <utility>

namespace emulation {

using engine::Picoseconds;
using engine::Round;

void ReplayClock::enter(SequentialProcess& self, std::int64_t collective) {
    const CollectiveDone& what = program_.collectives[engine::asSize(collective)];
    CollectiveExecution& execution = executions_[engine::asSize(collective)];
    Lasting& lasts = result_.collectives[engine::asSize(collective)];
    lasts.begin = execution.come == 0 ? self.now : std::min(lasts.begin, self.now);
    ++execution.come;
    self.collective = collective;
    self.place = places_.of(*what.members, self.rank);
    self.posted = self.met = false;
    self.round = Round{0};
    if (what.schedule == nullptr) return;
    self.behind = Round{what.schedule->facts().rounds};
    const bool isBeside = self.parent != InFlightMessage::nobody;
    const bool meetsOthers = isBeside || underWay_[self.rank] > 0;
    const bool oneStream = !oneStream_.empty() && oneStream_[self.rank.index()];
    execution.isOpen = execution.isOpen || (meetsOthers && !oneStream) || !mayGather(what);
}

bool ReplayClock::mayGather(const CollectiveDone& what) {
    if (conditions_.model.eagerLimit || byByte_ || transport_.sharesFairly() || transport_.processors() != nullptr ||
        lockstep())
        return false;
    const CollectiveRounds* collectiveRounds = roundsCache_.of(what);
    return collectiveRounds != nullptr && collectiveRounds->gathers;
}

void ReplayClock::leave(SequentialProcess& self) {
    const auto collective = engine::asSize(std::exchange(self.collective, SequentialProcess::none));
    CollectiveExecution& execution = executions_[collective];
    Lasting& lasts = result_.collectives[collective];
    lasts.end = std::max(lasts.end, self.now);
    if (++execution.gone == program_.collectives[collective].members->size()) execution.rounds.reset();
}

bool ReplayClock::within(std::int32_t number, SequentialProcess& self) {
    const CollectiveDone& what = program_.collectives[engine::asSize(self.collective)];
    CollectiveExecution& execution = executions_[engine::asSize(self.collective)];
    if (what.schedule == nullptr) return meet(number, self, what, execution);
    if (!execution.isOpen) return gather(number, self, what, execution);
    if (execution.rounds == nullptr && open(static_cast<std::int32_t>(self.collective), what, execution)) {
        wake(number);  // behind those, whose posts come before its own
        return false;
    }
    const engine::Rounds apart = apartIn(what);
    while (self.round < self.behind) {
        if (lockstep() && !begins(number, self, what, execution)) return false;
        if (self.ends == Ends::both && apart.contains(self.round)) {
            if (!goApart(self, number, apart.end())) return false;
            continue;
        }
        OpenRound& open = execution.rounds->at(self.round);
        if (!(transport_.processors() != nullptr ? exchangeInTurn(number, self, open) : exchange(number, self, open)))
            return false;
        if (self.ends == Ends::both &&
            !work(number, self, open.what().combining(self.place, what.gamma, factorOf(self.rank))))
            return false;
        self.posted = self.met = false;
        execution.rounds->pass(self.round);
        ++self.round;
    }
    return !lockstep() || begins(number, self, what, execution);
}

bool ReplayClock::begins(std::int32_t number, SequentialProcess& self, const CollectiveDone& what,
                         CollectiveExecution& execution) {
    if (self.met) return true;
    if (self.waits) return false;
    execution.latest = std::max(execution.latest, self.now);
    if (execution.waiting.size() + 1 < what.members->size()) {
        execution.waiting.push_back(number);
        self.waits = true;
        return false;
    }
    letGo(execution);
    self.met = true;
    self.now = execution.latest;
    return true;
}

void ReplayClock::letGo(CollectiveExecution& execution) {
    for (const std::int32_t other : std::exchange(execution.waiting, {})) {
        SequentialProcess& its = processes_[engine::asSize(other)];
        its.met = true;
        its.waits = false;
        its.now = execution.latest;
        wake(other);
    }
}

engine::Rounds ReplayClock::apartIn(const CollectiveDone& what) const {
    return transport_.processors() != nullptr || lockstep() ? engine::Rounds{} : what.schedule->facts().uncoupled;
}

bool ReplayClock::open(std::int32_t collective, const CollectiveDone& what, CollectiveExecution& execution) {
    execution.rounds =
        std::make_unique<OpenRounds>(what, collective, roundsCache_, apartIn(what), transport_.processors() != nullptr);
    const std::vector<std::int32_t> held = std::exchange(execution.waiting, {});
    for (const std::int32_t other : held) {
        processes_[engine::asSize(other)].posted = false;
        wake(other);
    }
    return !held.empty();
}

bool ReplayClock::openHeld() {
    bool found = false;
    for (std::size_t i = 0; i < executions_.size(); ++i) {
        CollectiveExecution& execution = executions_[i];
        const CollectiveDone& what = program_.collectives[i];
        if (execution.isOpen || execution.waiting.empty() || what.schedule == nullptr) continue;
        execution.isOpen = true;
        found = open(static_cast<std::int32_t>(i), what, execution) || found;
    }
    return found;
}

bool ReplayClock::gather(std::int32_t number, SequentialProcess& self, const CollectiveDone& what,
                         CollectiveExecution& execution) {
    if (self.met) return true;
    if (self.posted) return false;
    self.posted = true;
    execution.waiting.push_back(number);
    if (execution.come < what.members->size()) return false;
    clocks_.resize(what.members->size());
    const std::vector<std::int32_t> all = std::exchange(execution.waiting, {});
    for (const std::int32_t each : all) {
        const SequentialProcess& its = processes_[engine::asSize(each)];
        clocks_[engine::asSize(its.place)] = its.now;
    }
    const CollectiveRounds& collectiveRounds = *roundsCache_.of(what);
    goThrough(what, collectiveRounds, transport_.ports(), factors_, clocks_, observer_, self.collective);
    result_.messages += collectiveRounds.messages;
    result_.bytes += collectiveRounds.bytes;
    for (const std::int32_t each : all) {
        SequentialProcess& its = processes_[engine::asSize(each)];
        its.met = true;
        its.now = clocks_[engine::asSize(its.place)];
    }
    for (const std::int32_t other : all) {
        if (other == number) continue;
        // Until it posts something again it needs no turn of its own; at this very moment others may come first.
        if (processes_[engine::asSize(other)].now > transport_.now()) proceed(other);
        else wake(other);
    }
    return true;
}

bool ReplayClock::meet(std::int32_t number, SequentialProcess& self, const CollectiveDone& what,
                       CollectiveExecution& execution) {
    if (self.met) return true;
    if (self.posted) return false;
    self.posted = true;
    execution.latest = std::max(execution.latest, self.now);
    const bool waits = self.stream == nullptr || self.stream->waits;
    if (execution.come == what.members->size()) letGo(execution);
    else if (waits) {
        execution.waiting.push_back(number);
        return false;
    }
    if (waits) self.now = execution.latest;
    self.met = true;
    return true;
}

bool ReplayClock::goApart(SequentialProcess& self, std::int32_t number, Round behind) {
    if (self.children > 0) return false;
    if (self.posted) {
        self.posted = false;
        self.round = behind;
        return true;
    }
    self.posted = true;
    self.children = 2;
    for (const Ends ends : {Ends::sends, Ends::receives}) {
        SequentialProcess half = self;
        half.parent = number;
        half.children = 0;
        half.behind = behind;
        half.ends = ends;
        half.posted = false;
        wake(spawn(half));
    }
    return false;
}

bool ReplayClock::exchange(std::int32_t number, SequentialProcess& self, OpenRound& open) {
    std::span<InFlightMessage> sends;
    std::span<const std::uint32_t> receives;
    if (self.ends != Ends::receives) sends = open.sends(self.place);
    if (self.ends != Ends::sends) receives = open.receives(self.place);
    if (!self.posted) {
        if ((!sends.empty() || !receives.empty()) && !mayPost(number, self)) return false;
        for (InFlightMessage& message : sends) transport_.postSend(message, self.now);
        for (const std::uint32_t i : receives) transport_.postReceive(open.message(i), self.now);
        self.posted = true;
        self.awaited = 0;
    }
    for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
        const bool sending = self.awaited < sends.size();
        InFlightMessage& message = sending ? sends[self.awaited] : open.message(receives[self.awaited - sends.size()]);
        if (!(sending ? message.left : message.there)) {
            (sending ? message.awaitsSend : message.awaitsReceive) = number;
            return false;
        }
        self.now = std::max(self.now, sending ? message.record.sendEnd : message.record.receiveEnd);
    }
    return true;
}

bool ReplayClock::exchangeInTurn(std::int32_t number, SequentialProcess& self, OpenRound& open) {
    LogGPTransport& processors = *transport_.processors();
    const std::span<InFlightMessage> sends = open.sends(self.place);
    const std::span<const std::uint32_t> receives = open.receives(self.place);
    if (!self.posted) {
        for (const std::uint32_t i : receives) processors.expect(open.message(i), self.now);
        self.posted = true;
        self.awaited = 0;
    }
    for (; self.awaited < sends.size(); ++self.awaited) {
        InFlightMessage& message = sends[self.awaited];
        if (!message.sendPosted) processors.postSend(message, self.now);
        if (!message.left) {
            message.awaitsSend = number;
            return false;
        }
        self.now = std::max(self.now, message.record.sendEnd);
    }
    if (self.awaited == sends.size())
        for (const std::uint32_t i : receives) processors.want(open.message(i), self.now);
    for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
        InFlightMessage& message = open.message(receives[self.awaited - sends.size()]);
        if (!message.there) {
            message.awaitsReceive = number;
            return false;
        }
        self.now = std::max(self.now, message.record.receiveEnd);
    }
    return true;
}

}  // namespace emulation
