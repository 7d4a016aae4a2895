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

void ReplayClock::enter(Strand& self, std::int64_t collective) {
    const CollectiveDone& what = program_.collectives[engine::asSize(collective)];
    Stay& stay = stays_[engine::asSize(collective)];
    Lasting& lasts = result_.collectives[engine::asSize(collective)];
    lasts.begin = stay.come == 0 ? self.now : std::min(lasts.begin, self.now);
    ++stay.come;
    self.collective = collective;
    self.place = places_.of(*what.members, self.rank);
    self.posted = self.met = false;
    self.round = Round{0};
    if (what.schedule == nullptr) return;
    self.behind = Round{what.schedule->facts().rounds};
    const bool isBeside = self.parent != ReplayLetter::nobody;
    const bool meetsOthers = isBeside || underWay_[self.rank] > 0;
    const bool oneStream = !oneStream_.empty() && oneStream_[self.rank.index()];
    stay.isOpen = stay.isOpen || (meetsOthers && !oneStream) || !mayGather(what);
}

bool ReplayClock::mayGather(const CollectiveDone& what) {
    if (conditions_.model.eagerLimit || byByte_ || carrier_.sharesFairly() || carrier_.processors() != nullptr ||
        lockstep())
        return false;
    const Course* course = courses_.of(what);
    return course != nullptr && course->gathers;
}

void ReplayClock::leave(Strand& self) {
    const auto collective = engine::asSize(std::exchange(self.collective, Strand::none));
    Stay& stay = stays_[collective];
    Lasting& lasts = result_.collectives[collective];
    lasts.end = std::max(lasts.end, self.now);
    if (++stay.gone == program_.collectives[collective].members->size()) stay.rounds.reset();
}

bool ReplayClock::within(std::int32_t number, Strand& self) {
    const CollectiveDone& what = program_.collectives[engine::asSize(self.collective)];
    Stay& stay = stays_[engine::asSize(self.collective)];
    if (what.schedule == nullptr) return meet(number, self, what, stay);
    if (!stay.isOpen) return gather(number, self, what, stay);
    if (stay.rounds == nullptr && open(static_cast<std::int32_t>(self.collective), what, stay)) {
        wake(number);  // behind those, whose posts come before its own
        return false;
    }
    const engine::Rounds apart = apartIn(what);
    while (self.round < self.behind) {
        if (lockstep() && !begins(number, self, what, stay)) return false;
        if (self.ends == Ends::both && apart.contains(self.round)) {
            if (!goApart(self, number, apart.end())) return false;
            continue;
        }
        OpenRound& open = stay.rounds->at(self.round);
        if (!(carrier_.processors() != nullptr ? exchangeInTurn(number, self, open) : exchange(number, self, open)))
            return false;
        if (self.ends == Ends::both &&
            !work(number, self, open.what().combining(self.place, what.gamma, factorOf(self.rank))))
            return false;
        self.posted = self.met = false;
        stay.rounds->pass(self.round);
        ++self.round;
    }
    return !lockstep() || begins(number, self, what, stay);
}

bool ReplayClock::begins(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
    if (self.met) return true;
    if (self.waits) return false;
    stay.latest = std::max(stay.latest, self.now);
    if (stay.waiting.size() + 1 < what.members->size()) {
        stay.waiting.push_back(number);
        self.waits = true;
        return false;
    }
    letGo(stay);
    self.met = true;
    self.now = stay.latest;
    return true;
}

void ReplayClock::letGo(Stay& stay) {
    for (const std::int32_t other : std::exchange(stay.waiting, {})) {
        Strand& its = strands_[engine::asSize(other)];
        its.met = true;
        its.waits = false;
        its.now = stay.latest;
        wake(other);
    }
}

engine::Rounds ReplayClock::apartIn(const CollectiveDone& what) const {
    return carrier_.processors() != nullptr || lockstep() ? engine::Rounds{} : what.schedule->facts().uncoupled;
}

bool ReplayClock::open(std::int32_t collective, const CollectiveDone& what, Stay& stay) {
    stay.rounds =
        std::make_unique<OpenRounds>(what, collective, courses_, apartIn(what), carrier_.processors() != nullptr);
    const std::vector<std::int32_t> held = std::exchange(stay.waiting, {});
    for (const std::int32_t other : held) {
        strands_[engine::asSize(other)].posted = false;
        wake(other);
    }
    return !held.empty();
}

bool ReplayClock::openHeld() {
    bool found = false;
    for (std::size_t i = 0; i < stays_.size(); ++i) {
        Stay& stay = stays_[i];
        const CollectiveDone& what = program_.collectives[i];
        if (stay.isOpen || stay.waiting.empty() || what.schedule == nullptr) continue;
        stay.isOpen = true;
        found = open(static_cast<std::int32_t>(i), what, stay) || found;
    }
    return found;
}

bool ReplayClock::gather(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
    if (self.met) return true;
    if (self.posted) return false;
    self.posted = true;
    stay.waiting.push_back(number);
    if (stay.come < what.members->size()) return false;
    clocks_.resize(what.members->size());
    const std::vector<std::int32_t> all = std::exchange(stay.waiting, {});
    for (const std::int32_t each : all) {
        const Strand& its = strands_[engine::asSize(each)];
        clocks_[engine::asSize(its.place)] = its.now;
    }
    const Course& course = *courses_.of(what);
    goThrough(what, course, carrier_.ports(), factors_, clocks_, observer_, self.collective);
    result_.messages += course.messages;
    result_.bytes += course.bytes;
    for (const std::int32_t each : all) {
        Strand& its = strands_[engine::asSize(each)];
        its.met = true;
        its.now = clocks_[engine::asSize(its.place)];
    }
    for (const std::int32_t other : all) {
        if (other == number) continue;
        // Until it posts something again it needs no turn of its own; at this very moment others may come first.
        if (strands_[engine::asSize(other)].now > carrier_.now()) proceed(other);
        else wake(other);
    }
    return true;
}

bool ReplayClock::meet(std::int32_t number, Strand& self, const CollectiveDone& what, Stay& stay) {
    if (self.met) return true;
    if (self.posted) return false;
    self.posted = true;
    stay.latest = std::max(stay.latest, self.now);
    const bool waits = self.stream == nullptr || self.stream->waits;
    if (stay.come == what.members->size()) letGo(stay);
    else if (waits) {
        stay.waiting.push_back(number);
        return false;
    }
    if (waits) self.now = stay.latest;
    self.met = true;
    return true;
}

bool ReplayClock::goApart(Strand& self, std::int32_t number, Round behind) {
    if (self.children > 0) return false;
    if (self.posted) {
        self.posted = false;
        self.round = behind;
        return true;
    }
    self.posted = true;
    self.children = 2;
    for (const Ends ends : {Ends::sends, Ends::receives}) {
        Strand half = self;
        half.parent = number;
        half.children = 0;
        half.behind = behind;
        half.ends = ends;
        half.posted = false;
        wake(spawn(half));
    }
    return false;
}

bool ReplayClock::exchange(std::int32_t number, Strand& self, OpenRound& open) {
    std::span<ReplayLetter> sends;
    std::span<const std::uint32_t> receives;
    if (self.ends != Ends::receives) sends = open.sends(self.place);
    if (self.ends != Ends::sends) receives = open.receives(self.place);
    if (!self.posted) {
        if ((!sends.empty() || !receives.empty()) && !mayPost(number, self)) return false;
        for (ReplayLetter& letter : sends) carrier_.postSend(letter, self.now);
        for (const std::uint32_t i : receives) carrier_.postReceive(open.letter(i), self.now);
        self.posted = true;
        self.awaited = 0;
    }
    for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
        const bool sending = self.awaited < sends.size();
        ReplayLetter& letter = sending ? sends[self.awaited] : open.letter(receives[self.awaited - sends.size()]);
        if (!(sending ? letter.left : letter.there)) {
            (sending ? letter.awaitsSend : letter.awaitsReceive) = number;
            return false;
        }
        self.now = std::max(self.now, sending ? letter.record.sendEnd : letter.record.receiveEnd);
    }
    return true;
}

bool ReplayClock::exchangeInTurn(std::int32_t number, Strand& self, OpenRound& open) {
    LogGPMail& processors = *carrier_.processors();
    const std::span<ReplayLetter> sends = open.sends(self.place);
    const std::span<const std::uint32_t> receives = open.receives(self.place);
    if (!self.posted) {
        for (const std::uint32_t i : receives) processors.expect(open.letter(i), self.now);
        self.posted = true;
        self.awaited = 0;
    }
    for (; self.awaited < sends.size(); ++self.awaited) {
        ReplayLetter& letter = sends[self.awaited];
        if (!letter.sendPosted) processors.postSend(letter, self.now);
        if (!letter.left) {
            letter.awaitsSend = number;
            return false;
        }
        self.now = std::max(self.now, letter.record.sendEnd);
    }
    if (self.awaited == sends.size())
        for (const std::uint32_t i : receives) processors.want(open.letter(i), self.now);
    for (; self.awaited < sends.size() + receives.size(); ++self.awaited) {
        ReplayLetter& letter = open.letter(receives[self.awaited - sends.size()]);
        if (!letter.there) {
            letter.awaitsReceive = number;
            return false;
        }
        self.now = std::max(self.now, letter.record.receiveEnd);
    }
    return true;
}

}  // namespace emulation
